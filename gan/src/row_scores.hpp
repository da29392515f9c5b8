/// How much each training image has stood out over all its visits; late ones count more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot::gan {

class RowScores {
 public:
  explicit RowScores(std::size_t rows = 0) : sums_(rows), weights_(rows), banned_(rows) {}

  /// Adds standing_out(values), times `weight`, to the rows of a batch.
  void add(std::span<const std::uint32_t> rows, std::span<const float> values, double weight);
  /// Bans the share `q` of all rows with the highest mean scores, of these those above `cut`.
  void ban_highest(double q, double cut);

  [[nodiscard]] std::vector<double> means() const;
  [[nodiscard]] std::vector<double>& sums() noexcept { return sums_; }
  [[nodiscard]] std::vector<double>& weights() noexcept { return weights_; }
  [[nodiscard]] std::vector<std::uint8_t>& banned() noexcept { return banned_; }

 private:
  std::vector<double> sums_;
  std::vector<double> weights_;
  std::vector<std::uint8_t> banned_;
};

}  // namespace motmot::gan
