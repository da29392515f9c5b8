// Potentials of rows without mass: they do not matter to the plan, but u_i + v_j <= c_ij is to hold for
// every pair.
#include <algorithm>
#include <cmath>

#include "data/without.hpp"
#include "kernels/min_plus_kernels.hpp"
#include "transport/engine.hpp"

namespace motmot {
namespace {

double largest_coordinate(PointsView points) {
  double largest = 0;
  for (std::size_t k = 0; k < points.rows() * points.cols(); ++k)
    largest = std::max(largest, std::abs(points.data[k]));
  return largest;
}

// value[i] = min over `against` of |p_i - q_j| - minus[j] for the rows in `wanted`.
void transform(PointsView p, const std::vector<std::uint32_t>& wanted, PointsView q,
               const std::vector<std::uint32_t>& against, const std::vector<double>& minus, double unit,
               std::vector<double>& value) {
  const std::size_t d = p.cols();
  const std::size_t padded = kernels::min_plus_padded(against.size());
  std::vector<double> coordinates(padded * d, 0.0);
  std::vector<double> offset(padded, kernels::no_anchor_double);
  for (std::size_t j = 0; j < against.size(); ++j) {
    offset[j] = -minus[against[j]] / unit;
    for (std::size_t k = 0; k < d; ++k) coordinates[k * padded + j] = q(against[j], k) / unit;
  }
  std::vector<double> at(d);
  for (const std::uint32_t i : wanted) {
    for (std::size_t k = 0; k < d; ++k) at[k] = p(i, k) / unit;
    kernels::min_plus_kernels().scan({at.data(), 1, d, coordinates.data(), padded, offset.data(), &value[i]});
    value[i] *= unit;
  }
}

}  // namespace

void TransportEngine::extend_potentials(Transport& result) const {
  const auto without_mass = [](std::size_t n, std::vector<std::uint32_t> with_mass) {
    if (with_mass.size() == n) return std::vector<std::uint32_t>();
    std::ranges::sort(with_mass);
    return rows_without(n, with_mass);
  };
  const std::vector<std::uint32_t> rows = without_mass(x_.rows(), copies_x_.rows),
                                   cols = without_mass(y_.rows(), copies_y_.rows);
  if (rows.empty() && cols.empty()) return;
  const double unit =
      std::max({geometry_.unit(), largest_coordinate(x_) / 0x1p500, largest_coordinate(y_) / 0x1p500});
  if (!cols.empty()) transform(y_, cols, x_, masses_.rows, result.u, unit, result.v);
  if (rows.empty()) return;
  std::vector<std::uint32_t> all(y_.rows());
  for (std::uint32_t j = 0; j < all.size(); ++j) all[j] = j;
  transform(x_, rows, y_, all, result.v, unit, result.u);
}

}  // namespace motmot
