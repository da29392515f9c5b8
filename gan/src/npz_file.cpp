#include "npz_file.hpp"

#include <zlib.h>

#include <bit>

#include "data/readers.hpp"

namespace motmot::gan {
namespace {

static_assert(std::endian::native == std::endian::little, "the type codes below say little-endian");

std::string npy_header(std::string_view type, const std::vector<std::int64_t>& shape) {
  std::string dict = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t extent : shape) dict += std::to_string(extent) + ", ";
  dict += "), }";
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dict.size() & 0xff) +
         static_cast<char>(dict.size() >> 8) + dict;
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

void NpzWriter::add_bytes(const std::string& name, std::string_view type,
                          const std::vector<std::int64_t>& shape, std::string_view bytes) {
  const std::string header = npy_header(type, shape), file = name + ".npy";
  const std::uint64_t size = header.size() + bytes.size();
  require(offset_ + size < 0xf0000000u, Errc::unsupported, "cannot write ", name_of(path_),
          ": it would pass 4 GB");
  uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  if (!bytes.empty())  // given a null pointer, crc32() would start from zero
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  std::string common;  // to the local header and the directory: version 2.0, not compressed, 1980-01-01
  put(common, 20, 2);
  put(common, 0, 2);
  put(common, 0, 2);
  put(common, 0, 2);
  put(common, 0x21, 2);
  put(common, checksum, 4);
  put(common, size, 4);
  put(common, size, 4);
  put(common, file.size(), 2);
  put(common, 0, 2);
  const std::string start = std::string("PK\x03\x04", 4) + common + file + header;
  file_.stream() << start << bytes;
  directory_ += std::string("PK\x01\x02", 4);
  put(directory_, 20, 2);
  directory_ += common;
  put(directory_, 0, 2);
  put(directory_, 0, 2);
  put(directory_, 0, 2);
  put(directory_, 0, 4);
  put(directory_, offset_, 4);
  directory_ += file;
  offset_ += start.size() + bytes.size();
  ++members_;
}

void NpzWriter::add(const std::string& name, std::span<const float> values, std::vector<std::int64_t> shape) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  add_bytes(name, "<f4", shape, bytes_of(values));
}
void NpzWriter::add(const std::string& name, std::span<const double> values) {
  add_bytes(name, "<f8", {static_cast<std::int64_t>(values.size())}, bytes_of(values));
}
void NpzWriter::add(const std::string& name, std::span<const std::int64_t> values) {
  add_bytes(name, "<i8", {static_cast<std::int64_t>(values.size())}, bytes_of(values));
}
void NpzWriter::add(const std::string& name, std::span<const std::uint8_t> values) {
  add_bytes(name, "|u1", {static_cast<std::int64_t>(values.size())}, bytes_of(values));
}
void NpzWriter::add_text(const std::string& name, std::string_view text) {
  add_bytes(name, "|u1", {static_cast<std::int64_t>(text.size())}, text);
}

void NpzWriter::commit() {
  std::string end("PK\x05\x06", 4);
  put(end, 0, 4);
  put(end, members_, 2);
  put(end, members_, 2);
  put(end, directory_.size(), 4);
  put(end, offset_, 4);
  put(end, 0, 2);
  file_.stream() << directory_ << end;
  file_.commit();
}

std::vector<double> read_numbers(const std::string& path, const std::string& name) {
  return read_npz(path, name, {}).points.values();
}

std::string read_text(const std::string& path, const std::string& name) {
  std::string text;
  for (const double code : read_numbers(path, name))
    text += static_cast<char>(static_cast<unsigned char>(code));
  return text;
}

}  // namespace motmot::gan
