/// Whether points lie on lines or close to lines, as rows of tables do: one number beside flags, one column
/// that is nearly all of the distance. Along a line most ways to move mass cost the same, which suits other
/// methods than points in general position do.
#pragma once

#include "costs/geometry.hpp"

namespace motmot::solver {

/// How the columns' points lie around some of them, up to the nearest thirty-second part of all.
struct Surroundings {
  double dimension;  ///< 1 on lines, 2 in a plane: by how fast neighbours become more with the distance
  double thickness;  ///< how far neighbours are off a line, over how far they are along it: lower quartile
};

Surroundings surroundings(const Geometry& geometry);

}  // namespace motmot::solver
