/// Where the bytes of a file come from: the disk, a pipe, or the middle of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  /// About how much of the source has been read, in [0, 1], where that can be guessed.
  [[nodiscard]] virtual std::optional<double> share_read() const { return std::nullopt; }
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

/// The same for zstd, whose frames may follow each other. A frame may ask for a window of at most 128 MB, of
/// which no more is touched than its data fill.
std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed, std::string name);

/// A source whose first bytes can be looked at before they are read, and which knows its place.
class ByteReader {
 public:
  /// `name` as it stands in complaints, quotes included.
  ByteReader(std::unique_ptr<ByteSource> source, std::string name);

  /// The next bytes without reading them: `count`, or fewer at the end. Valid until the next call.
  std::string_view peek(std::size_t count);
  /// Some bytes, at least one unless at the end (then 0).
  std::size_t read(std::span<char> out);
  /// As many bytes as fit; fewer only at the end.
  std::size_t read_fully(std::span<char> out);

  /// Bytes read so far.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Bytes still to come, where that is known.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const;
  [[nodiscard]] std::optional<double> share_read() const { return source_->share_read(); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// What has been peeked at and not read, then the rest.
  static std::unique_ptr<ByteSource> into_source(ByteReader reader);

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::string peeked_;
  std::uint64_t position_ = 0;
};

}  // namespace motmot
