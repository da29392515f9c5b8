#include <algorithm>
#include <limits>

#include "base/normal.hpp"
#include "base/statistics.hpp"
#include "theory/theory.hpp"

namespace motmot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// How many standard deviations the median of all blocks is from that of the clean ones.
double shift_in_sd(double p) {
  require(p >= 0 && p <= 1, Errc::invalid_argument, "a chance must lie in [0, 1], got p = ", p);
  return p >= 0.5 ? infinity : normal_quantile(1 / (2 * (1 - p)));
}

}  // namespace

double contamination_bias(double sigma_phi, std::size_t b, double p) {
  require(sigma_phi >= 0 && b >= 1, Errc::invalid_argument,
          "the bias law needs sigma >= 0 and B >= 1, got sigma = ", sigma_phi, ", B = ", b);
  const double shift = shift_in_sd(p);
  return shift == infinity ? infinity : sigma_phi / std::sqrt(static_cast<double>(b)) * shift;
}

double contamination_bias(Estimator estimator, double sigma_x, double sigma_y, const BlockChoice& blocks) {
  if (estimator == Estimator::mom)
    return contamination_bias(sigma_x, blocks.b_x, blocks.p_x) +
           contamination_bias(sigma_y, blocks.b_y, blocks.p_y);
  const double variance = sigma_x * sigma_x / static_cast<double>(blocks.b_x) +
                          sigma_y * sigma_y / static_cast<double>(blocks.b_y);
  return contamination_bias(std::sqrt(variance), 1, blocks.p);
}

double quantile_error_bar(std::span<const double> block_means, double p) {
  require(!block_means.empty(), Errc::invalid_argument, "an error bar needs at least one block mean");
  require(p >= 0 && p <= 1, Errc::invalid_argument, "a chance must lie in [0, 1], got p = ", p);
  if (p >= 0.5) return infinity;
  std::vector<double> sorted(block_means.begin(), block_means.end());
  std::ranges::sort(sorted);
  const double median = sorted_quantile(sorted, 0.5);
  return std::max(median - sorted_quantile(sorted, (1 - p) / 2),
                  sorted_quantile(sorted, (1 + p) / 2) - median);
}

}  // namespace motmot
