#include "data/complaint.hpp"

#include "base/require.hpp"

namespace motmot {
namespace {

std::string quoted(std::string_view text, const char* end_quote) { return "'" + one_line(text) + end_quote; }

}  // namespace

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : quoted(path, "'"); }

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  return quoted(text.substr(0, longest), text.size() > longest ? "...'" : "'");
}

std::string kinds_option(std::string_view column, std::string_view kind) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  const std::string entry = std::string(column).append("=").append(kind);
  return "--kinds " +
         (column.find_first_not_of(plain) == std::string_view::npos ? entry : quoted(entry, "'"));
}

std::string column_label(std::size_t column, std::string_view name) {
  std::string label = "column ";
  const std::string number = std::to_string(column + 1);
  label += number;
  if (name != number) label.append(" ").append(shown(name));
  return label;
}

}  // namespace motmot
