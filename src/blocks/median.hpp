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

/// A pair (k, l) and its difference a_k - b_l.
struct Difference {
  double value = 0;
  std::uint32_t k = 0;
  std::uint32_t l = 0;
};

/// The `rank`-th smallest (from 0) of the K_X K_Y differences a_k - b_l, by selection in a matrix with
/// sorted rows and columns: O(K log K) after Johnson and Mizoguchi (1978).
Difference select_difference(std::span<const double> a, std::span<const double> b, std::uint64_t rank);

}  // namespace motmot
