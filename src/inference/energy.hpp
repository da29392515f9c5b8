/// Statistics over all pairs of rows, for permutation tests: the energy distance 2 E|X - Y| - E|X - X'| - E|Y
/// - Y'| (means over pairs) and its relative by a kernel (the squared "maximum mean discrepancy"). They are
/// -w^T D w and w^T K w, where D holds the distances between all rows of X and Y, K what a kernel makes of
/// them, and w is 1/n on the rows called X and -1/m on the others: permuting calls other rows X.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// The n rows of the pooled sample that are called X, ascending. Pooled, the rows of X are 0 .. n - 1 and
/// those of Y follow.
using Labelling = std::vector<std::uint32_t>;

[[nodiscard]] Labelling observed_labelling(std::size_t n);
/// Each of the possible ones with the same chance.
[[nodiscard]] Labelling random_labelling(std::size_t n, std::size_t m, Rng& rng);

/// Coordinates as the statistics see them: times a power of two, so that float32 holds them.
struct PairScale {
  double unit = 1;  ///< an energy times this is in the unit of the points
  /// k(r) = 1 / (1 + sharpness r^2) for r in the internal unit: min(d, 4) / (typical distance)^2. The energy
  /// distance sees a shift better than any other and a change of spread in many columns hardly at all; a
  /// sharp kernel is the other way round. In few columns a sharp one would see too little of the whole.
  double sharpness = 0;
};
/// A function of the pooled rows in any order, so that permuting them does not change it.
[[nodiscard]] PairScale pair_scale(PointsView x, PointsView y);

/// One value for each labelling.
struct PairStatistics {
  std::vector<double> energy;  ///< times PairScale::unit in that of the points
  std::vector<double> kernel;
};

/// Both statistics under each labelling. One pass over D, which is never stored: O((n + m)^2 (d +
/// labellings)) in float32, sums in double. Meaningless if the watch has stopped.
[[nodiscard]] PairStatistics pair_statistics(PointsView x, PointsView y,
                                             std::span<const Labelling> labellings, Team& team, Watch& watch,
                                             double done = 0);

/// One column: W1 and the energy distance, the integrals of |F - G| and 2 (F - G)^2, by sorting once.
/// O(n + m) for each labelling; ties are exact. In the unit of the points.
struct LineStatistics {
  std::vector<double> w1, energy;  ///< one for each labelling
};
[[nodiscard]] LineStatistics line_statistics(PointsView x, PointsView y,
                                             std::span<const Labelling> labellings, Team& team);

struct BlockStatistics {
  PairStatistics values;          ///< as observed, then permuted
  PerSample<std::size_t> rows{};  ///< that take part, drawn at random where there are very many
  std::size_t block_size = 0;
};

/// The same for large samples and as many permutations as one likes: rows are joined to blocks at random
/// (from the seed), within each sample; D and K are summed over pairs of blocks in one pass; then whole
/// blocks change sides. These are permutations of the rows too, and form a group, so the test is as exact as
/// with all of them; rows that fill no block stay where they are. 100 to 200 blocks for the smaller sample,
/// at most 400 for the other; the power is that of full permutations (docs/results-noise.md). O((n + m)^2 d)
/// once.
[[nodiscard]] BlockStatistics block_statistics(PointsView x, PointsView y, std::size_t permutations,
                                               std::uint64_t seed, Team& team, Watch& watch, double done = 0);

/// Rows that block_statistics() takes of a sample at most: its pass then stays within a second or two.
[[nodiscard]] std::size_t most_paired_rows(std::size_t d);

}  // namespace motmot
