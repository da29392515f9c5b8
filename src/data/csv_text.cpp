#include "data/csv_text.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace motmot {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(
      text, lower, [](char a, char b) { return a == b || ('A' <= a && a <= 'Z' && a - 'A' + 'a' == b); });
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

}  // namespace

Cell classify(std::string_view text, double& value) {
  text = trimmed(text);
  if (is_missing(text)) return Cell::missing;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  double parsed = 0;
  const auto result = fast_float::from_chars(text.data(), end, parsed);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return Cell::text;
  if (!std::isfinite(parsed)) return Cell::missing;
  value = parsed;
  return Cell::number;
}

// Correctly rounded (Clinger, 1990): both the digits and the power of ten are exact as doubles, so the
// division rounds once. Numbers of this kind fill most files, and take half the time of a general parse.
const char* short_decimal(const char* p, double& value) {
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
  if (*p == '.') {
    ++p;
    decimals = read_digits();
  }
  if (whole + decimals == 0 || whole + decimals > most_digits) return nullptr;
  double size = static_cast<double>(digits);
  if (decimals > 0) size /= power_of_ten[decimals];
  value = negative ? -size : size;
  return p;
}

const char* field_end(const char* p, const char* end, char separator, bool& quoted) {
  const char* first = p;
  while (first != end && is_blank(*first) && *first != separator) ++first;
  if (first != end && *first == '"') {
    quoted = true;
    p = closing_quote(first + 1, end);
    if (p == nullptr) return nullptr;
  }
  while (p != end && *p != separator && *p != '\n' && *p != '\r') ++p;
  return p == end ? nullptr : p;
}

std::string field_text(std::string_view field, char separator) {
  while (!field.empty() && is_blank(field.front()) && field.front() != separator) field.remove_prefix(1);
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

const char* next_line(const char* p, const char* end) {
  if (*p == '\n') return p + 1;
  if (p + 1 == end) return nullptr;  // CR alone, or the first half of CRLF?
  return p[1] == '\n' ? p + 2 : p + 1;
}

std::size_t count_lines(std::string_view text) {
  std::size_t lines = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) ++lines;
  return lines;
}

TextWindow::TextWindow(ByteReader& in)
    : in_(in), buffer_(1 << 18), begin_(buffer_.data()), end_(buffer_.data()) {}

bool TextWindow::extend() {
  if (at_end_) return false;
  make_room();
  char* const to = buffer_.data() + (end_ - buffer_.data());
  const std::size_t room = buffer_.size() - 1 - static_cast<std::size_t>(end_ - buffer_.data());
  const std::size_t got = in_.read_fully(std::span(to, room));
  if (got == 0) {
    *to = '\n';
    at_end_ = true;
  }
  end_ += std::max<std::size_t>(got, 1);
  buffer_[static_cast<std::size_t>(end_ - buffer_.data())] = '\0';
  return true;
}

void TextWindow::make_room() {
  const auto kept = static_cast<std::size_t>(end_ - begin_);
  if (begin_ != buffer_.data()) std::memmove(buffer_.data(), begin_, kept);
  // Doubling keeps the cost of a record longer than the buffer linear.
  if (kept > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
  begin_ = buffer_.data();
  end_ = begin_ + kept;
}

}  // namespace motmot
