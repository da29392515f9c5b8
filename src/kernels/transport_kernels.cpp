// The transport kernels, written once and compiled for every vector set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transport_kernels.cpp"  // NOLINT
#include "kernels/transport_kernels.hpp"

#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/keep-inl.hpp"
#include "kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sixteen lanes at most: the arrays are padded for that.
using Floats = hn::CappedTag<float, 16>;
using Eight = hn::CappedTag<float, 8>;
constexpr float none = std::numeric_limits<float>::max();

/// |x - y| - r - s for the columns from j on, as many as one vector holds.
HWY_INLINE hn::Vec<Floats> gauge_costs(const GaugeRow& row, std::size_t j) {
  const Floats f;
  auto sum = hn::Zero(f);
  for (std::size_t k = 0; k < row.d; ++k) {
    const auto diff = hn::Sub(hn::Set(f, row.x[k]), hn::LoadU(f, row.y + k * row.stride + j));
    sum = hn::MulAdd(diff, diff, sum);
  }
  return hn::Sub(hn::Sub(hn::Sqrt(sum), hn::Set(f, row.r)), hn::LoadU(f, row.s + j));
}

/// Squared distances of the columns from y on, coordinate after coordinate. Several vectors side by side hide
/// the latency of the sums.
template <class D, std::size_t side_by_side>
HWY_INLINE void sum_squares(D f, const hn::TFromD<D>* x, const hn::TFromD<D>* y, std::size_t stride,
                            std::size_t d, hn::Vec<D> (&sum)[side_by_side]) {
  for (auto& part : sum) part = hn::Zero(f);
  for (std::size_t k = 0; k < d; ++k, y += stride) {
    const auto at = hn::Set(f, x[k]);
    for (std::size_t v = 0; v < side_by_side; ++v) {
      const auto diff = hn::Sub(at, hn::LoadU(f, y + v * hn::Lanes(f)));
      sum[v] = hn::MulAdd(diff, diff, sum[v]);
    }
  }
}

void gauge_row(const GaugeRow& row, std::size_t count, float* out) noexcept {
  constexpr std::size_t side_by_side = 4;
  const Floats f;
  const std::size_t lanes = hn::Lanes(f);
  std::size_t j = 0;
  for (; j + side_by_side * lanes <= count; j += side_by_side * lanes) {
    hn::Vec<Floats> sum[side_by_side];
    sum_squares(f, row.x, row.y + j, row.stride, row.d, sum);
    for (std::size_t v = 0, at = j; v < side_by_side; ++v, at += lanes)
      hn::StoreU(hn::Sub(hn::Sub(hn::Sqrt(sum[v]), hn::Set(f, row.r)), hn::LoadU(f, row.s + at)), f,
                 out + at);
  }
  for (; j < count; j += lanes) hn::StoreU(gauge_costs(row, j), f, out + j);
}

void gauge_row_far(const GaugeRow& row, std::size_t count, float* out) noexcept {
  const Floats f;
  const auto r = hn::Set(f, row.r);
  for (std::size_t j = 0; j < count; j += hn::Lanes(f)) {
    const auto s = hn::LoadU(f, row.s + j);
    auto sum = hn::Zero(f);
    auto dot = hn::Mul(r, s);
    for (std::size_t k = 0; k < row.d; ++k) {
      const auto x = hn::Set(f, row.x[k]);
      const auto y = hn::LoadU(f, row.y + k * row.stride + j);
      const auto diff = hn::Sub(x, y);
      sum = hn::MulAdd(diff, diff, sum);
      dot = hn::MulAdd(x, y, dot);
    }
    const auto whole = hn::Add(hn::Add(hn::Sqrt(sum), r), s);
    const auto top = hn::Mul(hn::Set(f, -2.0f), hn::Max(dot, hn::Zero(f)));
    hn::StoreU(hn::Div(top, hn::Max(whole, hn::Set(f, std::numeric_limits<float>::min()))), f, out + j);
  }
}

float near_bound(const float* cost, const float* price, std::size_t count) noexcept {
  const Eight f;
  const std::size_t lanes = hn::Lanes(f);
  const auto value = [&](std::size_t j)
                         HWY_ATTR { return hn::Sub(hn::LoadU(f, cost + j), hn::LoadU(f, price + j)); };
  HWY_ALIGN float thirds[8];
  for (std::size_t part = 0; part < 8; part += lanes) {
    const auto many = hn::Set(f, none);
    auto m0 = many, m1 = many, m2 = many, m3 = many, m4 = many, m5 = many, m6 = many, m7 = many;
    for (std::size_t j = part; j < count; j += 64) {
      m0 = hn::Min(m0, value(j));
      m1 = hn::Min(m1, value(j + 8));
      m2 = hn::Min(m2, value(j + 16));
      m3 = hn::Min(m3, value(j + 24));
      m4 = hn::Min(m4, value(j + 32));
      m5 = hn::Min(m5, value(j + 40));
      m6 = hn::Min(m6, value(j + 48));
      m7 = hn::Min(m7, value(j + 56));
    }
    auto first = many;
    auto second = many;
    auto third = many;
    const auto insert = [&](auto least) HWY_ATTR {
      const auto over = hn::Max(first, least);
      first = hn::Min(first, least);
      third = hn::Min(third, hn::Max(second, over));
      second = hn::Min(second, over);
    };
    insert(m0);
    insert(m1);
    insert(m2);
    insert(m3);
    insert(m4);
    insert(m5);
    insert(m6);
    insert(m7);
    hn::StoreU(third, f, thirds + part);
  }
  float sum = 0;
  for (const float third : thirds) sum += third / 8;
  return sum;
}

// Two vectors at a time: where few columns are found most pairs of vectors have none, where many are most
// have some, and a branch that mostly goes one way is cheap.
std::size_t collect(const float* cost, const float* price, std::size_t count, float bound,
                    std::uint32_t* out) noexcept {
  const Floats f;
  const hn::RebindToUnsigned<Floats> in;
  const std::size_t lanes = hn::Lanes(f);
  const auto limit = hn::Set(f, bound);
  const auto numbers = hn::Iota(in, 0);  // made once: Highway makes it lane by lane
  std::size_t found = 0;
  const auto hits = [&](std::size_t j) HWY_ATTR {
    return hn::Le(hn::Sub(hn::LoadU(f, cost + j), hn::LoadU(f, price + j)), limit);
  };
  // Writes a whole vector: no more columns are found than were passed over, so there is room.
  const auto keep = [&](auto hit, std::size_t j) HWY_ATTR {
    const auto columns = hn::Add(numbers, hn::Set(in, static_cast<std::uint32_t>(j)));
    found += keep_words(in, columns, bits_of(f, hit), out + found);
  };
  for (std::size_t j = 0; j < count; j += 2 * lanes) {
    const auto first = hits(j), second = hits(j + lanes);
    if (hn::AllFalse(f, hn::Or(first, second))) continue;
    keep(first, j);
    keep(second, j + lanes);
  }
  return found;
}

// One stream of values: the smallest two of each lane, and in which step the smallest came.
class LaneMinima {
 public:
  HWY_ATTR LaneMinima() : first_(hn::Set(f_, none)), second_(first_), step_(hn::Zero(in_)) {}

  template <class V>
  HWY_INLINE void add(V value, std::int32_t step) {
    const auto less = hn::Lt(value, first_);
    second_ = hn::Min(second_, hn::Max(value, first_));
    first_ = hn::Min(first_, value);
    step_ = hn::IfThenElse(hn::RebindMask(in_, less), hn::Set(in_, step), step_);
  }

  /// As if the values of another stream had been added to this one.
  HWY_INLINE void merge(const LaneMinima& other) {
    const auto less = hn::Lt(other.first_, first_);
    second_ = hn::Min(hn::Min(second_, other.second_), hn::Max(first_, other.first_));
    first_ = hn::Min(first_, other.first_);
    step_ = hn::IfThenElse(hn::RebindMask(in_, less), other.step_, step_);
  }

  /// The smallest two of all lanes; lane k of step t is number t + k. Lanes meet in pairs of mirror images,
  /// in groups that halve each time, without a branch.
  HWY_INLINE TwoSmallest smallest() const {
    auto first = first_;
    auto second = second_;
    const auto meet = [&](auto mirrored_first, auto mirrored_second) HWY_ATTR {
      second = hn::Min(hn::Min(second, mirrored_second), hn::Max(first, mirrored_first));
      first = hn::Min(first, mirrored_first);
    };
    if constexpr (hn::MaxLanes(Floats()) >= 16) meet(hn::Reverse(f_, first), hn::Reverse(f_, second));
    if constexpr (hn::MaxLanes(Floats()) >= 8) meet(hn::Reverse8(f_, first), hn::Reverse8(f_, second));
    meet(hn::Reverse4(f_, first), hn::Reverse4(f_, second));
    meet(hn::Reverse2(f_, first), hn::Reverse2(f_, second));
    const auto at = static_cast<std::size_t>(hn::FindFirstTrue(f_, hn::Eq(first_, first)));
    return {hn::GetLane(first),
            static_cast<std::uint32_t>(hn::ExtractLane(step_, at)) + static_cast<std::uint32_t>(at),
            hn::GetLane(second)};
  }

 private:
  Floats f_;
  hn::RebindToSigned<Floats> in_;
  hn::Vec<Floats> first_;
  hn::Vec<Floats> second_;
  hn::Vec<hn::RebindToSigned<Floats>> step_;
};

// Two streams hide the latency of the minima.
TwoSmallest two_smallest(const float* cost, const float* price, std::size_t count) noexcept {
  const Floats f;
  const std::size_t lanes = hn::Lanes(f);
  LaneMinima even;
  LaneMinima odd;
  for (std::size_t j = 0; j < count; j += 2 * lanes) {
    even.add(hn::Sub(hn::LoadU(f, cost + j), hn::LoadU(f, price + j)), static_cast<std::int32_t>(j));
    odd.add(hn::Sub(hn::LoadU(f, cost + j + lanes), hn::LoadU(f, price + j + lanes)),
            static_cast<std::int32_t>(j + lanes));
  }
  even.merge(odd);
  return even.smallest();
}

TwoSmallest list_two_smallest(const float* cost, const std::uint32_t* index, std::size_t count,
                              const float* price) noexcept {
  const Floats f;
  const hn::RebindToSigned<Floats> in;
  LaneMinima minima;
  for (std::size_t k = 0; k < count; k += hn::Lanes(f)) {
    const auto where = hn::LoadU(in, reinterpret_cast<const std::int32_t*>(index + k));
    minima.add(hn::Sub(hn::LoadU(f, cost + k), hn::GatherIndex(f, price, where)),
               static_cast<std::int32_t>(k));
  }
  return minima.smallest();
}

void box_bounds(const float* x, const float* low, const float* high, std::size_t stride, std::size_t d,
                const float* top, std::size_t count, float* out) noexcept {
  const Floats f;
  for (std::size_t b = 0; b < count; b += hn::Lanes(f)) {
    auto sum = hn::Zero(f);
    for (std::size_t k = 0; k < d; ++k) {
      const auto at = hn::Set(f, x[k]);
      const auto below = hn::Sub(hn::LoadU(f, low + k * stride + b), at);
      const auto above = hn::Sub(at, hn::LoadU(f, high + k * stride + b));
      const auto away = hn::Max(hn::Max(below, above), hn::Zero(f));
      sum = hn::MulAdd(away, away, sum);
    }
    hn::StoreU(hn::Sub(hn::Sqrt(sum), hn::LoadU(f, top + b)), f, out + b);
  }
}

TwoSmallest boxes_two_smallest(const GaugeRow& row, const float* price, const std::uint32_t* boxes,
                               std::size_t count) noexcept {
  const Floats f;
  const std::size_t lanes = hn::Lanes(f);
  LaneMinima even;
  LaneMinima odd;
  const auto look = [&](std::size_t j, LaneMinima& minima) HWY_ATTR {
    minima.add(hn::Sub(gauge_costs(row, j), hn::LoadU(f, price + j)), static_cast<std::int32_t>(j));
  };
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t end = (std::size_t{boxes[b]} + 1) * transport_box;
    for (std::size_t j = end - transport_box; j < end; j += 2 * lanes) {
      look(j, even);
      look(j + lanes, odd);
    }
  }
  even.merge(odd);
  return even.smallest();
}

// Two vectors at a time: the roots take longest, and one can begin while the other is under way.
void fine_row(const FineRow& row, std::size_t count, double* out) noexcept {
  using Doubles = hn::CappedTag<double, 8>;
  constexpr std::size_t side_by_side = 2;
  const Doubles f;
  const std::size_t lanes = hn::Lanes(f);
  for (std::size_t j = 0; j < count; j += side_by_side * lanes) {
    hn::Vec<Doubles> sum[side_by_side];
    sum_squares(f, row.x, row.y + j, row.stride, row.d, sum);
    for (std::size_t v = 0, at = j; v < side_by_side; ++v, at += lanes)
      hn::StoreU(hn::Sub(hn::Sqrt(sum[v]), hn::LoadU(f, row.s + at)), f, out + at);
  }
}

const TransportKernels& transport_table() {
  static constexpr TransportKernels all{gauge_row,  gauge_row_far,      near_bound,
                                        collect,    two_smallest,       list_two_smallest,
                                        box_bounds, boxes_two_smallest, fine_row};
  return all;
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace motmot::kernels {

HWY_EXPORT(transport_table);

const TransportKernels& transport_kernels() noexcept {
  static const TransportKernels& chosen =
      scalar_forced() ? scalar_transport_kernels() : HWY_DYNAMIC_DISPATCH(transport_table)();
  return chosen;
}

}  // namespace motmot::kernels
#endif
