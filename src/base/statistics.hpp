/// Medians and quantiles of values that may be reordered or are sorted.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

namespace motmot {

/// The mean of the two middle ones where the number is even. O(n).
inline double median_of_copy(std::vector<double> values) {
  assert(!values.empty());
  const auto high = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, high);
  if (values.size() % 2 == 1) return *high;
  const double low = *std::max_element(values.begin(), high);
  return low == *high ? low : low / 2 + *high / 2;
}

/// 1.4826 times the median absolute deviation: the sd of a Gaussian.
inline double robust_sd(std::span<const double> values, double median) {
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) deviations.push_back(std::abs(value - median));
  return 1.4826022185056018 * median_of_copy(std::move(deviations));
}

/// Linear between order statistics, the first at 0 and the last at 1.
inline double sorted_quantile(std::span<const double> sorted, double q) {
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  if (rest == 0 || below + 1 == sorted.size()) return sorted[below];
  return (1 - rest) * sorted[below] + rest * sorted[below + 1];
}

}  // namespace motmot
