#include "report/claims.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace motmot {
namespace {

constexpr const char* claimed = "What the paper claims";
constexpr const char* further = "Beyond what the paper claims: the same questions where it did not ask";

std::vector<Claim> those_beyond(const std::vector<Claim>& claims, bool beyond) {
  std::vector<Claim> some;
  for (const Claim& claim : claims)
    if (claim.beyond == beyond) some.push_back(claim);
  return some;
}

/// "holds only if the data are d1"
std::string verdict_words(const Claim& claim) {
  return claim.condition.empty() ? std::string(name(claim.verdict))
                                 : fmt::format("{} {}", name(claim.verdict), claim.condition);
}

std::string runs_words(const Claim& claim) {
  return claim.runs == 0 ? "none: arithmetic" : std::to_string(claim.runs);
}

/// A bar would end the cell of a table.
std::string markdown_cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe.append(c == '|' ? "\\|" : std::string(1, c));
  return safe;
}

}  // namespace

std::string table_markdown(const PageTable& table) {
  std::string text = table.caption + "\n\n|";
  for (const std::string& column : table.columns) text += " " + column + " |";
  text += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  for (const std::vector<std::string>& row : table.rows) {
    text += "\n|";
    for (const std::string& value : row) text += " " + markdown_cell(value) + " |";
  }
  return text + "\n";
}

std::string claims_lead(const std::vector<Claim>& claims) {
  std::size_t all = 0, holds = 0, only = 0;
  for (const Claim& c : those_beyond(claims, false)) {
    ++all;
    holds += c.verdict == Finding::holds ? 1 : 0;
    only += c.verdict == Finding::holds_only_if ? 1 : 0;
  }
  return fmt::format(
      "Of {} tests of what the paper claims, {} hold, {} hold under a condition, {} do not; {} more go "
      "beyond "
      "what it claims.",
      all, holds, only, all - holds - only, claims.size() - all);
}

std::string claims_text(const std::vector<Claim>& claims) {
  std::string text;
  for (const bool beyond : {false, true}) {
    const std::vector<Claim> some = those_beyond(claims, beyond);
    if (!some.empty()) text += std::string(beyond ? further : claimed) + "\n\n";
    for (const Claim& c : some) {
      text += wrap("  \"", c.quote + "\"", 95) + wrap("    test      ", c.test, 95);
      if (!c.why.empty()) text += wrap("    because   ", c.why, 95);
      text += wrap("    runs      ", runs_words(c), 95) + wrap("    measured  ", c.measured, 95) +
              wrap("    verdict   ", verdict_words(c), 95) + "\n";
    }
  }
  return text;
}

std::string claims_markdown(const std::vector<Claim>& claims) {
  std::string text;
  for (const bool beyond : {false, true}) {
    const std::vector<Claim> some = those_beyond(claims, beyond);
    if (some.empty()) continue;
    text += fmt::format(
        "{}**{}**\n\n| claim | test | why this threshold | runs | measured | verdict "
        "|\n|---|---|---|---|---|---|\n",
        text.empty() ? "" : "\n", beyond ? further : claimed);
    for (const Claim& c : some)
      text += fmt::format("| \"{}\" | {} | {} | {} | {} | **{}** |\n", markdown_cell(c.quote),
                          markdown_cell(c.test), markdown_cell(c.why), runs_words(c),
                          markdown_cell(c.measured), markdown_cell(verdict_words(c)));
  }
  return text;
}

Json claims_json(const std::vector<Claim>& claims) {
  Json json = Json::array();
  for (const Claim& c : claims)
    json.push_back({{"claim", c.quote},
                    {"test", c.test},
                    {"why", c.why},
                    {"runs", c.runs},
                    {"measured", c.measured},
                    {"verdict", name(c.verdict)},
                    {"condition", c.condition},
                    {"beyond", c.beyond}});
  return json;
}

std::vector<Section> claims_sections(const std::vector<Claim>& claims) {
  std::vector<Section> sections;
  for (const bool beyond : {false, true}) {
    PageTable table{.columns = {"claim", "test", "why this threshold", "runs", "measured", "verdict"}};
    for (const Claim& c : those_beyond(claims, beyond))
      table.rows.push_back({c.quote, c.test, c.why, runs_words(c), c.measured, verdict_words(c)});
    if (!table.rows.empty())
      sections.push_back({.heading = beyond ? further : claimed, .tables = {std::move(table)}});
  }
  return sections;
}

}  // namespace motmot
