// A chart as JSON and as a table: the same numbers twice.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "report/html_text.hpp"
#include "report/page.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

void check(const Chart& chart) {
  for (const Series& s : chart.series) {
    const auto fits = [&](std::size_t size) { return size == 0 || size == s.y.size(); };
    require(s.x.size() == s.y.size() && fits(s.low.size()) && fits(s.labels.size()) &&
                s.low.size() == s.high.size(),
            Errc::invalid_argument, "series '", s.name, "' of chart '", chart.title,
            "' must have lists of equal length, got x ", s.x.size(), ", y ", s.y.size(), ", low ",
            s.low.size(), ", high ", s.high.size(), ", labels ", s.labels.size());
  }
  require(!chart.horizontal || !chart.categories.empty(), Errc::invalid_argument, "chart '", chart.title,
          "' is horizontal and needs categories");
}

Json json_of(const Series& s) {
  return {
      {"name", s.name}, {"mark", name(s.mark)}, {"highlight", s.highlight}, {"muted", s.muted},  {"x", s.x},
      {"y", s.y},       {"low", s.low},         {"high", s.high},           {"labels", s.labels}};
}

std::string x_text(const Chart& chart, double x) {
  const bool named = !chart.categories.empty() && x >= 0 && x == std::floor(x) &&
                     x < static_cast<double>(chart.categories.size());
  return named ? chart.categories[static_cast<std::size_t>(x)] : short_number(x);
}

bool same_rows(const Chart& chart) {
  return std::ranges::all_of(chart.series, [&](const Series& s) {
    return s.x == chart.series.front().x && s.labels == chart.series.front().labels;
  });
}

std::string x_heading(const Chart& chart) { return chart.x_label.empty() ? "x" : chart.x_label; }
std::string y_heading(const Chart& chart) { return chart.y_label.empty() ? "y" : chart.y_label; }

void add_wide_columns(const Chart& chart, const Series& s, PageTable& table) {
  const std::string column = chart.series.size() == 1 ? y_heading(chart) : s.name;
  table.columns.push_back(column);
  if (!s.low.empty()) {
    table.columns.push_back(column + ", from");
    table.columns.push_back(column + ", to");
  }
  for (std::size_t i = 0; i < s.y.size(); ++i) {
    table.rows[i].push_back(short_number(s.y[i]));
    if (s.low.empty()) continue;
    table.rows[i].push_back(short_number(s.low[i]));
    table.rows[i].push_back(short_number(s.high[i]));
  }
}

/// One row per x.
PageTable wide_table(const Chart& chart) {
  const Series& first = chart.series.front();
  PageTable table;
  if (!first.labels.empty()) table.columns.emplace_back("");
  table.columns.push_back(x_heading(chart));
  table.rows.resize(first.x.size());
  for (std::size_t i = 0; i < first.x.size(); ++i) {
    if (!first.labels.empty()) table.rows[i].push_back(first.labels[i]);
    table.rows[i].push_back(x_text(chart, first.x[i]));
  }
  for (const Series& s : chart.series) add_wide_columns(chart, s, table);
  return table;
}

/// One row per point, series after series.
PageTable long_table(const Chart& chart) {
  const auto any = [&](auto has) { return std::ranges::any_of(chart.series, has); };
  const bool labels = any([](const Series& s) { return !s.labels.empty(); });
  const bool bands = any([](const Series& s) { return !s.low.empty(); });
  PageTable table{.columns = {"series"}};
  if (labels) table.columns.emplace_back("");
  table.columns.push_back(x_heading(chart));
  table.columns.push_back(y_heading(chart));
  if (bands) table.columns.insert(table.columns.end(), {"from", "to"});
  for (const Series& s : chart.series)
    for (std::size_t i = 0; i < s.y.size(); ++i) {
      std::vector<std::string> row{s.name};
      if (labels) row.push_back(s.labels.empty() ? "" : s.labels[i]);
      row.push_back(x_text(chart, s.x[i]));
      row.push_back(short_number(s.y[i]));
      if (bands) row.push_back(s.low.empty() ? "" : short_number(s.low[i]));
      if (bands) row.push_back(s.low.empty() ? "" : short_number(s.high[i]));
      table.rows.push_back(std::move(row));
    }
  return table;
}

}  // namespace

std::string chart_json(const Chart& chart) {
  check(chart);
  Json series = Json::array(), guides = Json::array();
  for (const Series& s : chart.series) series.push_back(json_of(s));
  for (const Guide& g : chart.guides)
    guides.push_back({{"at", g.at}, {"label", g.label}, {"vertical", g.vertical}});
  return Json{{"title", chart.title},
              {"x_label", chart.x_label},
              {"y_label", chart.y_label},
              {"x_log", chart.x_log},
              {"y_log", chart.y_log},
              {"horizontal", chart.horizontal},
              {"categories", chart.categories},
              {"series", series},
              {"guides", guides},
              {"note", chart.note}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);  // what is not finite becomes null
}

PageTable chart_table(const Chart& chart) {
  check(chart);
  PageTable table;
  if (!chart.series.empty()) table = same_rows(chart) ? wide_table(chart) : long_table(chart);
  table.caption = chart.title;
  return table;
}

}  // namespace motmot
