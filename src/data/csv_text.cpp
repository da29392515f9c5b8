#include "data/csv_text.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/require.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_missing(std::string_view text) {
  constexpr std::string_view words[] = {"", "na", "n/a", "#n/a", "nan", "null", "none", "?"};
  return std::ranges::any_of(words, [&](std::string_view word) { return equal_ignoring_case(text, word); });
}

/// `p` is behind an opening quote; the result is behind the closing one.
const char* closing_quote(const char* p, const char* end) {
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (p == nullptr || p + 1 == end) return nullptr;  // the next byte tells "" from an end
    if (p[1] != '"') return p + 1;
    p += 2;
  }
}

/// Follows the quotes of a line. They open at the start of a field; in the middle of one they are
/// characters like others, except right after a closing quote, where they open the field again ("").
class QuoteState {
 public:
  explicit QuoteState(const Dialect& dialect) : dialect_(dialect) {}

  /// Whether the character is outside quotes.
  bool outside(char c) {
    const bool counts = c == '"' && (open_ || at_start_ || just_closed_);
    just_closed_ = counts && open_;
    if (counts) open_ = !open_;
    at_start_ = separates(c) || (at_start_ && c == ' ');
    return !open_;
  }

 private:
  [[nodiscard]] bool separates(char c) const {
    return dialect_.separator != 0 ? dialect_.separates(c) : c == ',' || c == ';' || c == '\t' || c == '|';
  }

  const Dialect& dialect_;
  bool open_ = false;
  bool at_start_ = true;
  bool just_closed_ = false;
};

/// The separator that a user means: one character, or its name.
char separator_named(const std::string& text) {
  constexpr std::pair<std::string_view, char> words[] = {{"", '\0'},     {"tab", '\t'},  {"\\t", '\t'},
                                                         {"space", ' '}, {"comma", ','}, {"semicolon", ';'},
                                                         {"pipe", '|'}};
  for (const auto& [word, sign] : words)
    if (text == word) return sign;
  constexpr std::string_view signs = "\t ,;|:!/\\^~&*#@_$%";
  require(text.size() == 1 && signs.find(text[0]) != std::string_view::npos, Errc::invalid_argument,
          "--separator must be tab, space, comma, semicolon, pipe or a sign such as ':'; got ", shown(text));
  return text[0];
}

}  // namespace

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(
      text, lower, [](char a, char b) { return a == b || ('A' <= a && a <= 'Z' && a - 'A' + 'a' == b); });
}

bool Dialect::is_na(double value) const noexcept {
  return std::ranges::find(na_numbers, value) != na_numbers.end();
}

Dialect dialect_of(const ReadOptions& options) {
  Dialect dialect{.separator = separator_named(options.separator),
                  .decimal = options.decimal,
                  .comment = options.comment};
  require(dialect.decimal == '.' || dialect.decimal == ',', Errc::invalid_argument,
          "--decimal must be '.' or ','; got ", shown({&options.decimal, 1}));
  require(dialect.comment.find_first_of(" \t\r\n\"") == std::string::npos, Errc::invalid_argument,
          "--comment must be a sign without blanks and quotes; got ", shown(dialect.comment));
  for (const std::string& text : options.na) {
    double value = 0;
    if (classify(text, dialect, value) == Cell::number) dialect.na_numbers.push_back(value);
  }
  dialect.na = options.na;
  return dialect;
}

Cell classify(std::string_view text, const Dialect& dialect, double& value) {
  text = trimmed(text);
  if (is_missing(text) || std::ranges::find(dialect.na, text) != dialect.na.end()) return Cell::missing;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  double parsed = 0;
  const fast_float::parse_options format(fast_float::chars_format::general, dialect.decimal);
  const auto result = fast_float::from_chars_advanced(text.data(), end, parsed, format);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return Cell::text;
  if (!std::isfinite(parsed) || dialect.is_na(parsed)) return Cell::missing;
  value = parsed;
  return Cell::number;
}

const char* field_end(const char* p, const char* end, const Dialect& dialect, bool& quoted) {
  const char* first = p;
  while (first != end && is_blank(*first) && !dialect.separates(*first)) ++first;
  if (first != end && *first == '"') {
    quoted = true;
    p = closing_quote(first + 1, end);
    if (p == nullptr) return nullptr;
  }
  while (p != end && !dialect.ends_field(*p)) ++p;
  return p == end ? nullptr : p;
}

const char* first_field(const char* p, const char* end, const Dialect& dialect) {
  if (dialect.separator == ' ')
    while (p != end && is_blank(*p)) ++p;
  return p;
}

std::string field_text(std::string_view field, const Dialect& dialect) {
  while (!field.empty() && is_blank(field.front()) && !dialect.separates(field.front()))
    field.remove_prefix(1);
  if (!field.starts_with('"')) return std::string(trimmed(field));
  std::string text;
  std::size_t i = 1;
  for (bool open = true; open && i < field.size(); ++i) {
    const bool pair = field.substr(i, 2) == "\"\"";
    open = field[i] != '"' || pair;
    if (open) text += field[i];
    if (pair) ++i;
  }
  return text.append(trimmed(field.substr(std::min(i, field.size()))));
}

std::string cell_text(std::string_view field, const Dialect& dialect) {
  return as_utf8(field_text(field, dialect));
}

const char* next_line(const char* p, const char* end) {
  if (*p == '\n') return p + 1;
  if (p + 1 == end) return nullptr;  // CR alone, or the first half of CRLF?
  return p[1] == '\n' ? p + 2 : p + 1;
}

const char* skip_line(const char* p, const char* end, const Dialect& dialect) {
  const char* q = p;
  while (q != end && (*q == ' ' || (*q == '\t' && dialect.separator == ' '))) ++q;
  if (q == end) return nullptr;
  if (*q == '\n' || *q == '\r') return next_line(q, end);
  if (dialect.comment.empty()) return p;
  const std::string_view rest(q, static_cast<std::size_t>(end - q));
  const std::size_t seen = std::min(rest.size(), dialect.comment.size());
  if (rest.substr(0, seen) != std::string_view(dialect.comment).substr(0, seen)) return p;
  const std::size_t length = rest.find_first_of("\r\n");
  return length == std::string_view::npos ? nullptr : next_line(q + length, end);
}

std::size_t count_lines(std::string_view text) {
  std::size_t lines = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) ++lines;
  return lines;
}

std::size_t line_length(std::string_view text, const Dialect& dialect) {
  QuoteState quotes(dialect);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (quotes.outside(text[i]) && (text[i] == '\n' || text[i] == '\r')) return i;
  return std::string_view::npos;
}

char separator_of(std::string_view line, char decimal) {
  const std::string_view candidates = decimal == ',' ? "\t;" : "\t;,";
  const Dialect unknown{.separator = 0};
  QuoteState quotes(unknown);
  std::size_t best = candidates.size();
  for (const char c : line)
    if (quotes.outside(c)) best = std::min(best, candidates.find(c));
  return best < candidates.size() ? candidates[best] : '\0';
}

bool has_separating_comma(std::string_view line) {
  const Dialect unknown{.separator = 0};
  const auto is_digit = [&](std::size_t i) { return i < line.size() && '0' <= line[i] && line[i] <= '9'; };
  QuoteState quotes(unknown);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool decimal = is_digit(i + 1) && (i == 0 || is_digit(i - 1));
    if (quotes.outside(line[i]) && line[i] == ',' && !decimal) return true;
  }
  return false;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for_each_field(line + "\n", Dialect{}, [&](std::size_t, std::string_view field) {
    fields.push_back(field_text(field, Dialect{}));
  });
  return fields;
}

namespace {

constexpr std::string_view reads_like_this = " reads numbers like this";

}  // namespace

bool has_thousands(const std::string& text, char sign) {
  const std::size_t at = text.find(sign);
  return at != std::string::npos && text.size() == at + 4 && text.find_first_of("eE") == std::string::npos;
}

bool advises_decimal(std::string_view complaint, char decimal) {
  return complaint.find((std::string("--decimal ") + decimal).append(reads_like_this)) !=
         std::string_view::npos;
}

std::string dialect_advice(const std::string& text, std::size_t column, const Dialect& dialect,
                           bool hash_first, bool has_fractions) {
  Dialect other = dialect;
  other.decimal = dialect.decimal == '.' ? ',' : '.';
  double ignored = 0;
  const bool is_other = classify(text, other, ignored) == Cell::number;
  if (is_other && has_fractions)
    return std::string("other numbers of the file have '") + dialect.decimal +
           "' as their decimal sign: write all of them alike, and thousands without a sign";
  if (is_other)
    return (std::string("--decimal ") + other.decimal).append(reads_like_this) +
           (has_thousands(text, other.decimal)
                ? "; if this is more than a thousand, it must be written without "
                  "the sign"
                : "");
  return hash_first || (column == 0 && text.starts_with('#')) ? "--comment '#' skips such lines" : "";
}

std::size_t count_fields(std::string_view line, const Dialect& dialect) {
  std::size_t count = 0;
  for_each_field(line, dialect, [&](std::size_t, std::string_view) { ++count; });
  return count;
}

}  // namespace motmot
