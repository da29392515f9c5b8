/// Nearest columns at given prices in two or three dimensions: the smallest |q - y_j| + price_j by a walk
/// through a tree of boxes. A box knows a plane below its prices: a + g . (y - c) <= price_y for all its
/// points y. Since |y - q| >= t . (y - q) for every unit vector t, the direction t from q to the centre c
/// gives
///
///   |y - q| + price_y >= |c - q| + a - sum_k |(t + g) . h_k|
///
/// where the h_k are the half axes of the box, turned as the points lie. Prices of transport fall along its
/// rays with slope one, so t + g is small and the bound is sharp in a box that follows the rays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace motmot::kernels {

/// Children of a node.
inline constexpr std::size_t ray_children = 16;
/// Columns of a leaf.
inline constexpr std::size_t ray_leaf = 8;

template <std::size_t D>
using RayPoint = std::array<double, D>;

/// The children of a node, side by side, in float32: `a` is low enough to make up for the rounding of all
/// that does not depend on the row. A child without columns in play has a = infinity.
template <std::size_t D>
struct RayBlock {
  float centre[D][ray_children];
  float half[D][D][ray_children];                 ///< half axes, coordinate by coordinate
  float slope[D][ray_children], a[ray_children];  ///< the plane below the prices
};

/// Level 0 has a block for every 16 leaves, level l + 1 one for every 16 blocks of level l, the last level
/// one block. A place without a column has price infinity, and so has a column that is out of play.
template <std::size_t D>
struct RayView {
  static constexpr std::size_t most_levels = 8;
  const RayBlock<D>* level[most_levels];
  std::size_t levels, leaves;
  const double *at[D], *price;  ///< of leaves x ray_leaf places
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
/// A search begins at this place, or anywhere.
constexpr RayTwo ray_near(std::uint32_t place) noexcept {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return {infinite, infinite, place, ray_nowhere};
}
/// Most places that RayKernels::collect returns; its buffers have twice the room.
inline constexpr std::size_t ray_list = 24;

template <std::size_t D>
struct RayKernels {
  using Tree = RayView<D>;
  using Point = RayPoint<D>;
  /// The two smallest |q - y| + price up to `tolerance`: first and second are attained, and no column but
  /// `at` is below second - tolerance. A negative tolerance makes up for rounding. `known`: two columns with
  /// their values, to begin with, or one near the best without (ray_near()).
  RayTwo (*two_smallest)(const Tree& tree, const Point& q, double tolerance, RayTwo known) noexcept;
  /// The smallest alone: no column is below value - tolerance.
  RayOne (*smallest)(const Tree& tree, const Point& q, double tolerance, RayTwo known) noexcept;
  /// Up to ray_list places with value <= bound and their distances; the smallest values if there are more.
  RayFound (*collect)(const Tree& tree, const Point& q, double bound, std::uint32_t* place,
                      double* distance) noexcept;
};

/// What this processor runs best; the scalar twin when the environment says MOTMOT_ISA=scalar.
template <std::size_t D>
const RayKernels<D>& ray_kernels() noexcept;
template <>
const RayKernels<2>& ray_kernels<2>() noexcept;
template <>
const RayKernels<3>& ray_kernels<3>() noexcept;
/// The definition: looks at every place, whatever the tolerance.
template <std::size_t D>
const RayKernels<D>& scalar_ray_kernels() noexcept;

}  // namespace motmot::kernels
