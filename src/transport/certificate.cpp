#include "transport/certificate.hpp"

#include <algorithm>
#include <limits>

namespace motmot::solver {

void exact_row_minima(const Geometry& geometry, Scanner& scanner, std::span<const FlowEntry> plan,
                      std::span<const double> v, RaisedPrices& raised, std::vector<double>& u) {
  raised.reset(geometry, v);
  u.assign(geometry.rows(), std::numeric_limits<double>::max());
  for (const FlowEntry& entry : plan)
    u[entry.row] = std::min(u[entry.row], geometry.cost(entry.row, entry.col) - v[entry.col]);
  for (std::size_t i = 0; i < geometry.rows(); ++i) {
    const std::size_t count = scanner.collect(i, raised, raised_bound(u[i], geometry.row_margin(i)));
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t j = scanner.column(k);
      u[i] = std::min(u[i], geometry.cost(i, j) - v[j]);
    }
  }
}

double duality_gap(const Geometry& geometry, std::span<const FlowEntry> plan, std::span<const double> u,
                   std::span<const double> v) {
  double gap = 0;
  for (const FlowEntry& entry : plan)
    gap += static_cast<double>(entry.amount) *
           std::max(0.0, geometry.cost(entry.row, entry.col) - v[entry.col] - u[entry.row]);
  return gap;
}

}  // namespace motmot::solver
