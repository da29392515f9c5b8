#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/byte_source.hpp"

namespace motmot {

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
