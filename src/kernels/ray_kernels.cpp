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
  float bound_[ray_children * RayView<2>::most_levels];
  std::uint32_t node_[ray_children * RayView<2>::most_levels];
};

/// The sum of products of coordinates.
template <std::size_t D, class V>
HWY_INLINE V dot(const V (&p)[D], const V (&q)[D]) {
  V sum = hn::Mul(p[D - 1], q[D - 1]);
  for (std::size_t t = D - 1; t-- > 0;) sum = hn::MulAdd(p[t], q[t], sum);
  return sum;
}

/// Bounds of the children of a block; returns which are below `limit`, bit by bit.
template <std::size_t D>
HWY_INLINE std::uint32_t child_bounds(const RayBlock<D>& block, const float* q, float limit, float* out) {
  const Floats f;
  std::uint32_t below = 0;
  for (std::size_t k = 0; k < ray_children; k += hn::Lanes(f)) {
    hn::Vec<Floats> away[D];
    hn::Vec<Floats> steep[D];
    hn::Vec<Floats> half[D];
    for (std::size_t t = 0; t < D; ++t)
      away[t] = hn::Sub(hn::LoadU(f, block.centre[t] + k), hn::Set(f, q[t]));
    const auto length = hn::Sqrt(dot(away, away));
    const auto inverse = hn::Div(hn::Set(f, 1.0f), hn::Max(length, hn::Set(f, tiny)));
    for (std::size_t t = 0; t < D; ++t)
      steep[t] = hn::MulAdd(away[t], inverse, hn::LoadU(f, block.slope[t] + k));
    auto loss = hn::Zero(f);
    for (std::size_t axis = 0; axis < D; ++axis) {
      for (std::size_t t = 0; t < D; ++t) half[t] = hn::LoadU(f, block.half[axis][t] + k);
      loss = hn::Add(loss, hn::Abs(dot(steep, half)));
    }
    const auto bound =
        hn::Sub(hn::MulAdd(length, hn::Set(f, 1 - distance_error), hn::LoadU(f, block.a + k)), loss);
    hn::StoreU(bound, f, out + k);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(f, hn::Lt(bound, hn::Set(f, limit)), bits);
    below |= (bits[0] | static_cast<std::uint32_t>(bits[1]) << 8) << k;
  }
  return below;
}

template <std::size_t D>
HWY_INLINE Vector distances(const RayView<D>& tree, const RayPoint<D>& q, std::size_t k) {
  const Doubles f;
  Vector away[D];
  for (std::size_t t = 0; t < D; ++t) away[t] = hn::Sub(hn::LoadU(f, tree.at[t] + k), hn::Set(f, q[t]));
  return hn::Sqrt(dot(away, away));
}

/// Calls visit(leaf) for every leaf whose bound is below limit(), which may fall on the way.
template <std::size_t D, class Limit, class Visit>
HWY_INLINE void walk(const RayView<D>& tree, const RayPoint<D>& q, Limit limit, Visit visit) {
  float at[D];
  double size = 0;
  for (std::size_t t = 0; t < D; ++t) {
    at[t] = static_cast<float>(q[t]);
    size += std::abs(q[t]);
  }
  const double slack = row_error * size;
  const auto float_limit = [&] HWY_ATTR {
    const double value = limit() + slack;
    return static_cast<float>(value + 1e-7 * std::abs(value));
  };
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
    std::uint32_t below = child_bounds(tree.level[level - 1][index], at, float_limit(), bound);
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

template <bool both, std::size_t D>
HWY_INLINE RayTwo smallest_of(const RayView<D>& tree, const RayPoint<D>& q, double tolerance, RayTwo known) {
  const Doubles f;
  const std::size_t lanes = hn::Lanes(f);
  RayTwo best = known.first < infinite ? known : ray_near(ray_nowhere);
  const auto look = [&](std::size_t leaf) HWY_ATTR {
    for (std::size_t k = leaf * ray_leaf; k < (leaf + 1) * ray_leaf; k += lanes) {
      const auto value = hn::Add(distances(tree, q, k), hn::LoadU(f, tree.price + k));
      if (hn::AllFalse(f, hn::Lt(value, hn::Set(f, both ? best.second : best.first)))) continue;
      double values[ray_leaf];
      hn::StoreU(value, f, values);
      for (std::size_t t = 0; t < lanes; ++t) {
        const auto place = static_cast<std::uint32_t>(k + t);
        if (place == known.at || place == known.next) {
          if (known.first < infinite) continue;
        }
        if (values[t] < best.first) best = {values[t], best.first, place, best.at};
        else if (values[t] < best.second) best.second = values[t], best.next = place;
      }
    }
  };
  std::size_t seen = tree.leaves;
  if (known.at != ray_nowhere) look(seen = known.at / ray_leaf);
  walk(
      tree, q, [&] HWY_ATTR { return (both ? best.second : best.first) - tolerance; },
      [&](std::uint32_t leaf) HWY_ATTR {
        if (leaf != seen) look(leaf);
      });
  return best;
}

template <std::size_t D>
RayTwo two_smallest(const RayView<D>& tree, const RayPoint<D>& q, double tolerance, RayTwo known) noexcept {
  return smallest_of<true>(tree, q, tolerance, known);
}

template <std::size_t D>
RayOne smallest(const RayView<D>& tree, const RayPoint<D>& q, double tolerance, RayTwo known) noexcept {
  const RayTwo best = smallest_of<false>(tree, q, tolerance, known);
  return {best.first, best.at};
}

/// The nearest so far, with the bound that they set.
class Nearest {
 public:
  Nearest(double bound, std::uint32_t* place, double* distance)
      : bound_(bound), place_(place), distance_(distance) {}

  double bound() const { return bound_; }
  std::size_t count() const { return count_; }
  void add(std::uint32_t place, double distance, double value) {
    place_[count_] = place;
    distance_[count_] = distance;
    value_[count_++] = value;
    if (count_ == 2 * ray_list) thin();
  }
  /// Down to ray_list, the smallest.
  void thin() {
    if (count_ <= ray_list) return;
    for (std::size_t k = 1; k < count_; ++k) {
      const std::uint32_t place = place_[k];
      const double distance = distance_[k];
      const double value = value_[k];
      std::size_t to = k;
      for (; to > 0 && value_[to - 1] > value; --to) {
        place_[to] = place_[to - 1];
        distance_[to] = distance_[to - 1];
        value_[to] = value_[to - 1];
      }
      place_[to] = place;
      distance_[to] = distance;
      value_[to] = value;
    }
    bound_ = std::min(bound_, value_[ray_list]);
    count_ = ray_list;
  }

 private:
  double bound_;
  std::size_t count_ = 0;
  std::uint32_t* place_;
  double* distance_;
  double value_[2 * ray_list];
};

template <std::size_t D>
RayFound collect(const RayView<D>& tree, const RayPoint<D>& q, double bound, std::uint32_t* place,
                 double* distance) noexcept {
  const Doubles f;
  const std::size_t lanes = hn::Lanes(f);
  Nearest nearest(bound, place, distance);
  walk(
      tree, q, [&] HWY_ATTR { return nearest.bound(); },
      [&](std::size_t leaf) HWY_ATTR {
        for (std::size_t k = leaf * ray_leaf; k < (leaf + 1) * ray_leaf; k += lanes) {
          const auto length = distances(tree, q, k);
          const auto value = hn::Add(length, hn::LoadU(f, tree.price + k));
          if (hn::AllFalse(f, hn::Le(value, hn::Set(f, nearest.bound())))) continue;
          double lengths[ray_leaf];
          double values[ray_leaf];
          hn::StoreU(length, f, lengths);
          hn::StoreU(value, f, values);
          for (std::size_t t = 0; t < lanes; ++t)
            if (values[t] <= nearest.bound() && values[t] < infinite)
              nearest.add(static_cast<std::uint32_t>(k + t), lengths[t], values[t]);
        }
      });
  nearest.thin();
  return {nearest.count(), nearest.bound()};
}

const RayKernels<2>& plane_table() {
  static constexpr RayKernels<2> all{two_smallest<2>, smallest<2>, collect<2>};
  return all;
}

const RayKernels<3>& space_table() {
  static constexpr RayKernels<3> all{two_smallest<3>, smallest<3>, collect<3>};
  return all;
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {

HWY_EXPORT(plane_table);
HWY_EXPORT(space_table);

template <>
const RayKernels<2>& ray_kernels<2>() noexcept {
  static const RayKernels<2>& chosen =
      scalar_forced() ? scalar_ray_kernels<2>() : HWY_DYNAMIC_DISPATCH(plane_table)();
  return chosen;
}

template <>
const RayKernels<3>& ray_kernels<3>() noexcept {
  static const RayKernels<3>& chosen =
      scalar_forced() ? scalar_ray_kernels<3>() : HWY_DYNAMIC_DISPATCH(space_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
