/// Which column the distance comes from.
#pragma once

#include <span>
#include <vector>

#include "motmot/transport.hpp"

namespace motmot {

struct ColumnPart {
  double share = 0;  ///< of the distance above what chance gives this column; all add up to 1, or are all 0
  double moved = 0;  ///< mean of the column in Y less its mean in X, in its own unit
};

/// W1 by column: the sum over the plan of mass (x_ik - y_jk)^2 / |x_i - y_j|. Adds up to the plan's cost.
[[nodiscard]] std::vector<double> column_costs(PointsView x, PointsView y, std::span<const PlanEntry> plan);

/// A column's cost less its floor (what plans of permuted rows give it: Noise::column_floor), not below 0, as
/// a share of the sum. In ten columns of which one is shifted, nine carry chance alone and most of the cost:
/// without the floor the one would get a quarter of it, with the floor it gets 98 % (n = 400).
/// Say so only where the samples differ: if they do not, the shares are shares of chance.
[[nodiscard]] std::vector<ColumnPart> column_moves(PointsView x, PointsView y,
                                                   std::span<const PlanEntry> plan,
                                                   std::span<const double> floor);

}  // namespace motmot
