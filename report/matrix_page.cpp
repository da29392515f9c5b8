// What the pages of many samples and of many methods say.
#include "report/matrix_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/html_text.hpp"

namespace motmot {
namespace {

std::size_t pairs_that_differ(const Matrix& m) {
  return static_cast<std::size_t>(
      std::ranges::count_if(m.pairs, [](const MatrixPair& p) { return p.differ; }));
}

std::size_t rows_left_out(const Matrix& m) {
  std::size_t rows = 0;
  for (const MatrixSample& sample : m.samples) rows += sample.left_out.size();
  return rows;
}

std::vector<MatrixPair> by_distance(const Matrix& m) {
  std::vector<MatrixPair> pairs = m.pairs;
  std::ranges::stable_sort(pairs, std::greater{}, &MatrixPair::value);
  return pairs;
}

std::string pair_name(const Matrix& m, const MatrixPair& pair) {
  return m.samples[pair.first].name + " – " + m.samples[pair.second].name;
}

PageTable pairs_table(const Matrix& m) {
  PageTable table{.caption = fmt::format("All {} pairs, the farthest first", m.pairs.size()),
                  .columns = {"first", "second", "distance", "chance", "p", "q", "more than chance"},
                  .folded = m.pairs.size() > 20};
  for (const MatrixPair& pair : by_distance(m))
    table.rows.push_back({m.samples[pair.first].name, m.samples[pair.second].name, short_number(pair.value),
                          pair.floor ? short_number(*pair.floor) : "", fmt::format("{:.2g}", pair.p_value),
                          fmt::format("{:.2g}", pair.q_value), pair.differ ? "yes" : "no"});
  return table;
}

PageTable samples_table(const Matrix& m) {
  PageTable table{.caption = "The samples",
                  .columns = {"sample", "rows", "left out", "used", "dropped", "distance of halves"},
                  .folded = m.samples.size() > 20};
  for (const MatrixSample& sample : m.samples)
    table.rows.push_back({sample.name, std::to_string(sample.n), std::to_string(sample.left_out.size()),
                          std::to_string(sample.rows_used), std::to_string(sample.rows_dropped),
                          sample.halves ? short_number(*sample.halves) : ""});
  return table;
}

/// One against all: bars, and what chance gives beside each.
Chart against_chart(const Matrix& m) {
  Chart chart{.title = "Distance from " + m.samples[*m.against].name,
              .y_label = "distance",
              .note = "The darker part of a bar is what chance alone gives at these numbers of rows.",
              .horizontal = true};
  Series value{.name = "distance", .mark = Series::Mark::bars},
      chance{.name = "chance alone", .mark = Series::Mark::bars, .muted = true};
  for (const MatrixPair& pair : by_distance(m)) {
    const auto place = static_cast<double>(chart.categories.size());
    chart.categories.push_back(m.samples[pair.first == *m.against ? pair.second : pair.first].name);
    value.x.push_back(place);
    value.y.push_back(pair.value);
    chance.x.push_back(place);
    chance.y.push_back(pair.floor.value_or(0));
  }
  chart.series = {value, chance};
  return chart;
}

Section near_part(const Matrix& m) {
  if (m.against) return {.heading = "How far", .charts = {against_chart(m)}};
  if (m.order.empty()) return {};
  return {.heading = "What lies near what",
          .pictures = {
              {"Every pair", matrix_heat_svg(m),
               "The stronger the colour, the farther apart. A dot: no more than chance gives. Right: "
               "clusters by the mean "
               "distance "
               "between their samples."},
              {"A map", matrix_map_svg(m),
               fmt::format(
                   "Near on the map is near in distance; the plane shows {:.0f} % of what there is to see.",
                   100 * *m.map_share)}}};
}

std::vector<Fact> matrix_facts(const Matrix& m) {
  std::vector<std::string> left_out;
  for (const ColumnLeftOut& column : m.columns_left_out) left_out.push_back(column.name + " " + column.why);
  std::vector<Fact> list{
      {"samples", std::to_string(m.samples.size())},
      {"columns", fmt::format("{}", fmt::join(m.columns, ", "))},
      {"not compared", fmt::format("{}", fmt::join(left_out, "; "))},
      {"units", m.scale},
      {"tau", "at most " + percent(m.tau) + " of each sample"},
      {"p-values", "energy distance, by a law with the moments of all permutations; approximate"},
      {"q-values", "Benjamini and Hochberg over the pairs; more than chance: at most " + percent(m.alpha)},
      {"run", fmt::format("{} exact solves, {:.3g} s on {} threads, seed {}", m.run.solves, m.run.seconds,
                          m.run.threads, m.seed)},
      {"version", std::string(version())}};
  std::erase_if(list, [](const Fact& fact) { return fact.value.empty(); });
  return list;
}

Section again_part(const std::string& command) {
  return {.heading = "The same run again",
          .paragraphs = {"The same seed gives the same bits on any number of threads."},
          .code = command};
}

std::string matrix_lead(const Matrix& m) {
  const std::string compared =
      m.against ? fmt::format("{} were held against {}.", counted(m.samples.size() - 1, "sample"),
                              m.samples[*m.against].name)
                : fmt::format("{} were compared, each with each.", counted(m.samples.size(), "sample"));
  return fmt::format("{} {} of {} {} by more than chance.", compared, pairs_that_differ(m),
                     counted(m.pairs.size(), "pair"), m.pairs.size() == 1 ? "differs" : "differ");
}

}  // namespace

Page matrix_page(const Matrix& m, std::span<const RowNumbers> from, const std::string& command) {
  Page page{.title = m.against ? "Distances from " + m.samples[*m.against].name
                               : fmt::format("Distances between {}", counted(m.samples.size(), "sample")),
            .lead = matrix_lead(m),
            .warnings = m.warnings,
            .json = matrix_json(m, from)};
  page.highlights.push_back({"differ", fmt::format("{} of {}", pairs_that_differ(m), m.pairs.size()),
                             "pairs, by more than chance", true});
  if (!m.pairs.empty()) {
    const std::vector<MatrixPair> pairs = by_distance(m);
    page.highlights.push_back({"farthest", readable(pairs.front().value, 3), pair_name(m, pairs.front())});
    page.highlights.push_back({"nearest", readable(pairs.back().value, 3), pair_name(m, pairs.back())});
  }
  page.highlights.push_back(
      {"left out", std::to_string(rows_left_out(m)), "rows that stand alone in their samples"});
  if (Section part = near_part(m); !part.heading.empty()) page.sections.push_back(std::move(part));
  page.sections.push_back({.heading = "All of it", .tables = {pairs_table(m), samples_table(m)}});
  page.sections.push_back({.heading = "Settings", .facts = matrix_facts(m)});
  if (!command.empty()) page.sections.push_back(again_part(command));
  return page;
}

namespace {

std::string moved_by(const std::optional<double>& movement) {
  if (!movement) return "-";
  return *movement > 99.5 ? fmt::format("× {:.3g}", 1 + *movement)
                          : fmt::format("{:+.1f} %", 100 * *movement);
}

PageTable methods_table(const Comparison& c) {
  PageTable table{.columns = {"method", "value", "seconds"}};
  for (const Planted& planted : c.planted) table.columns.emplace_back(name(planted.dirt));
  table.columns.emplace_back("assumes");
  for (const MethodResult& method : c.methods) {
    std::vector<std::string> row{std::string(name(method.method)), short_number(method.value),
                                 fmt::format("{:.2g}", method.seconds)};
    for (const Stressed& stressed : method.stress) row.push_back(moved_by(stressed.movement));
    row.push_back(method.assumes);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Chart values_chart(const Comparison& c) {
  Chart chart{.title = "What each method says", .y_label = "value", .horizontal = true};
  Series ours{.name = "the answer", .mark = Series::Mark::bars},
      rest{.name = "for comparison", .mark = Series::Mark::bars, .muted = true};
  for (const MethodResult& method : c.methods) {
    Series& to = method.method == Method::company ? ours : rest;
    to.x.push_back(static_cast<double>(chart.categories.size()));
    to.y.push_back(method.value);
    chart.categories.emplace_back(name(method.method));
  }
  chart.series = {ours, rest};
  chart.note = "Sliced and energy measure something else than W1: compare them with themselves only.";
  return chart;
}

/// The factor by which each dirt changes a value, on a logarithmic scale.
Chart stress_chart(const Comparison& c) {
  Chart chart{.title = "What dirt does",
              .y_label = "with dirt / without",
              .y_log = true,
              .guides = {{.at = 1, .label = "not moved"}}};
  for (const MethodResult& method : c.methods) chart.categories.emplace_back(name(method.method));
  for (std::size_t k = 0; k < c.planted.size(); ++k) {
    Series series{.name = std::string(name(c.planted[k].dirt)), .mark = Series::Mark::points};
    for (std::size_t i = 0; i < c.methods.size(); ++i) {
      if (!c.methods[i].stress[k].movement) continue;
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(std::max(1e-3, 1 + *c.methods[i].stress[k].movement));
    }
    chart.series.push_back(std::move(series));
  }
  chart.note = "1: the dirt did nothing.";
  return chart;
}

}  // namespace

Page compare_page(const Comparison& c, const std::string& command) {
  Page page{
      .title = "One pair of samples, several distances", .warnings = c.warnings, .json = compare_json(c)};
  page.lead = fmt::format("{} and {} rows of {}, at most {} of each wrong{}.", c.n, c.m,
                          counted(c.d, "column"), percent(c.tau),
                          c.p_value ? fmt::format("; p = {:.2g} if there is no difference", *c.p_value) : "");
  Section part{.heading = "The methods", .charts = {values_chart(c)}, .tables = {methods_table(c)}};
  if (!c.planted.empty()) {
    part.charts.push_back(stress_chart(c));
    for (const Planted& planted : c.planted)
      part.facts.push_back({std::string(name(planted.dirt)),
                            fmt::format("{} of X: {}", counted(planted.rows, "row"), planted.what)});
  }
  page.sections.push_back(std::move(part));
  page.sections.push_back({.heading = "Settings",
                           .facts = {{"columns", fmt::format("{}", fmt::join(c.columns, ", "))},
                                     {"units", c.scale},
                                     {"run", fmt::format("{:.3g} s on {} threads, seed {}", c.run.seconds,
                                                         c.run.threads, c.seed)},
                                     {"version", std::string(version())}}});
  if (!command.empty()) page.sections.push_back(again_part(command));
  return page;
}

}  // namespace motmot
