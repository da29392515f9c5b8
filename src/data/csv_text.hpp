/// Text of separated values: what a field is, and what it says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_reader.hpp"

namespace motmot {

enum class Cell { number, missing, text };

/// What the text of a field says, blanks around it aside; `value` is set for numbers alone.
Cell classify(std::string_view text, double& value);

/// The number at `p` if it is a plain decimal of at most 15 digits, such as -12.5; returns what follows
/// it, nullptr if it is of another kind. The text must end in a byte that no number contains.
const char* short_decimal(const char* p, double& value);

/// The end of the field that starts at `p`: where its separator or line break stands. nullptr when
/// the text ends first, since what follows is then unknown. Sets `quoted` if the field is in quotes.
const char* field_end(const char* p, const char* end, char separator, bool& quoted);

/// What a field says, without the blanks around it and without its quotes.
std::string field_text(std::string_view field, char separator);

/// A field that says `text`: in quotes where it would be read as something else without.
std::string quoted_if_needed(const std::string& text);

/// The start of the next line, `p` being at a line break; nullptr when the text ends before that shows.
const char* next_line(const char* p, const char* end);

/// How many line breaks the text has.
std::size_t count_lines(std::string_view text);

/// A window that slides over a text: [begin, end) is what has been read of it and not yet used. A
/// zero byte stands at `end`, so that what looks for the end of a number need not look for it, too.
class TextWindow {
 public:
  explicit TextWindow(ByteReader& in);

  [[nodiscard]] const char* begin() const noexcept { return begin_; }
  [[nodiscard]] const char* end() const noexcept { return end_; }
  /// Gives up what is before `p`.
  void advance(const char* p) noexcept { begin_ = p; }
  /// Reads on; begin() keeps its byte but may move in memory. The end of the text is given a line
  /// break, so that every line has one. false when that has been done, too.
  bool extend();

 private:
  void make_room();

  ByteReader& in_;
  std::vector<char> buffer_;
  const char* begin_;
  const char* end_;
  bool at_end_ = false;
};

}  // namespace motmot
