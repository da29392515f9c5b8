#include "costs/lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/statistics.hpp"

namespace motmot::solver {
namespace {

constexpr std::size_t points_looked_at = 8;
constexpr std::size_t fewest_neighbours = 16, one_in = 32;  // of all points

/// How far q is from the line through p and r, over |p - r|.
double off_line(const double* p, const double* q, const double* r, std::size_t d) {
  double along = 0, square = 0;
  for (std::size_t k = 0; k < d; ++k) {
    along += (q[k] - p[k]) * (r[k] - p[k]);
    square += (r[k] - p[k]) * (r[k] - p[k]);
  }
  double off = 0;
  for (std::size_t k = 0; k < d; ++k) {
    const double step = q[k] - p[k] - along / square * (r[k] - p[k]);
    off += step * step;
  }
  return square > 0 ? std::sqrt(off / square) : 0;
}

}  // namespace

// Levina and Bickel (2004): the mean of log(farthest / distance) over the nearer neighbours is one over the
// dimension; it is averaged over points before it is turned over. Copies of a point count for nothing.
Surroundings surroundings(const Geometry& geometry) {
  const std::size_t n = geometry.y().n, d = geometry.dim(), width = geometry.padded_cols();
  const std::size_t neighbours = std::max(fewest_neighbours, n / one_in);
  const double* const points = geometry.y().at.data();
  double logs = 0;
  std::size_t count = 0;
  std::vector<double> off;
  std::vector<float> from(d), distance(width), zeros(width, 0.0f);
  std::vector<std::uint32_t> near;
  for (std::size_t at = 0; at < n; at += std::max<std::size_t>(1, n / points_looked_at)) {
    for (std::size_t k = 0; k < d; ++k) from[k] = geometry.y_float()[k * width + at];
    kernels::transport_kernels().gauge_row({from.data(), 0, geometry.y_float(), width, zeros.data(), d},
                                           width, distance.data());
    near.clear();
    for (std::uint32_t j = 0; j < n; ++j)
      if (distance[j] > 0) near.push_back(j);
    if (near.size() <= neighbours) continue;
    const auto farthest = near.begin() + static_cast<std::ptrdiff_t>(neighbours);
    std::ranges::nth_element(near, farthest, {}, [&](std::uint32_t j) { return distance[j]; });
    for (auto j = near.begin(); j != farthest; ++j) {
      logs += static_cast<double>(std::log(distance[*farthest] / distance[*j]));
      off.push_back(off_line(points + at * d, points + *j * d, points + *farthest * d, d));
    }
    count += neighbours;
  }
  if (!(logs > 0)) return {std::numeric_limits<double>::infinity(), 1};
  std::ranges::sort(off);
  return {static_cast<double>(count) / logs, sorted_quantile(off, 0.25)};
}

}  // namespace motmot::solver
