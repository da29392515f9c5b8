#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/ray_kernels.hpp"

namespace motmot::kernels {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

template <std::size_t D>
double distance(const RayView<D>& tree, const RayPoint<D>& q, std::size_t k) noexcept {
  double sum = 0;
  for (std::size_t t = 0; t < D; ++t) sum += (tree.at[t][k] - q[t]) * (tree.at[t][k] - q[t]);
  return std::sqrt(sum);
}

template <std::size_t D>
RayTwo two_smallest(const RayView<D>& tree, const RayPoint<D>& q, double /*tolerance*/,
                    RayTwo /*known*/) noexcept {
  RayTwo best{infinite, infinite, ray_nowhere, ray_nowhere};
  for (std::size_t k = 0; k < tree.leaves * ray_leaf; ++k) {
    const double value = distance(tree, q, k) + tree.price[k];
    if (value < best.first) best = {value, best.first, static_cast<std::uint32_t>(k), best.at};
    else if (value < best.second) best.second = value, best.next = static_cast<std::uint32_t>(k);
  }
  return best;
}

template <std::size_t D>
RayOne smallest(const RayView<D>& tree, const RayPoint<D>& q, double tolerance, RayTwo known) noexcept {
  const RayTwo best = two_smallest(tree, q, tolerance, known);
  return {best.first, best.at};
}

template <std::size_t D>
RayFound collect(const RayView<D>& tree, const RayPoint<D>& q, double bound, std::uint32_t* place,
                 double* distances) noexcept {
  std::size_t count = 0;
  for (std::size_t k = 0; k < tree.leaves * ray_leaf; ++k) {
    const double length = distance(tree, q, k);
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

template <std::size_t D>
const RayKernels<D>& scalar_ray_kernels() noexcept {
  static constexpr RayKernels<D> all{two_smallest<D>, smallest<D>, collect<D>};
  return all;
}

template const RayKernels<2>& scalar_ray_kernels<2>() noexcept;
template const RayKernels<3>& scalar_ray_kernels<3>() noexcept;

}  // namespace motmot::kernels
