#include "npz_file.hpp"

#include <zlib.h>

#include "data/array_reader.hpp"
#include "data/readers.hpp"

namespace motmot::gan {
namespace {

/// A number in `bytes` bytes, the lowest first.
struct Number {
  std::uint64_t value;
  int bytes;
};

void put(std::string& out, std::initializer_list<Number> numbers) {
  for (const Number& number : numbers)
    for (int i = 0; i < number.bytes; ++i) out += static_cast<char>(number.value >> (8 * i) & 0xff);
}

}  // namespace

void NpzWriter::add_bytes(const std::string& name, std::string_view type,
                          const std::vector<std::uint64_t>& shape, std::string_view bytes) {
  const std::string header = npy_header(type, shape), file = name + ".npy";
  const std::uint64_t size = header.size() + bytes.size();
  require(offset_ + size < 0xf0000000u, Errc::unsupported, "cannot write ", name_of(path_),
          ": it would pass 4 GB");
  uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  if (!bytes.empty())  // given a null pointer, crc32() would start from zero
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  std::string common;  // to the local header and the directory: version 2.0, not compressed, 1980-01-01
  put(common, {{20, 2},
               {0, 2},
               {0, 2},
               {0, 2},
               {0x21, 2},
               {checksum, 4},
               {size, 4},
               {size, 4},
               {file.size(), 2},
               {0, 2}});
  const std::string start = std::string("PK\x03\x04", 4) + common + file + header;
  file_.stream() << start << bytes;
  directory_ += std::string("PK\x01\x02\x14\x00", 6) + common;  // made by version 2.0
  put(directory_, {{0, 2}, {0, 2}, {0, 2}, {0, 4}, {offset_, 4}});
  directory_ += file;
  offset_ += start.size() + bytes.size();
  ++members_;
}

void NpzWriter::commit() {
  std::string end("PK\x05\x06", 4);
  put(end, {{0, 4}, {members_, 2}, {members_, 2}, {directory_.size(), 4}, {offset_, 4}, {0, 2}});
  file_.stream() << directory_ << end;
  file_.commit();
}

std::vector<double> read_numbers(const std::string& path, const std::string& name) {
  return read_npz(path, name, {}).points.values();
}

std::string read_text(const std::string& path, const std::string& name) {
  std::string text;
  for (const double code : read_numbers(path, name)) {
    require(code >= 0 && code <= 255, Errc::io, name_of(path), ", array '", name, "': ", code,
            " is not a byte of a text");
    text += static_cast<char>(static_cast<unsigned char>(code));
  }
  return text;
}

}  // namespace motmot::gan
