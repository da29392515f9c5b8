/// Means, medians, quantiles and spreads, one of each. Sums run from the first value to the last, so that
/// their bits are the same everywhere. None of these takes an empty sample.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace motmot {

inline double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// With n - 1 in the denominator; 0 for a single value.
inline double sd_of(std::span<const double> values, double mean) {
  if (values.size() < 2) return 0;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// The middle value, the upper one of two. Reorders the values. O(n).
inline double upper_median(std::span<double> values) {
  assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The mean of the two middle values where their number is even. O(n).
inline double median_of(std::vector<double> values) {
  const double high = upper_median(values);
  if (values.size() % 2 == 1) return high;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return std::midpoint(*std::max_element(values.begin(), middle), high);
}

/// 1 / (the 3/4 quantile of the standard normal law).
inline constexpr double robust_sd_factor = 1.4826022185056018;

/// The median absolute deviation, times what makes it the sd of a Gaussian.
inline double robust_sd(std::span<const double> values, double median) {
  std::vector<double> deviations(values.size());
  std::ranges::transform(values, deviations.begin(), [&](double value) { return std::abs(value - median); });
  return robust_sd_factor * median_of(std::move(deviations));
}

/// Linear between order statistics, the first at 0 and the last at 1.
inline double sorted_quantile(std::span<const double> sorted, double q) {
  assert(!sorted.empty());
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  if (rest == 0 || below + 1 == sorted.size()) return sorted[below];
  return (1 - rest) * sorted[below] + rest * sorted[below + 1];
}

/// The share that `trials` draws, each a hit with chance `share`, stay below in 95 of 100 cases (Gaussian).
inline double upper_share(double share, double trials) {
  constexpr double one_sided_95 = 1.645;
  return share + one_sided_95 * std::sqrt(share * (1 - share) / trials);
}

}  // namespace motmot
