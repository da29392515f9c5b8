/// Who has company: distances to the k-th nearest row of the own sample or of another, what the nearest rows
/// have in common, rows that are identical. Everything is a function of the data, whatever the number of
/// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// For each k of ks (ascending, 1 <= k <= n - 1) and each row, the Euclidean distance to its k-th nearest
/// other row: result[which k][row]. Distances are those of euclidean() to rounding; identical rows are 0
/// apart, exactly. Any finite coordinates. Empty when `progress` said stop.
///
/// Rows are put into the order of a kd-tree. The distance to the k-th neighbour moves by no more than one
/// does, so that the centre of a branch tells for which rows the answer is open; what lies wholly inside or
/// outside is not looked at again. In few dimensions that leaves a ring (n = 10^5 in the plane takes about a
/// second); in many it leaves everything, and the cost is that of n^2 distances. Memory: a copy of the
/// points, and for each thread 8 n distances.
[[nodiscard]] std::vector<std::vector<double>> kth_distances(PointsView points,
                                                             std::span<const std::size_t> ks, Team& team,
                                                             const Progress& progress = {});

/// The same to the rows of another sample of as many columns, 1 <= k <= rows there.
[[nodiscard]] std::vector<std::vector<double>> kth_distances_to(PointsView points, PointsView others,
                                                                std::span<const std::size_t> ks, Team& team,
                                                                const Progress& progress = {});

/// For each row of `points` the median over its nearest rows of `others`, once for each of the counts
/// (ascending, 1 <= count <= rows there) with values of its own (one for each row of `others`, finite):
/// result[which count][row]. Rows as near as the last of the nearest ones are included. Empty when `progress`
/// said stop.
[[nodiscard]] std::vector<std::vector<double>> medians_over_nearest(
    PointsView points, PointsView others, std::span<const std::size_t> counts,
    std::span<const std::vector<double>> values, Team& team, const Progress& progress = {});

/// At most `count` rows that stand for the sample, ascending: evenly spaced in the order of their coordinates
/// (by the first column, then the second, ...), so that they do not depend on the order of the rows.
[[nodiscard]] std::vector<std::uint32_t> spread_rows(PointsView points, std::size_t count);

/// Rows that are the same in every column.
struct Twins {
  std::size_t rows = 0;     ///< that have at least one identical row
  std::size_t largest = 1;  ///< rows in the largest group of identical ones
  std::uint32_t first = 0;  ///< the first row of that group; of equally large ones the one that comes first
  std::vector<std::uint32_t> group;  ///< of each row: the first row that is identical to it
};

/// O(n d).
[[nodiscard]] Twins find_twins(PointsView points);
/// Twins::group alone.
[[nodiscard]] std::vector<std::uint32_t> first_identical(PointsView points);

/// For each row the distance to the nearest row that is not identical to it; 0 where all are identical.
/// Empty when `progress` said stop.
[[nodiscard]] std::vector<double> nearest_distinct(PointsView points, const Twins& twins, Team& team,
                                                   const Progress& progress = {});

}  // namespace motmot
