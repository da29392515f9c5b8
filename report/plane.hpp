/// Rows of many columns, seen in a plane.
#pragma once

#include <array>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Two orthonormal directions and the point that they start from.
struct Plane {
  std::vector<double> centre{};
  std::array<std::vector<double>, 2> axes{};

  [[nodiscard]] std::array<double, 2> operator()(std::span<const double> row) const;
};

/// The first two principal directions of the rows of x and y together, each row counted by its direction from
/// the coordinate-wise median and not by its distance (spatial signs): an outlier weighs no more than any
/// other row. From at most 1000 rows of each sample, spread evenly. Needs at least 2 columns.
Plane robust_plane(PointsView x, PointsView y);

}  // namespace motmot
