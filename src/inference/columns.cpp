#include "inference/columns.hpp"

#include <algorithm>
#include <numeric>

#include "base/euclidean.hpp"

namespace motmot {
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

std::vector<double> shares_above(std::span<const double> costs, std::span<const double> floor) {
  std::vector<double> above(costs.begin(), costs.end());
  for (std::size_t k = 0; k < above.size(); ++k) above[k] = std::max(0.0, above[k] - floor[k]);
  const double total = std::accumulate(above.begin(), above.end(), 0.0);
  for (double& share : above) share = total > 0 ? share / total : 0;
  return above;
}

}  // namespace motmot
