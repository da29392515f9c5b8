/// Points in the plane of every kind, and a workspace that solves few of them as it would many.
#pragma once

#include <cmath>

#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"

namespace motmot::test {

inline Points plane(Rng& rng, std::size_t n, std::size_t kind) {
  Points points = gaussian(rng, n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    double& px = points(i, 0);
    double& py = points(i, 1);
    if (kind == 1) py = 2 * px;                                       // on a line
    if (kind == 2) px = std::floor(3 * px), py = std::floor(3 * py);  // on a grid, often twice
    if (kind == 3)
      px = std::ldexp(px, -static_cast<int>(rng.below(20))) + rng.below(3);             // of different scale
    if (kind == 4 && i % 10 == 0) px = 40 * rng.uniform() - 20;                         // with outliers
    if (kind == 5) px = static_cast<double>(i % 17), py = static_cast<double>(i / 17);  // a whole grid
  }
  return points;
}

/// A workspace that solves in the plane by the tree from `fewest` points on, with several levels.
inline TransportWorkspace by_tree(std::size_t fewest = 2) {
  TransportWorkspace workspace;
  engine_of(workspace).settings.plane.fewest = fewest;
  engine_of(workspace).settings.plane.coarsest = 8;
  return workspace;
}

/// Not by the simplex, the searches or whole rows.
inline bool was_by_tree(const Transport& w) {
  return w.work.pivots == 0 && w.work.scans == 0 && w.work.bids > 0;
}

}  // namespace motmot::test
