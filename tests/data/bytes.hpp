/// Files of the formats that the readers know, made by hand.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/support.hpp"

namespace motmot::test {

inline std::string little_endian(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
  return bytes;
}

inline std::string big_endian(std::uint64_t value, std::size_t width) {
  std::string bytes = little_endian(value, width);
  std::ranges::reverse(bytes);
  return bytes;
}

/// The values as T, in the order of the host or against it.
template <class T>
std::string elements(const std::vector<double>& values, bool swap = false) {
  std::string bytes;
  for (const double value : values) {
    const T element = static_cast<T>(value);
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &element, sizeof(T));
    if (swap) std::ranges::reverse(one);
    bytes += one;
  }
  return bytes;
}

/// descr and shape as they stand in the header: "<f8", "(3, 4)".
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false, int version = 1) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + shape + ", }\n";
  const std::size_t width = version == 1 ? 2 : 4;
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + little_endian(dict.size(), width) +
         dict + data;
}

/// deflate, with gzip's wrapper (bits 31) or without any (bits -15).
inline std::string deflated(const std::string& bytes, int bits) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string gzip(const std::string& bytes) { return deflated(bytes, 31); }

inline std::string zstd(const std::string& bytes, int level = 3) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), level));
  return packed;
}

struct ZipMember {
  std::string name;
  std::string bytes;
  bool packed = false;
  bool zip64 = false;
  unsigned flags = 0;
};

inline std::string zip(const std::vector<ZipMember>& members) {
  std::string archive;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string data = member.packed ? deflated(member.bytes, -15) : member.bytes;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(member.bytes.data()), member.bytes.size());
    const std::uint64_t start = archive.size();
    const std::uint64_t big = 0xffffffff;
    const std::string extra = member.zip64 ? little_endian(1, 2) + little_endian(24, 2) +
                                                 little_endian(member.bytes.size(), 8) +
                                                 little_endian(data.size(), 8) + little_endian(start, 8)
                                           : "";
    const std::string common =
        little_endian(member.flags, 2) + little_endian(member.packed ? 8 : 0, 2) + little_endian(0, 4) +
        little_endian(crc, 4) + little_endian(member.zip64 ? big : data.size(), 4) +
        little_endian(member.zip64 ? big : member.bytes.size(), 4) + little_endian(member.name.size(), 2);
    archive += "PK\x03\x04" + little_endian(20, 2) + common + little_endian(0, 2) + member.name + data;
    directory += "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + common +
                 little_endian(extra.size(), 2) + little_endian(0, 2) + little_endian(0, 8) +
                 little_endian(member.zip64 ? big : start, 4) + member.name + extra;
  }
  return archive + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(members.size(), 2) +
         little_endian(members.size(), 2) + little_endian(directory.size(), 4) +
         little_endian(archive.size(), 4) + little_endian(0, 2);
}

/// IDX with the type's code and big-endian data.
inline std::string idx(unsigned type, const std::vector<std::uint64_t>& shape, const std::string& data) {
  std::string bytes{'\0', '\0', static_cast<char>(type), static_cast<char>(shape.size())};
  for (const std::uint64_t extent : shape) bytes += big_endian(extent, 4);
  return bytes + data;
}

/// Files of one test, read by name.
class Files {
 public:
  std::string write(const std::string& name, const std::string& bytes) {
    // Some file systems write a file out to the disk at once when it replaces another.
    std::filesystem::remove(folder_ / name);
    write_file(folder_ / name, bytes);
    return folder_ / name;
  }
  Table read(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
    return read_table(write(name, bytes), options);
  }
  std::vector<double> values(const std::string& name, const std::string& bytes,
                             const ReadOptions& options = {}) {
    return read(name, bytes, options).points.values();
  }
  /// The complaint about the file, with its folder cut out.
  std::string complaint(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
    const std::string path = write(name, bytes);
    return complaint_about(path, options);
  }
  std::string complaint_about(const std::string& path, const ReadOptions& options = {}) {
    std::string message = error_of([&] { static_cast<void>(read_table(path, options)); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    return message;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  /// The path of a file that is not there yet.
  [[nodiscard]] std::string fresh(const std::string& name) const {
    std::filesystem::remove(folder_ / name);
    return folder_ / name;
  }

 private:
  TempDir folder_;
};

}  // namespace motmot::test
