/// Medians of block means: what makes the estimators robust (Sections 2.2, 3.1).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

/// What the median of an even number of values is.
enum class EvenMedian {
  mean,   ///< the mean of the two middle ones; the gradient is the mean of their gradients
  upper,  ///< the upper one, as in the paper's algorithms, which go through one block
};

/// The blocks that carry the median, two of them when their number is even (else both alike): the value
/// is the mean of a[x[0]] - b[y[0]] and a[x[1]] - b[y[1]].
struct MedianPair {
  double value = 0;
  std::array<std::uint32_t, 2> x{};
  std::array<std::uint32_t, 2> y{};
};

/// Line 3 of Algorithms 1 (mom), 3 (mou-diag) and 4 (mou) on given block means a of X and b of Y. The
/// algorithms differ only here. O(K) for plain, mom and mou_diag (which needs a.size() == b.size());
/// O(K log K) for mou, which never lists its K_X K_Y pairs. Ties are broken by position.
[[nodiscard]] MedianPair median_pair(Estimator estimator, std::span<const double> a,
                                     std::span<const double> b, EvenMedian even = EvenMedian::mean);

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
