/// Points of every kind in two and three dimensions, and a workspace that solves few of them as it would
/// many.
#pragma once

#include <cmath>

#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"

namespace motmot::test {

/// What holds in the plane holds in space.
class InTwoAndThree : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t d = GetParam();
};

inline constexpr std::size_t kinds_of_points = 7;

inline Points points_of_kind(Rng& rng, std::size_t n, std::size_t d, std::size_t kind) {
  Points points = gaussian(rng, n, d);
  const std::size_t side = d == 2 ? 17 : 7;
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<double> p = points.row(i);
    if (kind == 1)
      for (std::size_t k = 1; k < d; ++k) p[k] = static_cast<double>(k + 1) * p[0];  // on a line
    if (kind == 2)
      for (double& at : p) at = std::floor(3 * at);  // on a grid, often twice
    if (kind == 3)
      p[0] = std::ldexp(p[0], -static_cast<int>(rng.below(20))) + rng.below(3);  // of different scale
    if (kind == 4 && i % 10 == 0) p[0] = 40 * rng.uniform() - 20;                // with outliers
    if (kind == 5)
      for (std::size_t k = 0, rest = i; k < d; ++k, rest /= side)
        p[k] = static_cast<double>(k + 1 < d ? rest % side : rest);  // a whole grid
    if (kind == 6) p[d - 1] = 0.5 * p[0];                            // on a plane
  }
  return points;
}

/// A workspace that solves by the tree from `fewest` points on, with several levels, every row by itself.
inline TransportWorkspace by_tree(std::size_t fewest = 2) {
  TransportWorkspace workspace;
  solver::RaySettings& rays = engine_of(workspace).settings.rays;
  rays.fewest = rays.fewest_in_space = fewest;
  rays.coarsest = 8;
  engine_of(workspace).settings.put_copies_together = false;
  return workspace;
}

/// Not by the simplex, the searches or whole rows.
inline bool was_by_tree(const Transport& w) {
  return w.work.pivots == 0 && w.work.scans == 0 && w.work.bids > 0;
}

}  // namespace motmot::test
