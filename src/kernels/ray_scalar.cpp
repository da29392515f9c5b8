#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/ray_kernels.hpp"

namespace motmot::kernels {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double distance(const RayView& tree, double qx, double qy, std::size_t k) noexcept {
  const double dx = tree.x[k] - qx;
  const double dy = tree.y[k] - qy;
  return std::sqrt(dx * dx + dy * dy);
}

RayTwo two_smallest(const RayView& tree, double qx, double qy, double /*tolerance*/,
                    std::uint32_t /*hint*/) noexcept {
  RayTwo best{infinite, infinite, ray_nowhere, ray_nowhere};
  for (std::size_t k = 0; k < tree.leaves * ray_leaf; ++k) {
    const double value = distance(tree, qx, qy, k) + tree.price[k];
    if (value < best.first) best = {value, best.first, static_cast<std::uint32_t>(k), best.at};
    else if (value < best.second) best.second = value, best.next = static_cast<std::uint32_t>(k);
  }
  return best;
}

RayOne smallest(const RayView& tree, double qx, double qy, double tolerance, std::uint32_t hint) noexcept {
  const RayTwo best = two_smallest(tree, qx, qy, tolerance, hint);
  return {best.first, best.at};
}

RayFound collect(const RayView& tree, double qx, double qy, double bound, std::uint32_t* place,
                 double* distances) noexcept {
  std::size_t count = 0;
  for (std::size_t k = 0; k < tree.leaves * ray_leaf; ++k) {
    const double length = distance(tree, qx, qy, k);
    if (length + tree.price[k] > bound || !(tree.price[k] < infinite)) continue;
    if (count < ray_list) {
      place[count] = static_cast<std::uint32_t>(k);
      distances[count++] = length;
      continue;
    }
    // One too many: the largest goes, and is the new bound.
    std::size_t worst = 0;
    for (std::size_t t = 1; t < count; ++t)
      if (distances[t] + tree.price[place[t]] > distances[worst] + tree.price[place[worst]]) worst = t;
    const double top = distances[worst] + tree.price[place[worst]];
    bound = std::min(bound, std::max(top, length + tree.price[k]));
    if (length + tree.price[k] >= top) continue;
    place[worst] = static_cast<std::uint32_t>(k);
    distances[worst] = length;
  }
  return {count, bound};
}

}  // namespace

const RayKernels& scalar_ray_kernels() noexcept {
  static constexpr RayKernels all{two_smallest, smallest, collect};
  return all;
}

}  // namespace motmot::kernels
