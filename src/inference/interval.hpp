/// Where the distance of the right rows lies if some of the rows that were kept are wrong as well.
#pragma once

#include "base/progress.hpp"
#include "blocks/partition_passes.hpp"
#include "motmot/data.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// Rows of either sample up to which the lower end is solved.
inline constexpr std::size_t most_rows_solved_for_lower = 5000;

/// The least W1 when any `spare.x` rows of x and `spare.y` of y are left out, certified: one partial
/// transport, or, beyond most_rows_solved_for_lower, what `phi` (a 1-Lipschitz function on the rows) proves
/// for nothing; below that `phi` is not looked at.
[[nodiscard]] double certified_lower(PointsView x, PointsView y, const PerSample<std::size_t>& spare,
                                     const Phi& phi, const Progress& progress);

/// A large W1 that is attained when `spare.x` rows of x and `spare.y` of y are left out: the largest is
/// convex in the weights, so whole rows go; those with the least potential of x and the most of y, solve,
/// again, until it no longer grows or `solves` are spent. Attained, not proved to be the largest. Samples
/// below 100 rows take 20 more starts, from `seed`, equal ones two. Never below solved.cost.
[[nodiscard]] double attained_upper(PointsView x, PointsView y, const PerSample<std::size_t>& spare,
                                    const Transport& solved, std::size_t solves, std::uint64_t seed,
                                    const Progress& progress);

/// phi on X and Y of a solve without rows left out: its potentials, with the sign of Y's turned.
[[nodiscard]] Phi potential(const Transport& solved);

}  // namespace motmot
