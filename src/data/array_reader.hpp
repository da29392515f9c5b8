/// Arrays of numbers in binary, as .npy and IDX hold them behind their headers.
#pragma once

#include <cstdint>
#include <vector>

#include "data/byte_source.hpp"
#include "data/row_stream.hpp"
#include "motmot/data.hpp"

namespace motmot {

struct ElementType {
  enum class Kind { boolean, unsigned_integer, signed_integer, floating };
  Kind kind = Kind::floating;
  unsigned size = 8;  ///< bytes
  bool big_endian = false;
};

/// Turns `count` elements into doubles.
using Decoder = void (*)(const char* bytes, std::size_t count, double* values);

/// nullptr for a type that is not read (floats of 16 bytes, say).
Decoder decoder_of(ElementType type);

struct ArrayHeader {
  ElementType type;
  bool fortran = false;                ///< first index fastest
  std::vector<std::uint64_t> shape{};  ///< rows first; what follows is flattened in C order
};

/// Of an .npy file; `in` stands at the first element then.
ArrayHeader read_npy_header(ByteReader& in);

/// The start of such a file (version 1) up to its first element, for elements of a type such as "<f8" in C
/// order.
std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape);

struct ArrayExtent {
  std::uint64_t rows = 0, columns = 0;
};

/// What the header promises, held against the bytes that are still to come.
ArrayExtent extent_of(ByteReader& in, const ArrayHeader& header);

/// Of a file without a header: its size tells the rows.
ArrayHeader raw_header(ByteReader& in, const RawLayout& layout);

/// Reads the elements that the header promises, and insists that nothing follows them. The promise is
/// held against the size of the file first; where that is unknown, memory grows with what comes. With a sink,
/// rows go there as they are read, and the table has none.
Table read_array(ByteReader& in, const ArrayHeader& header, const ReadOptions& options,
                 const RowSink* sink = nullptr);

}  // namespace motmot
