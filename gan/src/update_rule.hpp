/// RMSProp and Adam over one long array: a step is one pass over memory, whatever the number of layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/gan/options.hpp"

namespace motmot::gan {

struct UpdateOptions {
  Rule rule = Rule::rmsprop;
  float rate = 5e-4f;
  float clip = 0;  ///< every weight stays in [-clip, clip]; 0: no limit
};

/// Descends. RMSProp with alpha 0.99, eps 1e-8; Adam with beta 0.5 and 0.9 (Gulrajani et al., 2017), eps
/// 1e-8: the formulas of PyTorch.
class UpdateRule {
 public:
  UpdateRule(std::size_t size, const UpdateOptions& options)
      : options_(options), means_(options.rule == Rule::adam ? size : 0), squares_(size) {}

  void set_rate(double rate) noexcept { options_.rate = static_cast<float>(rate); }
  void descend(std::span<float> weights, std::span<const float> gradient) noexcept;

  /// All that a checkpoint must hold.
  [[nodiscard]] std::vector<float>& means() noexcept { return means_; }
  [[nodiscard]] std::vector<float>& squares() noexcept { return squares_; }
  [[nodiscard]] std::int64_t& steps() noexcept { return steps_; }

 private:
  void rmsprop(float* weights, const float* gradient, std::size_t n) noexcept;
  void adam(float* weights, const float* gradient, std::size_t n) noexcept;

  UpdateOptions options_;
  std::vector<float> means_, squares_;
  std::int64_t steps_ = 0;
};

}  // namespace motmot::gan
