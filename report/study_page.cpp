// A study as a page, and its claims as text.
#include <fmt/format.h>

#include <iterator>

#include "base/text.hpp"
#include "report/study_report.hpp"
#include "report/words.hpp"

namespace motmot {
namespace {

PageTable claims_table(const std::vector<Claim>& claims) {
  PageTable table{.caption = "Claims of Section 4.2", .columns = {"claim", "test", "measured", "verdict"}};
  for (const Claim& c : claims) table.rows.push_back({c.quote, c.test, c.measured, verdict_words(c)});
  return table;
}

PageTable heat_page_table(const HeatTable& heat) {
  PageTable table{.caption = heat.title, .columns = {"data", "outliers"}};
  table.columns.insert(table.columns.end(), heat.columns.begin(), heat.columns.end());
  for (const HeatTable::Row& row : heat.rows) {
    std::vector<std::string> cells{row.group, row.name};
    for (const std::optional<double>& value : row.values)
      cells.push_back(value ? fmt::format("{:.1f}", *value) : "");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string lead(const StudyResult& r, const std::vector<Claim>& claims) {
  std::size_t holds = 0, only = 0;
  for (const Claim& c : claims) {
    holds += c.verdict == Finding::holds ? 1 : 0;
    only += c.verdict == Finding::holds_only_if ? 1 : 0;
  }
  return fmt::format(
      "{} cells, {}. Of {} tests of what Section 4.2 claims, {} hold, {} hold under a condition, {} do not.",
      r.cells, counted(r.options.repetitions, "repetition"), claims.size(), holds, only,
      claims.size() - holds - only);
}

/// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe.append(c == '|' ? "\\|" : std::string(1, c));
  return safe;
}

}  // namespace

Page study_page(const StudyResult& result, const std::vector<Claim>& claims, const std::string& command) {
  Page page{.title = fmt::format("motmot reproduce {}", name(result.options.study)),
            .lead = lead(result, claims)};
  for (const StudyFigure& f : study_figures(result))
    page.sections.push_back(
        {.heading = f.figure.title, .paragraphs = {f.figure.note}, .charts = f.figure.panels});
  if (result.options.study == Study::breakdown) {
    const HeatTable heat = breakdown_table(result);
    page.sections.push_back(
        {.heading = heat.title, .paragraphs = {heat.note}, .tables = {heat_page_table(heat)}});
  }
  page.sections.push_back({.heading = "What the paper says of it", .tables = {claims_table(claims)}});
  page.sections.push_back({.heading = "To make this page again", .code = command});
  page.json = study_json(result, claims);
  return page;
}

std::string claims_text(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& c : claims) {
    text += wrap("  \"", c.quote + "\"", 95) + wrap("    test      ", c.test, 95);
    text += wrap("    measured  ", c.measured, 95) + wrap("    verdict   ", verdict_words(c), 95) + "\n";
  }
  return text;
}

std::string claims_markdown(const std::vector<Claim>& claims) {
  std::string text = "| claim | test | measured | verdict |\n|---|---|---|---|\n";
  for (const Claim& c : claims)
    text += fmt::format("| \"{}\" | {} | {} | **{}** |\n", cell(c.quote), cell(c.test), cell(c.measured),
                        cell(verdict_words(c)));
  return text;
}

}  // namespace motmot
