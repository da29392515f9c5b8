#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

/// Positions of the two middle values, ordered by (value, position); both alike when the number is odd.
std::array<std::uint32_t, 2> middle_positions(std::span<const double> values);

/// Blocks near the median, which share its gradient: through the median block alone a gradient is the mean
/// of B rows and mostly noise.
struct MedianBand {
  std::vector<std::uint32_t> x, y;
};

/// max(1, share * K) blocks. mom: those of X, and those of Y, whose means are nearest to the sample's median
/// of block means. mou and mou_diag: the pairs (k, k) whose difference is nearest to `value`, the
/// estimator's; blocks are drawn at random, so for mou too the diagonal is a fair draw of pairs.
/// Ties are broken by position; O(K).
[[nodiscard]] MedianBand median_band(Estimator estimator, std::span<const double> a,
                                     std::span<const double> b, double value, double share);

}  // namespace motmot
