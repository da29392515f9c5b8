/// What of a text is in memory.
#pragma once

#include <cstddef>
#include <memory>

#include "data/byte_source.hpp"

namespace motmot {

/// A window that slides over a text: [begin, end) is what has been read of it and not yet used. A
/// zero byte stands at `end`, so that the search for the end of a number stops there, too.
class TextWindow {
 public:
  explicit TextWindow(ByteReader& in) : in_(in) {}

  [[nodiscard]] const char* begin() const noexcept { return buffer_.get() + begin_; }
  [[nodiscard]] const char* end() const noexcept { return buffer_.get() + end_; }
  /// Gives up what is before `p`.
  void advance(const char* p) noexcept { begin_ = static_cast<std::size_t>(p - buffer_.get()); }
  /// Reads on; begin() keeps its byte but may move in memory. The end of the text is given a line
  /// break, so that every line has one. false when that has been done, too.
  bool extend();

 private:
  void make_room();

  ByteReader& in_;
  std::size_t size_ = 1 << 18;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(size_);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
};

}  // namespace motmot
