// The min-plus kernels, written once and compiled for every vector set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/min_plus_kernels.cpp"  // NOLINT
#include "kernels/min_plus_kernels.hpp"

#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 8>;  // four vectors make one step of min_plus_pad
using Doubles = hn::CappedTag<double, 8>;

/// The first place in [first, last) that holds `value`.
std::uint32_t place_of(const float* cost, const float* g, std::size_t first, std::size_t last, float value) {
  std::size_t j = first;
  while (j + 1 < last && cost[j] - g[j] != value) ++j;
  return static_cast<std::uint32_t>(j);
}

// Minima of chunks first; the place is looked up in the first chunk that holds the smallest. Keeping the
// place in the loop would double its work.
MinAt min_plus(const float* cost, const float* g, std::size_t count) noexcept {
  constexpr std::size_t chunk = 4 * min_plus_pad;
  const Floats f;
  const std::size_t lanes = hn::Lanes(f);
  MinAt best{no_anchor, 0};
  std::size_t best_first = 0, best_last = 0;
  for (std::size_t first = 0; first < count; first += chunk) {
    const std::size_t last = std::min(count, first + chunk);
    auto m0 = hn::Set(f, no_anchor);
    auto m1 = m0;
    for (std::size_t j = first; j < last; j += 2 * lanes) {
      m0 = hn::Min(m0, hn::Sub(hn::LoadU(f, cost + j), hn::LoadU(f, g + j)));
      m1 = hn::Min(m1, hn::Sub(hn::LoadU(f, cost + j + lanes), hn::LoadU(f, g + j + lanes)));
    }
    const float value = hn::GetLane(hn::MinOfLanes(f, hn::Min(m0, m1)));
    if (value < best.value) {
      best.value = value;
      best_first = first;
      best_last = last;
    }
  }
  if (best_first < best_last) best.at = place_of(cost, g, best_first, best_last, best.value);
  return best;
}

void lower(const float* cost, float phi, std::size_t count, float* best) noexcept {
  const Floats f;
  const auto subtracted = hn::Set(f, phi);
  for (std::size_t j = 0; j < count; j += hn::Lanes(f))
    hn::StoreU(hn::Min(hn::LoadU(f, best + j), hn::Sub(hn::LoadU(f, cost + j), subtracted)), f, best + j);
}

// `rows` rows at a time share the loads of the anchors and hide the latency of the square roots.
template <std::size_t rows>
HWY_INLINE void scan_rows(const DistanceScan& scan, std::size_t first) {
  const Doubles f;
  using V = hn::Vec<Doubles>;
  V best[rows];
  for (std::size_t r = 0; r < rows; ++r) best[r] = hn::Set(f, no_anchor_double);
  const double* HWY_RESTRICT x = scan.rows + first * scan.d;
  for (std::size_t j = 0; j < scan.stride; j += hn::Lanes(f)) {
    V sum[rows];
    for (std::size_t r = 0; r < rows; ++r) sum[r] = hn::Zero(f);
    const double* HWY_RESTRICT y = scan.anchors + j;
    for (std::size_t k = 0; k < scan.d; ++k, y += scan.stride) {
      const V anchor = hn::LoadU(f, y);
      for (std::size_t r = 0; r < rows; ++r) {
        const V diff = hn::Sub(hn::Set(f, x[r * scan.d + k]), anchor);
        sum[r] = hn::MulAdd(diff, diff, sum[r]);
      }
    }
    const V offset = hn::LoadU(f, scan.offset + j);
    for (std::size_t r = 0; r < rows; ++r) best[r] = hn::Min(best[r], hn::Add(hn::Sqrt(sum[r]), offset));
  }
  for (std::size_t r = 0; r < rows; ++r) scan.out[first + r] = hn::GetLane(hn::MinOfLanes(f, best[r]));
}

void scan(const DistanceScan& scan) noexcept {
  std::size_t r = 0;
  for (; r + 4 <= scan.count; r += 4) scan_rows<4>(scan, r);
  for (; r < scan.count; ++r) scan_rows<1>(scan, r);
}

const MinPlusKernels& min_plus_table() {
  static constexpr MinPlusKernels all{min_plus, lower, scan};
  return all;
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {

HWY_EXPORT(min_plus_table);

const MinPlusKernels& min_plus_kernels() noexcept {
  static const MinPlusKernels& chosen =
      scalar_forced() ? scalar_min_plus_kernels() : HWY_DYNAMIC_DISPATCH(min_plus_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
