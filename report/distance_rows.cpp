// The data, and the rows that were left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/without.hpp"
#include "report/distance_parts.hpp"
#include "report/html_text.hpp"
#include "report/plane.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_kept = 1200, most_left_out = 2000, most_listed = 50, most_columns = 6;

/// At most `most` of the rows, spread evenly.
std::vector<std::uint32_t> thinned(const std::vector<std::uint32_t>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<std::uint32_t> some(most);
  for (std::size_t i = 0; i < most; ++i) some[i] = rows[i * rows.size() / most];
  return some;
}

/// Where a row is drawn.
using Places = std::vector<std::array<double, 2>>;

Series rows_as_points(const std::string& name, const PageSample& sample,
                      const std::vector<std::uint32_t>& rows, const Places& places, bool highlight) {
  Series series{.name = name, .mark = Series::Mark::points, .highlight = highlight};
  for (const std::uint32_t i : rows) {
    const auto [x, y] = places[i];
    series.x.push_back(x);
    series.y.push_back(y);
    series.labels.push_back(fmt::format("row {}", sample.rows[i]));
  }
  return series;
}

/// One dimension: the value, and the share of the sample's rows up to it.
Places rank_places(PointsView points) {
  std::vector<std::uint32_t> order(points.n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(points(i, 0), i); });
  Places places(points.n);
  for (std::size_t r = 0; r < order.size(); ++r)
    places[order[r]] = {points(order[r], 0), (static_cast<double>(r) + 0.5) / static_cast<double>(points.n)};
  return places;
}

std::array<Places, 2> places_of(PointsView x, PointsView y) {
  if (x.d == 1) return {rank_places(x), rank_places(y)};
  const auto each = [](PointsView points, const auto& place) {
    Places places(points.n);
    for (std::size_t i = 0; i < points.n; ++i) places[i] = place(points.row(i));
    return places;
  };
  if (x.d == 2) {
    const auto itself = [](std::span<const double> row) { return std::array{row[0], row[1]}; };
    return {each(x, itself), each(y, itself)};
  }
  const Plane plane = robust_plane(x, y);
  return {each(x, plane), each(y, plane)};
}

void name_axes(const std::vector<std::string>& columns, std::size_t d, Chart& chart) {
  const bool own = columns.size() == d;
  chart.x_label = d > 2 ? "first principal direction" : own ? columns[0] : columns[0] + ", coded";
  chart.y_label = d == 1   ? "share of the sample up to here"
                  : d == 2 ? (own ? columns[1] : columns[0] + ", coded")
                           : "second principal direction";
}

double width(const std::vector<Series>& series, std::vector<double> Series::*values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& s : series)
    for (const double v : s.*values) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  return high - low;
}

/// Rows left out take so much room that the others cannot be told apart.
bool needs_close_up(const std::vector<Series>& kept, const std::vector<Series>& all) {
  return width(all, &Series::x) > 2.5 * width(kept, &Series::x) ||
         width(all, &Series::y) > 2.5 * width(kept, &Series::y);
}

std::string scatter_note(const PageSample& x, const PageSample& y, std::size_t columns, std::size_t drawn) {
  std::string note = x.points.d == 1 ? "The distance of the samples is the area between the two curves."
                     : x.points.d == 2
                         ? ""
                         : fmt::format(
                               "{} columns seen along the two directions in which the rows differ "
                               "most, outliers counting no more than others.",
                               columns);
  if (drawn < x.points.n + y.points.n)
    note +=
        fmt::format("{}{} of {} rows are drawn.", note.empty() ? "" : " ", drawn, x.points.n + y.points.n);
  return note;
}

/// The value of a row in a column of the answer.
std::string value_cell(const PageSample& sample, std::size_t row, const std::string& column, std::size_t j) {
  if (sample.table == nullptr) return short_number(sample.points(row, j));
  const auto found = std::ranges::find(sample.table->columns, column, &Column::name);
  if (found == sample.table->columns.end()) return "";
  return found->kind == Kind::number && std::isfinite(found->numbers[row]) ? short_number(found->numbers[row])
                                                                           : cell_text(*found, row);
}

/// Rows left out, with how far each stands from the others: its score over the median score of its sample.
void list_rows(std::string_view which, const PageSample& sample, const std::vector<std::uint32_t>& left_out,
               const std::vector<double>& score, const std::vector<std::string>& columns,
               std::vector<std::pair<double, std::vector<std::string>>>& rows) {
  const double usual = score.empty() ? 0 : median_of(score);
  for (const std::uint32_t i : left_out) {
    const double own = score.empty() ? 0 : score[i];
    std::vector<std::string> row{std::string(which), std::to_string(sample.rows[i]), short_number(own),
                                 usual > 0 ? fmt::format("{:.1f}", own / usual) : ""};
    for (std::size_t j = 0; j < std::min(columns.size(), most_columns); ++j)
      row.push_back(value_cell(sample, i, columns[j], j));
    rows.emplace_back(usual > 0 ? -own / usual : 0, std::move(row));
  }
}

}  // namespace

Section data_part(const Distance& w, const PageSample& x, const PageSample& y) {
  const auto [place_x, place_y] = places_of(x.points, y.points);
  const std::vector<Series> kept{
      rows_as_points("X", x, thinned(rows_without(x.points.n, w.left_out.x), most_kept), place_x, false),
      rows_as_points("Y", y, thinned(rows_without(y.points.n, w.left_out.y), most_kept), place_y, false)};
  std::vector<Series> all = kept;
  const auto mark = [&](const char* name, const PageSample& sample, const std::vector<std::uint32_t>& rows,
                        const Places& places) {
    if (!rows.empty())
      all.push_back(rows_as_points(name, sample, thinned(rows, most_left_out), places, true));
  };
  mark("left out of X", x, w.left_out.x, place_x);
  mark("left out of Y", y, w.left_out.y, place_y);
  std::size_t drawn = 0;
  for (const Series& s : all) drawn += s.x.size();
  Chart chart{.title = all.size() > 2 ? "All rows, those left out crossed" : "All rows",
              .series = all,
              .note = scatter_note(x, y, w.asked.columns.size(), drawn)};
  name_axes(w.asked.columns, x.points.d, chart);
  Section part{.heading = "The data", .charts = {chart}};
  if (all.size() > 2 && needs_close_up(kept, all)) {
    Chart close = chart;
    close.title = "Close up: the rows kept";
    close.series = kept;
    close.note = "The same rows on their own scale.";
    part.charts.push_back(std::move(close));
  }
  return part;
}

Section left_out_part(const Distance& w, const PageSample& x, const PageSample& y) {
  std::vector<std::pair<double, std::vector<std::string>>> rows;
  list_rows("X", x, w.left_out.x, w.rows.x.score, w.asked.columns, rows);
  list_rows("Y", y, w.left_out.y, w.rows.y.score, w.asked.columns, rows);
  if (rows.empty()) return {};
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  PageTable table{.columns = {"sample", "row", "to its own", "times the usual"}};
  for (std::size_t j = 0; j < std::min(w.asked.columns.size(), most_columns); ++j)
    table.columns.push_back(w.asked.columns[j]);
  for (std::size_t i = 0; i < std::min(rows.size(), most_listed); ++i)
    table.rows.push_back(std::move(rows[i].second));
  table.caption = rows.size() > most_listed
                      ? fmt::format("The {} most remote of {} rows", most_listed, rows.size())
                      : counted(rows.size(), "row") + ", the most remote first";
  return {.heading = "Rows left out",
          .paragraphs =
              {"These rows stand alone: even the rows of their own sample that are nearest lie far off. "
               "\"To its own\" is how far a row must reach for more company than the wrong rows could "
               "be; the usual is the median of its sample. Row numbers count the data rows of the file "
               "from 1."},
          .tables = {std::move(table)}};
}

}  // namespace motmot
