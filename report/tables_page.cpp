#include "report/tables_page.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace motmot {
namespace {

std::string sample_name(Sample sample) { return sample == Sample::x ? "X" : "Y"; }

/// The most remote rows of both samples: score by rank.
Chart scores_chart(const Outliers& found) {
  constexpr std::size_t most_drawn = 1000;
  Chart chart{.title = "Scores by rank",
              .x_label = "rank",
              .y_label = "score",
              .y_log = true,
              .note = "A gap divides rows that stand out from a tail that falls off smoothly."};
  std::vector<double> kept;
  Series out{.name = "stand out", .mark = Series::Mark::points, .highlight = true};
  Series rest{.name = "kept", .mark = Series::Mark::points, .muted = true};
  for (const OutlierRow& row : found.rows) {
    if (!row.suspect) continue;
    out.x.push_back(static_cast<double>(out.x.size() + 1));
    out.y.push_back(row.score);
    out.labels.push_back(row.reason);
  }
  const auto add = [&](const OutlierSample& sample) {
    for (std::uint32_t i = 0; i < sample.scores.size(); ++i)
      if (!std::ranges::binary_search(sample.suspects, i)) kept.push_back(sample.scores[i]);
  };
  add(found.x);
  if (found.y) add(*found.y);
  std::ranges::sort(kept, std::greater{});
  for (std::size_t i = 0; i < std::min(kept.size(), most_drawn); ++i) {
    rest.x.push_back(static_cast<double>(out.x.size() + i + 1));
    rest.y.push_back(kept[i]);
  }
  for (Series* series : {&out, &rest})
    if (!series->x.empty()) chart.series.push_back(std::move(*series));
  return chart;
}

PageTable rows_table(const Outliers& found, bool suspects, const PerSample<RowNumbers>& from) {
  constexpr std::size_t most = 500;
  PageTable table{.caption = suspects ? "Rows that stand out" : "The next rows, the strangest first",
                  .columns = {"sample", "row", "score", "sign", "column", "value", "reason"}};
  for (const OutlierRow& row : found.rows)
    if (row.suspect == suspects && table.rows.size() < most)
      table.rows.push_back(
          {sample_name(row.sample), std::to_string((row.sample == Sample::x ? from.x : from.y)[row.row]),
           readable(row.score, 3), std::string(name(row.sign)), row.column, row.value, row.reason});
  return table;
}

Highlight highlight_of(const OutlierSample& sample, const std::string& label) {
  return {.label = label,
          .value = std::to_string(sample.suspects.size()) + " of " + std::to_string(sample.n),
          .note = sample.suspects.empty() ? "no row stands out"
                                          : "expected to be right all the same: " +
                                                (sample.false_share < 0.001
                                                     ? "less than 0.1 %"
                                                     : percent(std::round(1000 * sample.false_share) / 1000)),
          .accent = true};
}

}  // namespace

Page outliers_page(const Outliers& found, const PerSample<RowNumbers>& from, const std::string& command) {
  const std::size_t all = found.x.suspects.size() + (found.y ? found.y->suspects.size() : 0);
  Page page{.title = "Rows that stand out",
            .lead = all == 0 ? "No row stands out."
                             : counted(all, "row") + " stand out; each has its reason below.",
            .warnings = found.notes,
            .json = outliers_json(found, from)};
  page.highlights.push_back(highlight_of(found.x, found.y ? "X" : "rows that stand out"));
  if (found.y) page.highlights.push_back(highlight_of(*found.y, "Y"));
  Section rows{.heading = "Which, and why"};
  for (const bool suspects : {true, false})
    if (PageTable table = rows_table(found, suspects, from); !table.rows.empty())
      rows.tables.push_back(std::move(table));
  if (!found.run.stopped)
    page.sections.push_back({.heading = "How far from company", .charts = {scores_chart(found)}});
  page.sections.push_back(std::move(rows));
  Section how{.heading = "Settings"};
  how.facts = {{"tau", significant(found.x.tau, 3)},
               {"scale", found.scale},
               {"neighbour", std::to_string(found.x.neighbour)}};
  for (std::size_t k = 0; k < found.columns.size(); ++k)
    how.facts.push_back({found.columns[k], std::string(name(found.kinds[k]))});
  for (const ColumnLeftOut& column : found.columns_left_out)
    how.facts.push_back({column.name, "left out: " + column.why});
  how.code = command;
  page.sections.push_back(std::move(how));
  return page;
}

Page doctor_page(const Checkup& checkup, const std::string& command) {
  Page page{.title = "Before the comparison",
            .lead = checkup.findings.empty()
                        ? "Nothing stands in the way."
                        : counted(checkup.findings.size(), "finding") + ", the worst first.",
            .json = doctor_json(checkup)};
  page.highlights = {{.label = "findings", .value = std::to_string(checkup.findings.size()), .accent = true},
                     {.label = "rows of X", .value = std::to_string(checkup.n)},
                     {.label = "columns", .value = std::to_string(checkup.columns.size())}};
  if (checkup.m) page.highlights.push_back({.label = "rows of Y", .value = std::to_string(*checkup.m)});
  if (!checkup.findings.empty()) {
    PageTable table{.caption = "Findings", .columns = {"code", "table", "finding", "what to type"}};
    for (const Symptom& f : checkup.findings)
      table.rows.push_back({std::string(name(f.code)), f.table, f.text + ".", f.type});
    page.sections.push_back({.heading = "What stands in the way", .tables = {std::move(table)}});
  }
  PageTable costs{.caption = "Forecast", .columns = {"method", "CPU seconds", "MB"}};
  for (const Forecast& one : checkup.forecasts)
    costs.rows.push_back({one.method, readable(one.seconds, 2), readable(one.megabytes, 2)});
  page.sections.push_back({.heading = "What it would cost",
                           .paragraphs = {"Fitted to runs on normal rows; expect a factor of three."},
                           .tables = {std::move(costs)},
                           .code = command});
  return page;
}

}  // namespace motmot
