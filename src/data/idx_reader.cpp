#include <string>

#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/readers.hpp"

namespace motmot {
namespace {

ElementType element_type(const std::string& file, unsigned code) {
  using Kind = ElementType::Kind;
  switch (code) {
    case 0x08:
      return {.kind = Kind::unsigned_integer, .size = 1, .big_endian = true};
    case 0x09:
      return {.kind = Kind::signed_integer, .size = 1, .big_endian = true};
    case 0x0b:
      return {.kind = Kind::signed_integer, .size = 2, .big_endian = true};
    case 0x0c:
      return {.kind = Kind::signed_integer, .size = 4, .big_endian = true};
    case 0x0d:
      return {.kind = Kind::floating, .size = 4, .big_endian = true};
    case 0x0e:
      return {.kind = Kind::floating, .size = 8, .big_endian = true};
    default:
      fail(Errc::io, file, ", byte 2: IDX type ", code, " is not known (8, 9, 11, 12, 13, 14 are)");
  }
}

}  // namespace

// Two zeros, the type, the number of dimensions, then the dimensions as big-endian 32-bit integers.
Table read_idx(ByteReader& in, const ReadOptions& options) {
  const std::string truncated = in.name() + " is truncated: it ends within the IDX header";
  std::string start(4, '\0');
  require(in.read_fully(start) == 4, Errc::io, truncated);
  require(start[0] == 0 && start[1] == 0, Errc::io, in.name(),
          ", byte 0: not an IDX file, which starts with two zeros");
  ArrayHeader header{.type = element_type(in.name(), static_cast<unsigned char>(start[2])), .shape = {}};
  require(start[3] != 0, Errc::io, in.name(), ", byte 3: an array of no dimensions has no rows");
  header.shape.resize(static_cast<unsigned char>(start[3]));
  for (std::uint64_t& extent : header.shape) {
    std::string bytes(4, '\0');
    require(in.read_fully(bytes) == 4, Errc::io, truncated);
    for (const char byte : bytes) extent = extent << 8 | static_cast<unsigned char>(byte);
  }
  return read_array(in, header, options);
}

}  // namespace motmot
