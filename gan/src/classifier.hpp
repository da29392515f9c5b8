/// The classifier whose last hidden layer gives the features.
#pragma once

#include "motmot/gan/evaluate.hpp"
#include "motmot/gan/nets.hpp"

namespace motmot::gan {

inline constexpr std::int64_t feature_count = 64, class_count = 11;

class Classifier final : public FeatureNet {
 public:
  Classifier(std::size_t channels, std::uint64_t seed, std::string trained_on);
  explicit Classifier(const std::string& path);

  [[nodiscard]] torch::Tensor hidden(const torch::Tensor& images) const;
  [[nodiscard]] torch::Tensor logits(const torch::Tensor& hidden) const;
  void write(const std::string& path) const;
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }

  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Points features(const Images& images) const override;
  [[nodiscard]] std::optional<std::vector<std::int32_t>> classes(const Images& images) const override;

 private:
  void check(const Images& images) const;

  std::size_t channels_ = 1;
  std::string trained_on_;
  Parameters parameters_;
};

}  // namespace motmot::gan
