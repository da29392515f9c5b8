#include "npz_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"
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
  const std::uint64_t size = header.size() + bytes.size(), offset = body_.size();
  require(offset + size < 0xf0000000u, Errc::unsupported, "cannot write ", name_of(path_),
          ": it would pass 4 GB");
  uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  if (!bytes.empty())  // crc32 of a null pointer starts anew
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  std::string common;  // of the local header and the directory's: version 2.0, stored, 1980-01-01
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
  body_ += std::string("PK\x03\x04", 4) + common + file + header;
  body_ += bytes;
  directory_ += std::string("PK\x01\x02", 4);
  put(directory_, 20, 2);
  directory_ += common;
  put(directory_, 0, 2);
  put(directory_, 0, 2);
  put(directory_, 0, 2);
  put(directory_, 0, 4);
  put(directory_, offset, 4);
  directory_ += file;
  ++members_;
}

void NpzWriter::add(const std::string& name, std::span<const float> values,
                    const std::vector<std::int64_t>& shape) {
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
  put(end, body_.size(), 4);
  put(end, 0, 2);
  OutputFile file(path_);
  file.stream() << body_ << directory_ << end;
  file.commit();
}

bool NpzReader::has(const std::string& name) const {
  return std::ranges::find(archive_.members(), name + ".npy", &ZipArchive::Member::name) !=
         archive_.members().end();
}

std::vector<double> NpzReader::numbers(const std::string& name) const {
  require(has(name), Errc::io, name_of(path_), " has no array '", name,
          "': it was not written by motmot gan, or by another version");
  const auto member = std::ranges::find(archive_.members(), name + ".npy", &ZipArchive::Member::name);
  ByteReader in(archive_.open(*member), name_of(path_ + ":" + name));
  return read_npy(in, {}).points.values();
}

std::string NpzReader::text(const std::string& name) const {
  std::string text;
  for (const double code : numbers(name)) text += static_cast<char>(static_cast<unsigned char>(code));
  return text;
}

void NpzReader::check_size(const std::string& name, std::size_t got, std::size_t wanted) const {
  require(got == wanted, Errc::io, name_of(path_), ", array '", name, "': ", got, " numbers where ", wanted,
          " belong");
}

}  // namespace motmot::gan
