/// Where the bytes of a file come from: the disk, a pipe, or the middle of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace motmot {

/// Bytes, first to last.
class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills some of `out`, at least one byte of it unless the source has come to its end (then 0).
  virtual std::size_t read(std::span<char> out) = 0;
  /// How many bytes read() will still give; nothing when that shows only at the end.
  [[nodiscard]] virtual std::optional<std::uint64_t> remaining() const { return std::nullopt; }
};

/// The file, or standard input for "-". Error(Errc::io) if it cannot be opened.
std::unique_ptr<ByteSource> open_source(const std::string& path);

/// `size` bytes of the file from `offset` on; `size` must not reach beyond its end.
std::unique_ptr<ByteSource> open_source(const std::string& path, std::uint64_t offset, std::uint64_t size);

enum class Wrapper {
  gzip,  ///< header and checksum around the data; several of them may follow each other
  none,  ///< bare deflate, as in zip archives
};

/// The bytes of `packed` after decompression. `name` is for complaints.
std::unique_ptr<ByteSource> inflate(std::unique_ptr<ByteSource> packed, Wrapper wrapper, std::string name);

}  // namespace motmot
