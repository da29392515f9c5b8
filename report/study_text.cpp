#include <fmt/format.h>

#include <iterator>

#include "report/study_report.hpp"
#include "report/study_words.hpp"

namespace motmot {
namespace {

/// Breaks at blanks, so that no line is longer than `width`; continued lines start with `indent`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > width) {
      lines.append("\n").append(indent);
      column = 0;
    }
    if (column > 0) lines += ' ';
    lines += word;
    column += word.size() + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe.append(c == '|' ? "\\|" : std::string(1, c));
  return safe;
}

}  // namespace

std::string claims_text(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& c : claims) {
    fmt::format_to(std::back_inserter(text), "  \"{}\"\n", wrapped(c.quote, 92, "   "));
    fmt::format_to(std::back_inserter(text), "    test      {}\n", wrapped(c.test, 82, "              "));
    fmt::format_to(std::back_inserter(text), "    measured  {}\n", wrapped(c.measured, 82, "              "));
    fmt::format_to(std::back_inserter(text), "    verdict   {}\n\n",
                   wrapped(verdict_words(c), 82, "              "));
  }
  return text;
}

std::string claims_markdown(const std::vector<Claim>& claims) {
  std::string text = "| claim | test | measured | verdict |\n|---|---|---|---|\n";
  for (const Claim& c : claims)
    fmt::format_to(std::back_inserter(text), "| \"{}\" | {} | {} | **{}** |\n", cell(c.quote), cell(c.test),
                   cell(c.measured), cell(verdict_words(c)));
  return text;
}

}  // namespace motmot
