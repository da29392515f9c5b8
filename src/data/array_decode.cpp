#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/array_reader.hpp"

namespace motmot {
namespace {

struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    double size = 0;
    if (exponent == 31)
      size =
          fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    else if (exponent == 0) size = std::ldexp(fraction, -24);
    else size = std::ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
  }
};

struct Boolean {
  std::uint8_t byte;
  explicit operator double() const { return byte != 0 ? 1 : 0; }
};

template <class T, bool swap>
void decode(const char* bytes, std::size_t count, double* values) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> element{};
    std::memcpy(element.data(), bytes + i * sizeof(T), sizeof(T));
    if constexpr (swap) std::ranges::reverse(element);
    values[i] = static_cast<double>(std::bit_cast<T>(element));
  }
}

template <class T>
Decoder in_order(bool big_endian) {
  const bool native = big_endian == (std::endian::native == std::endian::big);
  return native || sizeof(T) == 1 ? &decode<T, false> : &decode<T, true>;
}

template <class One, class Two, class Four, class Eight>
Decoder of_size(ElementType type) {
  if (type.size == 1) return in_order<One>(type.big_endian);
  if (type.size == 2) return in_order<Two>(type.big_endian);
  if (type.size == 4) return in_order<Four>(type.big_endian);
  return type.size == 8 ? in_order<Eight>(type.big_endian) : nullptr;
}

}  // namespace

Decoder decoder_of(ElementType type) {
  using enum ElementType::Kind;
  switch (type.kind) {
    case boolean:
      return type.size == 1 ? in_order<Boolean>(type.big_endian) : nullptr;
    case unsigned_integer:
      return of_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type);
    case signed_integer:
      return of_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(type);
    case floating:
      return type.size == 1 ? nullptr : of_size<Half, Half, float, double>(type);
  }
  return nullptr;
}

}  // namespace motmot
