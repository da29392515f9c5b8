/// Numbers, tables and paragraphs as people read them. Nothing here depends on the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace motmot {

[[nodiscard]] std::string significant(double value, int digits);  ///< "%.4g": "1.5", "1e+06"
[[nodiscard]] std::string fixed(double value, int decimals);      ///< "%.3f": "1.500"

/// Decimals that show so many significant digits of the value; at least 0.
[[nodiscard]] int decimals_for(double value, int digits);

/// With so many significant digits, and an exponent only where nobody would write the number out: "1234",
/// "0.000123", "1.23e+09".
[[nodiscard]] std::string readable(double value, int digits);

/// A value of a table or its median: the same, but whole numbers as they are: "26", not "26.00".
[[nodiscard]] std::string readable_value(double value, int digits);

[[nodiscard]] std::string percent(double share);                               ///< "10 %", "12.5 %"
[[nodiscard]] std::string counted(std::size_t count, std::string_view thing);  ///< "1 row", "2 rows"
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);    ///< blanks after it

/// The text if it is UTF-8; else its bytes as Windows-1252, the Latin-1 that spreadsheets write.
[[nodiscard]] std::string as_utf8(std::string text);

/// Columns that line up, two blanks apart.
class TextTable {
 public:
  /// 'l' or 'r' for each column: to the left or to the right.
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// One line per row, each after `indent`; `mark` instead of it for the row of that number.
  [[nodiscard]] std::string text(const std::string& indent, const std::string& mark = {},
                                 std::size_t marked = static_cast<std::size_t>(-1)) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

/// Lines of at most `width` characters (a longer word has one to itself), broken at blanks.
[[nodiscard]] std::vector<std::string> text_lines(const std::string& text, std::size_t width);

/// Words of `text` in lines of at most `width` characters; the first line starts with `first`, the
/// others with as many blanks.
[[nodiscard]] std::string wrap(const std::string& first, const std::string& text, std::size_t width = 98);

}  // namespace motmot
