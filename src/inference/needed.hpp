/// How many rows would have to be wrong to explain the difference away.
#pragma once

#include <cstddef>
#include <optional>

#include "base/progress.hpp"
#include "inference/noise.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// The share is known within this where it is solved for.
inline constexpr double tolerance_of_needed = 1e-3;
/// Rows of the larger sample up to which it is; beyond, it is a lower bound, which takes no solve.
inline constexpr std::size_t most_rows_solved_for_needed = 5000;

struct Needed {
  double share = 0;     ///< of the rows of each sample, at most one half
  bool capped = false;  ///< one half does not explain it: share is 0.5
};

/// The least share t such that W1 of the rest, when the share t of both samples may be left out in the way
/// that brings them closest (partial transport), is no more than the 95 % quantile of the permuted W1.
/// `solved`: exact W1 of x and y with its potentials. Nothing where the samples do not differ (noise.p_value
/// above 0.05), where they differ but their W1 does not stand out from the permuted ones, and when stopped.
/// A handful of partial problems; a lower bound above most_rows_solved_for_needed.
[[nodiscard]] std::optional<Needed> needed(PointsView x, PointsView y, const Transport& solved,
                                           const Noise& noise, Watch& watch, double done = 0);

/// The least share t <= 1/2 with partial_transport(x, y, t, t).cost <= threshold.
[[nodiscard]] std::optional<Needed> share_to_reach(PointsView x, PointsView y, const Transport& solved,
                                                   double threshold, Watch& watch, double done = 0);

}  // namespace motmot
