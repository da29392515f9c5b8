#include "row_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motmot/gan/selection.hpp"

namespace motmot::gan {

void RowScores::add(std::span<const std::uint32_t> rows, std::span<const float> values, double weight) {
  const std::vector<double> scores = standing_out(values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sums_[rows[i]] += weight * scores[i];
    weights_[rows[i]] += weight;
  }
}

std::vector<double> RowScores::means() const {
  std::vector<double> means(sums_.size());
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = weights_[i] > 0 ? sums_[i] / weights_[i] : 0;
  return means;
}

void RowScores::ban_highest(double q, double cut) {
  const std::vector<double> score = means();
  std::vector<std::uint32_t> order(score.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t row) { return score[row]; });
  std::ranges::fill(banned_, std::uint8_t{0});
  const auto count = static_cast<std::size_t>(std::floor(q * static_cast<double>(order.size())));
  for (std::size_t i = 0; i < count && score[order[i]] > cut; ++i) banned_[order[i]] = 1;
}

}  // namespace motmot::gan
