// The kernels of the search for neighbours, written once and compiled for every vector set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/neighbour_kernels.cpp"  // NOLINT
#include "kernels/neighbour_kernels.hpp"

#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include "kernels/keep-inl.hpp"
#include "kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;

// `rows` points at a time share the loads of a block; two vectors of each hide the latency of the sums.
template <std::size_t rows>
HWY_INLINE void distances_of(const BlockDistances& task, std::size_t first, const double* HWY_RESTRICT block,
                             double* HWY_RESTRICT out) {
  const Doubles f;
  using V = hn::Vec<Doubles>;
  const std::size_t lanes = hn::Lanes(f);
  const double* HWY_RESTRICT x = task.points + first * task.d;
  for (std::size_t j = 0; j < neighbour_block; j += 2 * lanes) {
    V even[rows];
    V odd[rows];
    for (std::size_t r = 0; r < rows; ++r) even[r] = odd[r] = hn::Zero(f);
    const double* HWY_RESTRICT y = block + j;
    for (std::size_t k = 0; k < task.d; ++k, y += neighbour_block) {
      const V y_even = hn::LoadU(f, y);
      const V y_odd = hn::LoadU(f, y + lanes);
      for (std::size_t r = 0; r < rows; ++r) {
        const V at = hn::Set(f, x[r * task.d + k]);
        const V d_even = hn::Sub(at, y_even);
        const V d_odd = hn::Sub(at, y_odd);
        even[r] = hn::Add(even[r], hn::Mul(d_even, d_even));  // not fused: the bits of the scalar twin
        odd[r] = hn::Add(odd[r], hn::Mul(d_odd, d_odd));
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      hn::StoreU(even[r], f, out + r * task.stride + j);
      hn::StoreU(odd[r], f, out + r * task.stride + j + lanes);
    }
  }
}

void block_distances(const BlockDistances& task) noexcept {
  for (std::size_t l = 0; l < task.listed; ++l) {
    const double* block = task.blocks + task.list[l] * task.d * neighbour_block;
    double* out = task.out + l * neighbour_block;
    std::size_t r = 0;
    for (; r + 4 <= task.count; r += 4) distances_of<4>(task, r, block, out + r * task.stride);
    for (; r < task.count; ++r) distances_of<1>(task, r, block, out + r * task.stride);
  }
}

Sifted sift(const double* values, std::size_t count, double low, double high, double* out) noexcept {
  const Doubles f;
  const auto from = hn::Set(f, low);
  const auto to = hn::Set(f, high);
  Sifted sifted{0, 0};
  for (std::size_t i = 0; i < count; i += hn::Lanes(f)) {
    const auto value = hn::LoadU(f, values + i);
    const auto below = hn::Lt(value, from);
    sifted.below += hn::CountTrue(f, below);
    // Never past the end of `out`: at most i values are kept before this step.
    const std::uint32_t within = bits_of(f, hn::AndNot(below, hn::Le(value, to)));
    sifted.kept += keep_doubles(f, value, within, out + sifted.kept);
  }
  return sifted;
}

const NeighbourKernels& neighbour_table() {
  static constexpr NeighbourKernels all{block_distances, sift};
  return all;
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {

HWY_EXPORT(neighbour_table);

const NeighbourKernels& neighbour_kernels() noexcept {
  static const NeighbourKernels& chosen =
      scalar_forced() ? scalar_neighbour_kernels() : HWY_DYNAMIC_DISPATCH(neighbour_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
