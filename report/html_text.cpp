#include "report/html_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace motmot {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  ///< U+FFFD

/// Bytes of the UTF-8 character that starts at `text`, 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    valid += length == 0 ? replacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

std::string html_text(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::array<std::string_view, 5> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string html;
  html.reserve(text.size());
  for (const char c : valid_utf8(text)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (const std::size_t at = special.find(c); at != std::string_view::npos) html += entities[at];
    else if (control) html += replacement;
    else html += c;
  }
  return html;
}

std::string json_in_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) text.append(c == '<' ? "\\u003c" : std::string_view(&c, 1));
  return text;
}

std::string short_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
}

}  // namespace motmot
