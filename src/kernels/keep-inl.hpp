// Lanes that are wanted, side by side: for kernels, once for every vector set. Highway 1.0's own Compress
// copies its table to the stack for every vector where the set has no instruction for it (1 kB for eight
// lanes, 2 kB for doubles), and its CompressStore is slow on processors that have one (Zen 4).
#if defined(MOTMOT_KERNELS_KEEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MOTMOT_KERNELS_KEEP_INL_HPP
#undef MOTMOT_KERNELS_KEEP_INL_HPP
#else
#define MOTMOT_KERNELS_KEEP_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace motmot::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2
/// For each choice of eight lanes: the numbers of those chosen in its lowest digits (base 16), in order.
inline constexpr std::array<std::uint32_t, 256> chosen_of_eight = [] {
  std::array<std::uint32_t, 256> all{};
  for (std::uint32_t bits = 0; bits < 256; ++bits)
    for (std::uint32_t lane = 0, digit = 0; lane < 8; ++lane)
      if ((bits >> lane & 1) != 0) all[bits] |= lane << (4 * digit++);
  return all;
}();
#endif

/// The bits of a mask of at most 16 lanes.
template <class D, class Mask>
HWY_INLINE std::uint32_t bits_of(D d, Mask mask) {
  std::array<std::uint8_t, 8> bytes{};
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bytes.data());
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

// Each of these writes the lanes whose bit is set to `out`, in order, and returns how many they are. What
// comes after them in `out` is overwritten, as far as a vector goes.

template <class D>
HWY_INLINE std::size_t keep_one_by_one(D d, hwy::HWY_NAMESPACE::Vec<D> values, std::uint32_t bits,
                                       hwy::HWY_NAMESPACE::TFromD<D>* HWY_RESTRICT out) {
  HWY_ALIGN hwy::HWY_NAMESPACE::TFromD<D> lanes[hwy::HWY_NAMESPACE::MaxLanes(D())];
  hwy::HWY_NAMESPACE::Store(values, d, lanes);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < hwy::HWY_NAMESPACE::Lanes(d); ++k) {
    out[kept] = lanes[k];
    kept += bits >> k & 1;
  }
  return kept;
}

/// Of at most 16 words of 32 bits.
template <class D>
HWY_INLINE std::size_t keep_words(D d, hwy::HWY_NAMESPACE::Vec<D> values, std::uint32_t bits,
                                  std::uint32_t* HWY_RESTRICT out) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET <= HWY_AVX3
  const std::array<std::uint8_t, 8> bytes{static_cast<std::uint8_t>(bits),
                                          static_cast<std::uint8_t>(bits >> 8)};
  hn::StoreU(hn::Compress(values, hn::LoadMaskBits(d, bytes.data())), d, out);
#elif HWY_TARGET == HWY_AVX2
  const auto digits = hn::Shr(hn::Set(d, chosen_of_eight[bits]), hn::ShiftLeft<2>(hn::Iota(d, 0)));
  hn::StoreU(hn::TableLookupLanes(values, hn::IndicesFromVec(d, hn::And(digits, hn::Set(d, 7)))), d, out);
#else
  return keep_one_by_one(d, values, bits, out);
#endif
  return static_cast<std::size_t>(std::popcount(bits));
}

/// Of at most eight doubles.
template <class D>
HWY_INLINE std::size_t keep_doubles(D d, hwy::HWY_NAMESPACE::Vec<D> values, std::uint32_t bits,
                                    double* HWY_RESTRICT out) {
#if HWY_TARGET <= HWY_AVX2
  std::uint32_t pairs = (bits | bits << 4) & 0x0f0f;  // every bit twice, as a double has two words
  pairs = (pairs | pairs << 2) & 0x3333;
  pairs = (pairs | pairs << 1) & 0x5555;
  const hwy::HWY_NAMESPACE::RepartitionToNarrow<hwy::HWY_NAMESPACE::RebindToUnsigned<D>> words;
  return keep_words(words, hwy::HWY_NAMESPACE::BitCast(words, values), 3 * pairs,
                    reinterpret_cast<std::uint32_t*>(out)) /
         2;
#else
  return keep_one_by_one(d, values, bits, out);
#endif
}

}  // namespace motmot::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
