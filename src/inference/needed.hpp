/// How many rows would have to be wrong to explain the difference away.
#pragma once

#include <optional>

#include "base/progress.hpp"
#include "inference/noise.hpp"
#include "motmot/transport.hpp"

namespace motmot {

struct Needed {
  double share = 0;       ///< of the rows of each sample, at most one half
  bool capped = false;    ///< one half does not explain it: share is 0.5
  bool at_least = false;  ///< the share is a lower bound, which takes no solve (samples above 5000 rows)
};

/// The least share t such that W1 of the rest, when the share t of both samples may be left out in the way
/// that brings them closest (partial transport), is no more than the 95 % quantile of the permuted W1.
/// `solved`: exact W1 of x and y with its potentials. Nothing where the samples do not differ (noise.p_value
/// above 0.05), where they differ but their W1 does not stand out from the permuted ones, and when stopped.
/// Up to 5000 rows within 0.001, by a handful of partial problems.
[[nodiscard]] std::optional<Needed> needed(PointsView x, PointsView y, const Transport& solved,
                                           const Noise& noise, Watch& watch, double done = 0);

/// The least share t <= 1/2 with partial_transport(x, y, t, t).cost <= threshold.
[[nodiscard]] std::optional<Needed> share_to_reach(PointsView x, PointsView y, const Transport& solved,
                                                   double threshold, Watch& watch, double done = 0);

}  // namespace motmot
