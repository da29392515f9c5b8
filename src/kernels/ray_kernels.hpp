/// Nearest columns at given prices in the plane: the smallest |q - y_j| + price_j by a walk through a tree of
/// boxes. A box knows a plane below its prices: a + g . (y - c) <= price_y for all its points y. Since
/// |y - q| >= t . (y - q) for every unit vector t, the direction t from q to the centre c gives
///
///   |y - q| + price_y >= |c - q| + a - |(t + g) . along| - |(t + g) . across|
///
/// where along and across are the half axes of the box, turned as the points lie. Prices of transport fall
/// along its rays with slope one, so t + g is small and the bound is sharp in a box that follows the rays.
#pragma once

#include <cstddef>
#include <cstdint>

namespace motmot::kernels {

/// Children of a node.
inline constexpr std::size_t ray_children = 16;
/// Columns of a leaf.
inline constexpr std::size_t ray_leaf = 8;

/// The children of a node, side by side, in float32: `a` is low enough to make up for the rounding of all
/// that does not depend on the row. A child without columns in play has a = infinity.
struct RayBlock {
  float cx[ray_children], cy[ray_children];            ///< centres
  float along_x[ray_children], along_y[ray_children];  ///< half axes
  float across_x[ray_children], across_y[ray_children];
  float gx[ray_children], gy[ray_children], a[ray_children];  ///< the plane below the prices
};

/// Level 0 has a block for every 16 leaves, level l + 1 one for every 16 blocks of level l, the last level
/// one block. A place without a column has price infinity, and so has a column that is out of play.
struct RayView {
  static constexpr std::size_t most_levels = 8;
  const RayBlock* level[most_levels];
  std::size_t levels, leaves;
  const double *x, *y, *price;  ///< of leaves x ray_leaf places
};

struct RayTwo {
  double first, second;
  std::uint32_t at, next;  ///< places
};

struct RayOne {
  double value;
  std::uint32_t at;
};

/// What was found below a bound: the nearest, in no order.
struct RayFound {
  std::size_t count;
  double horizon;  ///< every column that was not found is at least here, up to rounding
};

/// No place.
inline constexpr std::uint32_t ray_nowhere = 0xffffffff;
/// Most places that RayKernels::collect returns; its buffers have twice the room.
inline constexpr std::size_t ray_list = 24;

struct RayKernels {
  /// The two smallest |q - y| + price up to `tolerance`: first and second are attained, and no column but
  /// `at` is below second - tolerance. A negative tolerance makes up for rounding. `hint`: a place near the
  /// best, or ray_nowhere.
  RayTwo (*two_smallest)(const RayView& tree, double qx, double qy, double tolerance,
                         std::uint32_t hint) noexcept;
  /// The smallest alone: no column is below value - tolerance.
  RayOne (*smallest)(const RayView& tree, double qx, double qy, double tolerance,
                     std::uint32_t hint) noexcept;
  /// Up to ray_list places with value <= bound and their distances; the smallest values if there are more.
  RayFound (*collect)(const RayView& tree, double qx, double qy, double bound, std::uint32_t* place,
                      double* distance) noexcept;
};

/// What this processor runs best; the scalar twin when the environment says MOTMOT_ISA=scalar.
const RayKernels& ray_kernels() noexcept;
/// The definition: looks at every place, whatever the tolerance.
const RayKernels& scalar_ray_kernels() noexcept;

}  // namespace motmot::kernels
