// The vector version of every kernel, compiled once per target.
#include <cstdlib>
#include <string_view>

#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A cap of 16 lanes keeps tile_rows a multiple of every panel below on targets with longer vectors.
using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

// Register tile: `panel` vectors of rows by `group` outputs. 3 x 4 accumulators, 3 inputs and one
// broadcast weight fill the 16 registers of AVX2; 7 loads feed 12 multiply-adds, so the multiply-adds
// are the limit and not the loads. Targets with 32 registers take twice the outputs.
constexpr std::size_t panel = 3;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
constexpr std::size_t wide_group = 8;
#else
constexpr std::size_t wide_group = 4;
#endif

HWY_INLINE V activated(V sum, const Dense& k, std::size_t o, std::size_t r) {
  const D d;
  switch (k.activation) {
    case Activation::none:
    case Activation::max_min:
    case Activation::max_min_back:
      return sum;
    case Activation::relu:
      return hn::Max(sum, hn::Zero(d));
    case Activation::relu_mask:
      return hn::IfThenElseZero(hn::Gt(hn::LoadU(d, k.mask + o * k.out_ld + r), hn::Zero(d)), sum);
  }
  return sum;
}

/// Outputs o and o + 1, o even, of one vector of rows: sorted, or put back into the order they had.
HWY_INLINE void reorder_pair(V& even, V& odd, const Dense& k, std::size_t o, std::size_t r) {
  const D d;
  const V first = even;
  if (k.activation == Activation::max_min) {
    if (k.order != nullptr) hn::StoreU(hn::Sub(even, odd), d, k.order + o / 2 * k.out_ld + r);
    even = hn::Max(first, odd);
    odd = hn::Min(first, odd);
  } else {
    const auto swapped = hn::Lt(hn::LoadU(d, k.mask + o / 2 * k.out_ld + r), hn::Zero(d));
    even = hn::IfThenElse(swapped, odd, first);
    odd = hn::IfThenElse(swapped, first, odd);
  }
}

template <std::size_t group>
HWY_INLINE void dense_group(const Dense& k, std::size_t o, std::size_t r) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[group][panel];
  for (std::size_t g = 0; g < group; ++g) {
    const V start = k.bias == nullptr ? hn::Zero(d) : hn::Set(d, k.bias[o + g]);
    for (std::size_t p = 0; p < panel; ++p) sum[g][p] = start;
  }
  const float* HWY_RESTRICT in = k.in + r;
  const float* HWY_RESTRICT w = k.w + o * k.w_out;
  for (std::size_t i = 0; i < k.inputs; ++i, in += k.in_ld, w += k.w_in) {
    V x[panel];
    for (std::size_t p = 0; p < panel; ++p) x[p] = hn::LoadU(d, in + p * lanes);
    for (std::size_t g = 0; g < group; ++g) {
      const V weight = hn::Set(d, w[g * k.w_out]);
      for (std::size_t p = 0; p < panel; ++p) sum[g][p] = hn::MulAdd(weight, x[p], sum[g][p]);
    }
  }
  if (k.activation >= Activation::max_min)
    for (std::size_t g = 0; g + 1 < group; g += 2)
      for (std::size_t p = 0; p < panel; ++p) reorder_pair(sum[g][p], sum[g + 1][p], k, o + g, r + p * lanes);
  for (std::size_t g = 0; g < group; ++g)
    for (std::size_t p = 0; p < panel; ++p)
      hn::StoreU(activated(sum[g][p], k, o + g, r + p * lanes), d,
                 k.out + (o + g) * k.out_ld + r + p * lanes);
}

void dense(const Dense& k) noexcept {
  const std::size_t step = panel * hn::Lanes(D());
  for (std::size_t r = 0; r < tile_rows; r += step) {
    std::size_t o = 0;
    for (; o + wide_group <= k.outputs; o += wide_group) dense_group<wide_group>(k, o, r);
    for (; o + 2 <= k.outputs; o += 2) dense_group<2>(k, o, r);  // a pair stays in one group
    for (; o < k.outputs; ++o) dense_group<1>(k, o, r);
  }
}

template <std::size_t group, std::size_t vectors>
HWY_INLINE void outer_group(const Outer& k, std::size_t o, std::size_t i) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[group][vectors];
  for (std::size_t g = 0; g < group; ++g)
    for (std::size_t v = 0; v < vectors; ++v) sum[g][v] = hn::Zero(d);
  for (std::size_t r = 0; r < k.rows; ++r) {
    V x[vectors];
    for (std::size_t v = 0; v < vectors; ++v) x[v] = hn::LoadU(d, k.in + r * k.inputs + i + v * lanes);
    for (std::size_t g = 0; g < group; ++g) {
      const V delta = hn::Set(d, k.delta[r * k.outputs + o + g]);
      for (std::size_t v = 0; v < vectors; ++v) sum[g][v] = hn::MulAdd(delta, x[v], sum[g][v]);
    }
  }
  for (std::size_t g = 0; g < group; ++g) {
    for (std::size_t v = 0; v < vectors; ++v) {
      float* w = k.w + (o + g) * k.inputs + i + v * lanes;
      hn::StoreU(hn::Add(hn::LoadU(d, w), sum[g][v]), d, w);
    }
  }
}

/// `group` outputs by all whole vectors of inputs.
template <std::size_t group>
HWY_INLINE void outer_rows(const Outer& k, std::size_t o, std::size_t whole) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + panel * lanes <= whole; i += panel * lanes) outer_group<group, panel>(k, o, i);
  for (; i < whole; i += lanes) outer_group<group, 1>(k, o, i);
}

/// Sums over rows of delta times one number a row, for outputs o .. o + count <= lanes: input i, or the
/// bias when there is no input. Outputs are in the lanes here, since the inputs left over fill none.
HWY_INLINE void outer_column(const Outer& k, std::size_t o, std::size_t count, const float* in, float* to,
                             std::size_t to_step) {
  const D d;
  V sum = hn::Zero(d);
  alignas(64) float part[16] = {};
  for (std::size_t r = 0; r < k.rows; ++r) {
    const float* delta = k.delta + r * k.outputs + o;
    if (count < hn::Lanes(d)) {
      for (std::size_t g = 0; g < count; ++g) part[g] = delta[g];
      delta = part;
    }
    sum = hn::MulAdd(hn::Set(d, in == nullptr ? 1.0f : in[r * k.inputs]), hn::LoadU(d, delta), sum);
  }
  hn::StoreU(sum, d, part);
  for (std::size_t g = 0; g < count; ++g) to[g * to_step] += part[g];
}

void outer(const Outer& k) noexcept {
  const std::size_t lanes = hn::Lanes(D());
  const std::size_t whole = k.inputs / lanes * lanes;
  std::size_t o = 0;
  for (; o + wide_group <= k.outputs; o += wide_group) outer_rows<wide_group>(k, o, whole);
  for (; o < k.outputs; ++o) outer_rows<1>(k, o, whole);
  for (o = 0; o < k.outputs; o += lanes) {
    const std::size_t count = HWY_MIN(lanes, k.outputs - o);
    for (std::size_t i = whole; i < k.inputs; ++i)
      outer_column(k, o, count, k.in + i, k.w + o * k.inputs + i, k.inputs);
    outer_column(k, o, count, nullptr, k.bias + o, 1);
  }
}

// Products and sums are kept apart, as in the definition, so that the bits are the definition's.
HWY_INLINE std::size_t rmsprop_whole(const RmsPropStep& k) {
  const D d;
  const V rate = hn::Set(d, k.rate);
  const V alpha = hn::Set(d, k.alpha);
  const V rest = hn::Set(d, 1 - k.alpha);
  const V eps = hn::Set(d, k.eps);
  const V clip = hn::Set(d, k.clip);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= k.size; i += hn::Lanes(d)) {
    const V g = hn::LoadU(d, k.g + i);
    const V s = hn::Add(hn::Mul(alpha, hn::LoadU(d, k.s + i)), hn::Mul(rest, hn::Mul(g, g)));
    hn::StoreU(s, d, k.s + i);
    const V step = hn::Div(hn::Mul(rate, g), hn::Add(hn::Sqrt(s), eps));
    const V w = hn::Add(hn::LoadU(d, k.w + i), step);
    hn::StoreU(hn::Min(hn::Max(w, hn::Neg(clip)), clip), d, k.w + i);
  }
  return i;
}

void rmsprop(const RmsPropStep& k) noexcept {
  const std::size_t done = rmsprop_whole(k);
  RmsPropStep rest = k;
  rest.w += done;
  rest.s += done;
  rest.g += done;
  rest.size -= done;
  scalar_table.rmsprop(rest);
}

Table make_table() { return {hwy::TargetName(HWY_TARGET), dense, outer, rmsprop}; }

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {
namespace {

HWY_EXPORT(make_table);

}  // namespace

bool scalar_forced() noexcept {
  const char* forced = std::getenv("MOTMOT_ISA");
  return forced != nullptr && std::string_view(forced) == "scalar";
}

const char* best_target() noexcept { return HWY_DYNAMIC_DISPATCH(make_table)().name; }

const Table& table() noexcept {
  static const Table chosen = scalar_forced() ? scalar_table : HWY_DYNAMIC_DISPATCH(make_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
