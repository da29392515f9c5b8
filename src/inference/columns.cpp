#include "inference/columns.hpp"

#include <algorithm>
#include <numeric>

#include "base/euclidean.hpp"

namespace motmot {
namespace {

double column_mean(PointsView points, std::size_t k) {
  double mean = 0;  // of parts: a sum of large coordinates could leave the range of double
  for (std::size_t i = 0; i < points.n; ++i) mean += points(i, k) / static_cast<double>(points.n);
  return mean;
}

}  // namespace

std::vector<double> column_costs(PointsView x, PointsView y, std::span<const PlanEntry> plan) {
  std::vector<double> costs(x.d, 0.0);
  for (const PlanEntry& entry : plan) {
    const double distance = euclidean(x.row(entry.row), y.row(entry.col));
    if (distance == 0) continue;
    for (std::size_t k = 0; k < x.d; ++k) {
      const double step = x(entry.row, k) - y(entry.col, k);
      costs[k] += entry.mass * step * (step / distance);
    }
  }
  return costs;
}

std::vector<ColumnPart> column_moves(PointsView x, PointsView y, std::span<const PlanEntry> plan,
                                     std::span<const double> floor) {
  std::vector<double> above = column_costs(x, y, plan);
  for (std::size_t k = 0; k < above.size(); ++k) above[k] = std::max(0.0, above[k] - floor[k]);
  const double total = std::accumulate(above.begin(), above.end(), 0.0);
  std::vector<ColumnPart> moves(x.d);
  for (std::size_t k = 0; k < x.d; ++k)
    moves[k] = {.share = total > 0 ? above[k] / total : 0, .moved = column_mean(y, k) - column_mean(x, k)};
  return moves;
}

}  // namespace motmot
