/// The energy distance of two samples, 2 E|X - Y| - E|X - X'| - E|Y - Y'| with means over all pairs of rows,
/// as the statistic of a permutation test. It is -w^T D w, where D holds the distances between all rows of X
/// and Y and w is 1/n on the rows called X and -1/m on the others: permuting calls other rows X.
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

/// The energy distance under each labelling. One pass over D, which is never stored: O((n + m)^2 (d +
/// labellings)) in float32, sums in double. The unit is that of the points times a power of two, the same for
/// all of them: good for comparisons. Meaningless if the watch has stopped.
[[nodiscard]] std::vector<double> energies(PointsView x, PointsView y, std::span<const Labelling> labellings,
                                           Team& team, Watch& watch, double done = 0);

/// One column: W1 and the energy distance, the integrals of |F - G| and 2 (F - G)^2, by sorting once.
/// O(n + m) for each labelling; ties are exact. In the unit of the points.
struct LineStatistics {
  std::vector<double> w1, energy;  ///< one for each labelling
};
[[nodiscard]] LineStatistics line_statistics(PointsView x, PointsView y,
                                             std::span<const Labelling> labellings, Team& team);

/// The unit of energies() and block_energies(): their values times this are in that of the points.
[[nodiscard]] double energy_unit(PointsView x, PointsView y);

struct BlockEnergies {
  double observed = 0;
  std::vector<double> permuted{};
  PerSample<std::size_t> rows{};  ///< that take part, drawn at random where there are very many
  std::size_t block_size = 0;
};

/// The same for large samples and as many permutations as one likes: rows are joined to blocks at random
/// (from the seed), within each sample; D is summed over pairs of blocks in one pass; then whole blocks
/// change sides. These are permutations of the rows too, and form a group, so the test is as exact as with
/// all of them; rows that fill no block stay where they are. Values are those of energies() but for one
/// constant that is common to all of them. About 200 blocks for the smaller sample, at most 400 for the
/// other: with as few as 50 + 50 the power is that of full permutations (n = m = 600, 400 runs each, d = 2
/// and 10; see docs/results-noise.md). O(n m d) once.
[[nodiscard]] BlockEnergies block_energies(PointsView x, PointsView y, std::size_t permutations,
                                           std::uint64_t seed, Team& team, Watch& watch, double done = 0);

/// Rows that block_energies() takes of a sample at most: its pass then stays within a second or two.
[[nodiscard]] std::size_t most_energy_rows(std::size_t d);

}  // namespace motmot
