#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace motmot {
namespace {

/// Numbers beyond these are written with an exponent.
constexpr double largest_written_out = 1e7, smallest_written_out = 1e-5;

std::string converted(double value, std::chars_format format, int precision) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr;
  return {text.data(), end};
}

/// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Bytes of the UTF-8 character at the start; 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xc2 && byte(0) < 0xe0   ? 2
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Too long for what they say, surrogates, beyond the last character.
  if ((byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) >= 0xa0) ||
      (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Characters of the bytes 0x80 to 0x9f in Windows-1252; the others are their own, as in Latin-1.
constexpr std::array<char16_t, 32> windows_1252{
    0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8d,   0x017d, 0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};

}  // namespace

std::string as_utf8(std::string text) {
  if (std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) ||
      is_utf8(text))
    return text;
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const unsigned code = byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80] : byte;
    if (code < 0x80) {
      converted += c;
    } else {
      if (code >= 0x800) converted += static_cast<char>(0xe0 | code >> 12);
      converted += static_cast<char>(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
      converted += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return converted;
}

std::string significant(double value, int digits) {
  return converted(value, std::chars_format::general, digits);
}

std::string fixed(double value, int decimals) {
  return converted(value, std::chars_format::fixed, std::min(decimals, 60));
}

int decimals_for(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return digits - 1;
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

std::string readable(double value, int digits) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (!(size >= smallest_written_out && size < largest_written_out)) return significant(value, digits);
  return fixed(value, decimals_for(value, digits));
}

std::string readable_value(double value, int digits) {
  const double size = std::abs(value);
  return size < largest_written_out && value == std::round(value) ? fixed(value, 0) : readable(value, digits);
}

std::string percent(double share) { return significant(100 * share, 4) + " %"; }

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text).append(width - std::min(width, width_of(text)), ' ');
}

std::string TextTable::text(const std::string& indent, const std::string& mark, std::size_t marked) const {
  std::vector<std::size_t> width(alignment_.size());
  for (const auto& row : rows_)
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], width_of(row[j]));
  std::string lines;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::string line = i == marked ? mark : indent;
    for (std::size_t j = 0; j < rows_[i].size(); ++j) {
      const std::string blanks(width[j] - width_of(rows_[i][j]), ' ');
      line += (j == 0 ? "" : "  ") + (alignment_[j] == 'l' ? rows_[i][j] + blanks : blanks + rows_[i][j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

std::vector<std::string> text_lines(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    const bool fits = !lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= width;
    if (lines.empty() || (!fits && !word.starts_with('%')))  // no number stands without its %
      lines.push_back(std::move(word));
    else lines.back().append(" ").append(word);
  }
  return lines;
}

std::string wrap(const std::string& first, const std::string& text, std::size_t width) {
  std::string wrapped = first;
  const std::string indent = "\n" + std::string(first.size(), ' ');
  for (const std::string& line : text_lines(text, width - std::min(width, first.size())))
    wrapped.append(wrapped.size() == first.size() ? "" : indent).append(line);
  return wrapped + "\n";
}

}  // namespace motmot
