#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace motmot {

/// Columns that line up, two blanks apart: the first and the last to the left, the others to the
/// right. The first row is the header.
class TextTable {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// One line per row, each after `indent`; `mark` instead of it for the row of that number.
  [[nodiscard]] std::string text(const std::string& indent, const std::string& mark,
                                 std::size_t marked) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Lines of at most `width` characters (a longer word has one to itself), broken at blanks.
[[nodiscard]] std::vector<std::string> text_lines(const std::string& text, std::size_t width);

/// Words of `text` in lines of at most `width` characters; the first line starts with `first`, the
/// others with as many blanks.
std::string wrap(const std::string& first, const std::string& text, std::size_t width = 98);

}  // namespace motmot
