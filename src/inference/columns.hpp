/// Which column the distance comes from.
#pragma once

#include <span>
#include <vector>

#include "motmot/transport.hpp"

namespace motmot {

/// W1 by column: the sum over the plan of mass (x_ik - y_jk)^2 / |x_i - y_j|. Adds up to the plan's cost.
[[nodiscard]] std::vector<double> column_costs(PointsView x, PointsView y, std::span<const PlanEntry> plan);

/// Each cost less its floor (what plans of permuted rows give it: Noise::column_floor), not below 0, as a
/// share of the sum. In ten columns of which one is shifted, nine carry chance alone and most of the cost:
/// without the floor the one would get a quarter of it, with the floor it gets 98 % (n = 400).
/// Say so only where the samples differ: if they do not, the shares are shares of chance.
[[nodiscard]] std::vector<double> shares_above(std::span<const double> costs, std::span<const double> floor);

/// The mean of a column over rows, all of them or those that `counts` says.
template <class Counts>
[[nodiscard]] double column_mean(PointsView points, std::size_t k, std::size_t rows, Counts counts) {
  double mean = 0;  // of parts: a sum of large coordinates could leave the range of double
  for (std::size_t i = 0; i < points.n; ++i)
    if (counts(i)) mean += points(i, k) / static_cast<double>(rows);
  return mean;
}
[[nodiscard]] inline double column_mean(PointsView points, std::size_t k) {
  return column_mean(points, k, points.n, [](std::size_t) { return true; });
}

}  // namespace motmot
