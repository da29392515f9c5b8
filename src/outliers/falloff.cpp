#include "outliers/falloff.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/statistics.hpp"
#include "data/without.hpp"
#include "inference/score_gap.hpp"

namespace motmot {

double Falloff::expected_beyond(double log) const {
  constexpr double freedom = 4;  // chosen on tables of docs/results-outliers.md, confirmed on others
  const double far = std::max(0.0, surprise(log));
  return std::pow(1 + far / freedom, -freedom) / 2 * static_cast<double>(rows);
}

double Falloff::where_expected(double count) const {
  return median + slope * std::log(static_cast<double>(rows) / (2 * count));
}

Falloff falloff_of(std::span<const double> logs, std::span<const std::uint32_t> suspects, std::size_t most) {
  constexpr double least_slope = 0.03;  // no tail is taken to be lighter, as lone_rows() does
  std::vector<double> kept = without(logs, suspects);
  const double slope = std::max(body_slope(kept, std::min(most, kept.size() - 1)), least_slope);
  const std::size_t rows = kept.size();
  return {.median = median_of(std::move(kept)), .slope = slope, .rows = rows};
}

std::vector<double> evidence(std::span<const double> surprises) {
  const std::size_t n = surprises.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order,
                           [&](std::uint32_t i, std::uint32_t j) { return surprises[i] > surprises[j]; });
  std::vector<double> found(n);
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t seen = n; seen >= 1; --seen) {
    const double share = std::min(0.0, -surprises[order[seen - 1]] - std::log(2.0));
    best = std::max(best, std::log(static_cast<double>(seen) / static_cast<double>(n)) - share);
    found[order[seen - 1]] = best;
  }
  return found;
}

}  // namespace motmot
