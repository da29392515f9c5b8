/// Text of separated values: how a file is written, what a field is, and what it says.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// How a text is written.
struct Dialect {
  char separator = ',';           ///< ' ' is any run of blanks and tabs; 0: not known yet
  char decimal = '.';             ///< or ',': then, if that is the separator too, of fields in quotes alone
  std::string comment{};          ///< lines that start with it are skipped; empty: none are
  std::vector<std::string> na{};  ///< missing values beside the built-in ones
  std::vector<double> na_numbers{};  ///< those of them that are numbers

  [[nodiscard]] bool separates(char c) const noexcept {
    return c == separator || (separator == ' ' && c == '\t');
  }
  [[nodiscard]] bool ends_field(char c) const noexcept { return separates(c) || c == '\n' || c == '\r'; }
  [[nodiscard]] bool is_na(double value) const noexcept;
};

/// What the options say about texts; a separator that they leave open is 0. Error(Errc::invalid_argument)
/// for signs that cannot be what they are said to be.
Dialect dialect_of(const ReadOptions& options);

/// Whether the text is the word, which is in lower case, in any case.
bool equal_ignoring_case(std::string_view text, std::string_view lower);

enum class Cell { number, missing, text };

/// What the text of a field says, blanks around it aside; `value` is set for numbers alone.
Cell classify(std::string_view text, const Dialect& dialect, double& value);

/// The number at `p` if it is a plain decimal of at most 15 digits, such as -12.5; returns what follows
/// it, nullptr if it is of another kind. The text must end in a byte that no number contains.
///
/// Correctly rounded (Clinger, 1990): both the digits and the power of ten are exact as doubles, so the
/// division rounds once. Numbers of this kind fill most files, and take half the time of a general parse.
inline const char* short_decimal(const char* p, char decimal, double& value) {
  constexpr double power_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::ptrdiff_t most_digits = 15;
  const bool negative = *p == '-';
  if (negative) ++p;
  std::uint64_t digits = 0;  // wraps for long numbers, which are refused below
  const auto read_digits = [&] {
    const char* const first = p;
    for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) < 10; ++p)
      digits = 10 * digits + digit;
    return p - first;
  };
  const std::ptrdiff_t whole = read_digits();
  std::ptrdiff_t decimals = 0;
  if (*p == decimal) {
    ++p;
    decimals = read_digits();
  }
  if (whole + decimals == 0 || whole + decimals > most_digits) return nullptr;
  double size = static_cast<double>(digits);
  if (decimals > 0) size /= power_of_ten[decimals];
  value = negative ? -size : size;
  return p;
}

/// The end of the field that starts at `p`: where its separator or line break stands. nullptr when
/// the text ends first, since what follows is then unknown. Sets `quoted` if the field is in quotes.
const char* field_end(const char* p, const char* end, const Dialect& dialect, bool& quoted);

/// Moves `p` from the end of a field to the start of the next one; false when it was the last of its line.
/// `p` becomes nullptr when the text ends before that shows.
inline bool next_field(const char*& p, const char* end, const Dialect& dialect) {
  if (dialect.separator != ' ') {
    if (*p != dialect.separator) return false;
    ++p;
    return true;
  }
  while (p != end && (*p == ' ' || *p == '\t')) ++p;
  if (p == end) p = nullptr;
  return p != nullptr && *p != '\n' && *p != '\r';
}

/// Where the first field of a line starts: blanks that separate do not count before it.
const char* first_field(const char* p, const char* end, const Dialect& dialect);

/// What a field says, without the blanks around it and without its quotes.
std::string field_text(std::string_view field, const Dialect& dialect);

/// The same of a cell or a name of a table, as UTF-8.
std::string cell_text(std::string_view field, const Dialect& dialect);

/// A field that says `text`: in quotes where it would be read as something else without.
std::string quoted_if_needed(const std::string& text);

/// The start of the next line, `p` being at a line break; nullptr when the text ends before that shows.
const char* next_line(const char* p, const char* end);

/// Behind the line at `p` if it is blank or a comment, else `p`; nullptr when the text ends before that
/// shows.
const char* skip_line(const char* p, const char* end, const Dialect& dialect);

/// How many line breaks the text has.
std::size_t count_lines(std::string_view text);

/// How much of `text` is its first line, quoted line breaks included and the final one not;
/// std::string_view::npos when the text ends before the line does.
std::size_t line_length(std::string_view text, const Dialect& dialect);

/// The first of tab, semicolon and comma that the line has outside quotes; 0 if it has none, and never the
/// decimal sign. Semicolons go before commas: where both occur, the commas are likely decimal signs.
char separator_of(std::string_view line, char decimal);

/// Whether the line has a comma outside quotes that is no decimal sign: not between two digits, and not
/// before the first.
bool has_separating_comma(std::string_view line);

/// Calls visit(column, field) for every field of a line that ends in its line break.
template <class Visit>
void for_each_field(std::string_view line, const Dialect& dialect, Visit visit) {
  const char* const end = line.data() + line.size();
  const char* p = first_field(line.data(), end, dialect);
  bool more = true;
  for (std::size_t column = 0; more; ++column) {
    bool quoted = false;
    const char* stop = field_end(p, end, dialect, quoted);
    if (stop == nullptr) stop = end - 1;  // a quote left open: the rest of the line
    visit(column, std::string_view(p, static_cast<std::size_t>(stop - p)));
    p = stop;
    more = next_field(p, end, dialect);
  }
}

/// The texts of a line of comma-separated values, with or without its line break.
std::vector<std::string> fields_of(const std::string& line);

/// Whether all of the text is a number of this type.
template <class T>
bool reads_as(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// "1,234": three digits after the sign, as thousands have them too.
bool has_thousands(const std::string& text, char sign);

/// What a user can do about the text of a field where a number should be, if how the file is written explains
/// it; otherwise empty. `hash_first`: the first line starts with #; `has_fractions`: numbers were read that
/// have the decimal sign of the dialect.
std::string dialect_advice(const std::string& text, std::size_t column, const Dialect& dialect,
                           bool hash_first, bool has_fractions);

/// Whether a complaint gives the advice above to read with this decimal sign.
bool advises_decimal(std::string_view complaint, char decimal);

/// Whether the number is finite and not whole.
inline bool is_fraction(double value) { return std::isfinite(value) && value != std::floor(value); }

/// How many fields a line has that ends in its line break.
std::size_t count_fields(std::string_view line, const Dialect& dialect);

}  // namespace motmot
