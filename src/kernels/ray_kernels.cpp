// The walks through a tree of turned boxes, written once and compiled for every vector set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ray_kernels.cpp"  // NOLINT
#include "kernels/ray_kernels.hpp"

#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, ray_children>;
using Doubles = hn::CappedTag<double, ray_leaf>;
using Vector = hn::Vec<Doubles>;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr float tiny = 1e-30f;
// The rounding of a row's coordinates, and of a distance, in float32: shares of their sizes.
constexpr double row_error = 4e-7;
constexpr float distance_error = 5e-7f;

/// Nodes that are still to be looked at, the most promising last.
class Waiting {
 public:
  bool empty() const { return count_ == 0; }
  float bound() const { return bound_[count_ - 1]; }
  std::uint32_t pop() { return node_[--count_]; }
  /// In order after those that were there at `base`.
  void insert(std::size_t base, std::uint32_t node, float bound) {
    std::size_t at = count_++;
    for (; at > base && bound_[at - 1] < bound; --at) {
      bound_[at] = bound_[at - 1];
      node_[at] = node_[at - 1];
    }
    bound_[at] = bound;
    node_[at] = node;
  }
  std::size_t size() const { return count_; }

 private:
  std::size_t count_ = 0;
  float bound_[ray_children * RayView::most_levels];
  std::uint32_t node_[ray_children * RayView::most_levels];
};

/// Bounds of the children of a block; returns which are below `limit`, bit by bit.
HWY_INLINE std::uint32_t child_bounds(const RayBlock& block, float qx, float qy, float limit, float* out) {
  const Floats f;
  std::uint32_t below = 0;
  for (std::size_t k = 0; k < ray_children; k += hn::Lanes(f)) {
    const auto dx = hn::Sub(hn::LoadU(f, block.cx + k), hn::Set(f, qx));
    const auto dy = hn::Sub(hn::LoadU(f, block.cy + k), hn::Set(f, qy));
    const auto away = hn::Sqrt(hn::MulAdd(dx, dx, hn::Mul(dy, dy)));
    const auto inverse = hn::Div(hn::Set(f, 1.0f), hn::Max(away, hn::Set(f, tiny)));
    const auto wx = hn::MulAdd(dx, inverse, hn::LoadU(f, block.gx + k));
    const auto wy = hn::MulAdd(dy, inverse, hn::LoadU(f, block.gy + k));
    const auto along =
        hn::MulAdd(wx, hn::LoadU(f, block.along_x + k), hn::Mul(wy, hn::LoadU(f, block.along_y + k)));
    const auto across =
        hn::MulAdd(wx, hn::LoadU(f, block.across_x + k), hn::Mul(wy, hn::LoadU(f, block.across_y + k)));
    const auto loss = hn::Add(hn::Abs(along), hn::Abs(across));
    const auto bound =
        hn::Sub(hn::MulAdd(away, hn::Set(f, 1 - distance_error), hn::LoadU(f, block.a + k)), loss);
    hn::StoreU(bound, f, out + k);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(f, hn::Lt(bound, hn::Set(f, limit)), bits);
    below |= (bits[0] | static_cast<std::uint32_t>(bits[1]) << 8) << k;
  }
  return below;
}

HWY_INLINE Vector distances(const RayView& tree, double qx, double qy, std::size_t k) {
  const Doubles f;
  const auto dx = hn::Sub(hn::LoadU(f, tree.x + k), hn::Set(f, qx));
  const auto dy = hn::Sub(hn::LoadU(f, tree.y + k), hn::Set(f, qy));
  return hn::Sqrt(hn::MulAdd(dx, dx, hn::Mul(dy, dy)));
}

/// Calls visit(leaf) for every leaf whose bound is below limit(), which may fall on the way.
template <class Limit, class Visit>
HWY_INLINE void walk(const RayView& tree, double qx, double qy, Limit limit, Visit visit) {
  const double slack = row_error * (std::abs(qx) + std::abs(qy));
  const auto float_limit = [&] HWY_ATTR {
    const double value = limit() + slack;
    return static_cast<float>(value + 1e-7 * std::abs(value));
  };
  const auto x = static_cast<float>(qx);
  const auto y = static_cast<float>(qy);
  constexpr std::uint32_t level_bits = 28;
  Waiting waiting;
  waiting.insert(0, static_cast<std::uint32_t>(tree.levels) << level_bits,
                 -std::numeric_limits<float>::max());
  float bound[ray_children];
  while (!waiting.empty()) {
    const bool matters = waiting.bound() < float_limit();
    const std::uint32_t node = waiting.pop();
    if (!matters) continue;
    const std::uint32_t level = node >> level_bits;
    const std::uint32_t index = node & ((1u << level_bits) - 1);
    std::uint32_t below = child_bounds(tree.level[level - 1][index], x, y, float_limit(), bound);
    if (level == 1) {
      for (; below != 0; below &= below - 1) {
        const auto k = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(below));
        if (bound[k] < float_limit()) visit(static_cast<std::uint32_t>(index * ray_children + k));
      }
      continue;
    }
    const std::size_t base = waiting.size();
    for (; below != 0; below &= below - 1) {
      const auto k = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(below));
      waiting.insert(base, ((level - 1) << level_bits) | (index * ray_children + k), bound[k]);
    }
  }
}

template <bool both>
HWY_INLINE RayTwo smallest_of(const RayView& tree, double qx, double qy, double tolerance,
                              std::uint32_t hint) {
  const Doubles f;
  const std::size_t lanes = hn::Lanes(f);
  RayTwo best{infinite, infinite, ray_nowhere, ray_nowhere};
  const auto look = [&](std::size_t leaf) HWY_ATTR {
    for (std::size_t k = leaf * ray_leaf; k < (leaf + 1) * ray_leaf; k += lanes) {
      const auto value = hn::Add(distances(tree, qx, qy, k), hn::LoadU(f, tree.price + k));
      if (hn::AllFalse(f, hn::Lt(value, hn::Set(f, both ? best.second : best.first)))) continue;
      double values[ray_leaf];
      hn::StoreU(value, f, values);
      for (std::size_t t = 0; t < lanes; ++t) {
        const auto place = static_cast<std::uint32_t>(k + t);
        if (values[t] < best.first) best = {values[t], best.first, place, best.at};
        else if (values[t] < best.second) best.second = values[t], best.next = place;
      }
    }
  };
  std::size_t seen = tree.leaves;
  if (hint != ray_nowhere) look(seen = hint / ray_leaf);
  walk(
      tree, qx, qy, [&] HWY_ATTR { return (both ? best.second : best.first) - tolerance; },
      [&](std::uint32_t leaf) HWY_ATTR {
        if (leaf != seen) look(leaf);
      });
  return best;
}

RayTwo two_smallest(const RayView& tree, double qx, double qy, double tolerance,
                    std::uint32_t hint) noexcept {
  return smallest_of<true>(tree, qx, qy, tolerance, hint);
}

RayOne smallest(const RayView& tree, double qx, double qy, double tolerance, std::uint32_t hint) noexcept {
  const RayTwo best = smallest_of<false>(tree, qx, qy, tolerance, hint);
  return {best.first, best.at};
}

/// Places and distances of the nearest so far, with the bound that they set.
struct Nearest {
  const RayView& tree;
  double bound;
  std::uint32_t* place;
  double* distance;
  std::size_t count = 0;

  double value(std::size_t k) const { return distance[k] + tree.price[place[k]]; }
  void add(std::uint32_t at, double length) {
    place[count] = at;
    distance[count++] = length;
    if (count == 2 * ray_list) thin();
  }
  // Down to ray_list, the smallest, in order of size.
  void thin() {
    for (std::size_t k = 1; k < count; ++k) {
      const std::uint32_t at = place[k];
      const double length = distance[k];
      const double mine = value(k);
      std::size_t to = k;
      for (; to > 0 && value(to - 1) > mine; --to) {
        place[to] = place[to - 1];
        distance[to] = distance[to - 1];
      }
      place[to] = at;
      distance[to] = length;
    }
    if (count <= ray_list) return;
    bound = std::min(bound, value(ray_list));
    count = ray_list;
  }
};

RayFound collect(const RayView& tree, double qx, double qy, double bound, std::uint32_t* place,
                 double* distance) noexcept {
  const Doubles f;
  const std::size_t lanes = hn::Lanes(f);
  Nearest nearest{tree, bound, place, distance};
  walk(
      tree, qx, qy, [&] HWY_ATTR { return nearest.bound; },
      [&](std::size_t leaf) HWY_ATTR {
        for (std::size_t k = leaf * ray_leaf; k < (leaf + 1) * ray_leaf; k += lanes) {
          const auto length = distances(tree, qx, qy, k);
          const auto value = hn::Add(length, hn::LoadU(f, tree.price + k));
          if (hn::AllFalse(f, hn::Le(value, hn::Set(f, nearest.bound)))) continue;
          double lengths[ray_leaf];
          double values[ray_leaf];
          hn::StoreU(length, f, lengths);
          hn::StoreU(value, f, values);
          for (std::size_t t = 0; t < lanes; ++t)
            if (values[t] <= nearest.bound && values[t] < infinite)
              nearest.add(static_cast<std::uint32_t>(k + t), lengths[t]);
        }
      });
  if (nearest.count > ray_list) nearest.thin();
  return {nearest.count, nearest.bound};
}

const RayKernels& ray_table() {
  static constexpr RayKernels all{two_smallest, smallest, collect};
  return all;
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {

HWY_EXPORT(ray_table);

const RayKernels& ray_kernels() noexcept {
  static const RayKernels& chosen =
      scalar_forced() ? scalar_ray_kernels() : HWY_DYNAMIC_DISPATCH(ray_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
