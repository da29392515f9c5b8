// A study as a page.
#include <fmt/format.h>

#include "base/text.hpp"
#include "report/claims.hpp"
#include "report/study_report.hpp"

namespace motmot {
namespace {

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

}  // namespace

Page study_page(const StudyResult& result, const std::vector<Claim>& claims, const std::string& command) {
  Page page{.title = fmt::format("motmot reproduce {}", name(result.options.study)),
            .lead = fmt::format("{} cells, {}. {}", result.cells,
                                counted(result.options.repetitions, "repetition"), claims_lead(claims))};
  for (const StudyFigure& f : study_figures(result))
    page.sections.push_back(
        {.heading = f.figure.title, .paragraphs = {f.figure.note}, .charts = f.figure.panels});
  if (result.options.study == Study::breakdown) {
    const HeatTable heat = breakdown_table(result);
    page.sections.push_back(
        {.heading = heat.title, .paragraphs = {heat.note}, .tables = {heat_page_table(heat)}});
  }
  for (Section& section : claims_sections(claims)) page.sections.push_back(std::move(section));
  page.sections.push_back({.heading = "To make this page again", .code = command});
  page.json = study_json(result, claims);
  return page;
}

}  // namespace motmot
