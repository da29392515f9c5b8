#include "data/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

constexpr std::uint64_t in_zip64 = 0xffffffff;  ///< "the number did not fit: look in the extra field"

/// A part of the archive, with little-endian numbers at fixed places.
struct Record {
  std::string file;
  std::uint64_t start = 0;  ///< its first byte in the archive
  std::string_view bytes;

  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t width) const {
    if (at + width > bytes.size()) complain(at);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  }
  [[nodiscard]] Record part(std::size_t at, std::uint64_t length) const {
    if (at > bytes.size() || length > bytes.size() - at) complain(at);
    return {file, start + at, bytes.substr(at, length)};
  }
  [[noreturn]] void complain(std::size_t at) const {
    fail(Errc::io, file, ", byte ", start + at, ": the directory of the archive is damaged");
  }
};

std::string read_range(const std::string& path, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  const std::size_t got = ByteReader(open_source(path, offset, size), name_of(path)).read_fully(bytes);
  require(got == size, Errc::io, name_of(path), " is truncated: it ends at byte ", offset + got);
  return bytes;
}

struct Directory {
  std::uint64_t count;
  std::uint64_t size;
  std::uint64_t offset;
};

/// The zip64 record is found through a locator of 20 bytes before the usual end record.
Directory zip64_directory(const std::string& path, std::uint64_t end_record, std::uint64_t file_size) {
  const std::string file = name_of(path);
  require(end_record >= 20, Errc::io, file, ": the directory of the archive is damaged");
  const std::string locator_bytes = read_range(path, end_record - 20, 20);
  const Record locator{file, end_record - 20, locator_bytes};
  const std::uint64_t offset = locator.number(8, 8);
  if (!locator_bytes.starts_with("PK\x06\x07") || file_size < 56 || offset > file_size - 56)
    locator.complain(8);
  const std::string bytes = read_range(path, offset, 56);
  const Record record{file, offset, bytes};
  if (!bytes.starts_with("PK\x06\x06")) record.complain(0);
  return {record.number(32, 8), record.number(40, 8), record.number(48, 8)};
}

/// The end record is the last of the file but for a comment of at most 65535 bytes.
Directory find_directory(const std::string& path, std::uint64_t file_size) {
  constexpr std::uint64_t shortest = 22;
  const std::uint64_t length = std::min<std::uint64_t>(file_size, shortest + 0xffff);
  const std::string tail = read_range(path, file_size - length, length);
  const std::size_t at = tail.rfind("PK\x05\x06");
  require(at != std::string::npos && tail.size() - at >= shortest, Errc::io, name_of(path),
          " is not a zip archive, or is truncated: its directory is missing");
  const Record end{name_of(path), file_size - length + at, std::string_view(tail).substr(at)};
  const Directory directory{end.number(10, 2), end.number(12, 4), end.number(16, 4)};
  const bool small = directory.count != 0xffff && directory.size != in_zip64 && directory.offset != in_zip64;
  return small ? directory : zip64_directory(path, end.start, file_size);
}

/// The extra field holds, in this order, those of the three numbers that did not fit.
void read_zip64(const Record& extra, ZipArchive::Member& member) {
  for (std::size_t at = 0; at + 4 <= extra.bytes.size();) {
    const Record field = extra.part(at + 4, extra.number(at + 2, 2));
    if (extra.number(at, 2) == 1) {
      std::size_t next = 0;
      for (std::uint64_t* number : {&member.size, &member.packed, &member.header})
        if (*number == in_zip64) {
          *number = field.number(next, 8);
          next += 8;
        }
    }
    at += 4 + field.bytes.size();
  }
}

/// Counts and checks what comes out of a member.
class MemberSource : public ByteSource {
 public:
  MemberSource(std::unique_ptr<ByteSource> bytes, const ZipArchive::Member& member, std::string name)
      : bytes_(std::move(bytes)), left_(member.size), expected_(member.checksum), name_(std::move(name)) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t got = bytes_->read(out);
    if (got > left_ || (got == 0 && !out.empty() && left_ > 0))
      fail(Errc::io, name_, " is damaged: its size is not the one in the archive's directory");
    left_ -= got;
    checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(out.data()), got);
    if (got == 0 && !out.empty())
      require(checksum_ == expected_, Errc::io, name_, " is damaged: its checksum is wrong");
    return got;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return left_; }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t left_;
  std::uint64_t checksum_ = 0;
  std::uint64_t expected_;
  std::string name_;
};

}  // namespace

ZipArchive::ZipArchive(std::string path) : path_(std::move(path)) {
  const auto readable = open_source(path_);  // complains in the same words as for any other file
  std::error_code error;
  size_ = std::filesystem::file_size(path_, error);
  require(!error, Errc::io, "cannot read ", name_of(path_), ": an archive must be a plain file");
  read_directory();
}

void ZipArchive::read_directory() {
  const Directory directory = find_directory(path_, size_);
  require(directory.offset <= size_ && directory.size <= size_ - directory.offset, Errc::io, name_of(path_),
          ": the archive's directory lies beyond the end of the file");
  constexpr std::uint64_t longest = 1 << 24;  // some hundred thousand members
  require(directory.size <= longest, Errc::io, name_of(path_), ": the archive's directory has ",
          directory.size, " bytes; at most ", longest, " are read");
  const std::string bytes = read_range(path_, directory.offset, directory.size);
  const Record all{name_of(path_), directory.offset, bytes};
  std::size_t at = 0;
  for (std::uint64_t k = 0; k < directory.count; ++k) {
    const Record entry = all.part(at, 46);
    if (!entry.bytes.starts_with("PK\x01\x02")) entry.complain(0);
    const std::uint64_t name = entry.number(28, 2);
    const std::uint64_t extra = entry.number(30, 2);
    Member member{.name = std::string(all.part(at + 46, name).bytes),
                  .flags = static_cast<unsigned>(entry.number(8, 2)),
                  .method = static_cast<unsigned>(entry.number(10, 2)),
                  .checksum = static_cast<std::uint32_t>(entry.number(16, 4)),
                  .packed = entry.number(20, 4),
                  .size = entry.number(24, 4),
                  .header = entry.number(42, 4)};
    read_zip64(all.part(at + 46 + name, extra), member);
    members_.push_back(std::move(member));
    at += 46 + name + extra + entry.number(32, 2);
  }
}

std::unique_ptr<ByteSource> ZipArchive::open(const Member& member) const {
  const std::string name = name_of(path_ + ":" + member.name);
  require((member.flags & 1) == 0, Errc::io, name, " is encrypted; only plain members are read");
  require(member.method == 0 || member.method == 8, Errc::io, name, " is compressed by method ",
          member.method, "; only stored (0) and deflated (8) members are read");
  constexpr std::uint64_t header_size = 30;
  const bool header_fits = size_ >= header_size && member.header <= size_ - header_size;
  require(header_fits, Errc::io, name, " is damaged: it lies beyond the end of the archive");
  const std::string bytes = read_range(path_, member.header, header_size);
  const Record header{name_of(path_), member.header, bytes};
  if (!bytes.starts_with("PK\x03\x04")) header.complain(0);
  const std::uint64_t data = member.header + header_size + header.number(26, 2) + header.number(28, 2);
  // Deflate shrinks by 1032 at most: a larger claim is a lie that must not decide on memory.
  const bool size_is_possible =
      member.method == 0 ? member.size == member.packed : member.size / 1032 <= member.packed;
  require(data <= size_ && member.packed <= size_ - data && size_is_possible, Errc::io, name,
          " is damaged: its size in the archive's directory cannot be");
  auto packed = open_source(path_, data, member.packed);
  if (member.method == 8) packed = inflate(std::move(packed), Wrapper::none, name);
  return std::make_unique<MemberSource>(std::move(packed), member, name);
}

}  // namespace motmot
