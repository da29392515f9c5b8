#include "report/html_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace motmot {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  ///< U+FFFD

}  // namespace

std::string valid_utf8(std::string_view text) {
  using Json = nlohmann::json;  // which knows how to replace what is not UTF-8 when it writes
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
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
