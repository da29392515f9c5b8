// The data, and the rows that look like outliers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/without.hpp"
#include "inference/trim.hpp"
#include "report/distance_parts.hpp"
#include "report/html_text.hpp"
#include "report/plane.hpp"
#include "report/words.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_kept = 1200, most_suspects = 2000, most_listed = 50, most_columns = 6;
/// Coordinates up to which the distances between rows are looked at.
constexpr std::size_t distance_work = 4'000'000;

std::uint64_t number_of(const PageSample& sample, std::size_t i) {
  return sample.rows.empty() ? i + 1 : sample.rows[i];
}

std::string column_name(const PageSample& sample, std::size_t j) {
  return sample.columns.empty() ? std::to_string(j + 1) : sample.columns[j];
}

std::string axis_name(const PageSample& sample, std::size_t j) {
  const std::string name = column_name(sample, j);
  return name == std::to_string(j + 1) ? "column " + name : name;
}

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
    series.labels.push_back(fmt::format("row {}", number_of(sample, i)));
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

void name_axes(const PageSample& x, Chart& chart) {
  chart.x_label = x.points.d > 2 ? "first principal direction" : axis_name(x, 0);
  chart.y_label = x.points.d == 1   ? "share of the sample up to here"
                  : x.points.d == 2 ? axis_name(x, 1)
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

/// Suspects take so much room that the others cannot be told apart.
bool needs_close_up(const std::vector<Series>& kept, const std::vector<Series>& all) {
  return width(all, &Series::x) > 2.5 * width(kept, &Series::x) ||
         width(all, &Series::y) > 2.5 * width(kept, &Series::y);
}

std::string scatter_note(const PageSample& x, const PageSample& y, std::size_t drawn) {
  std::string note = x.points.d == 1 ? "The distance of the samples is the area between the two curves."
                     : x.points.d == 2
                         ? ""
                         : fmt::format(
                               "{} columns seen along the two directions in which the rows differ "
                               "most, outliers counting no more than others.",
                               x.points.d);
  if (drawn < x.points.n + y.points.n)
    note +=
        fmt::format("{}{} of {} rows are drawn.", note.empty() ? "" : " ", drawn, x.points.n + y.points.n);
  return note;
}

void list_suspects(std::string_view which, const PageSample& sample, const Suspects& suspects,
                   std::vector<std::pair<double, std::vector<std::string>>>& rows) {
  for (std::size_t s = 0; s < suspects.rows.size(); ++s) {
    const std::size_t i = suspects.rows[s];
    const double z = suspects.z[s];
    std::vector<std::string> row{std::string(which), std::to_string(number_of(sample, i)),
                                 fmt::format("{:.1f}", z),
                                 std::abs(z) > 4 ? (z > 0 ? "critic value too high" : "critic value too low")
                                                 : "far from its own sample"};
    for (std::size_t j = 0; j < std::min(sample.points.d, most_columns); ++j)
      row.push_back(short_number(sample.points(i, j)));
    rows.emplace_back(-std::abs(z), std::move(row));
  }
}

}  // namespace

Suspects suspects_of(PointsView points, const RowDiagnostics& rows) {
  if (rows.phi.empty()) return {};
  const bool small = points.n * points.d <= distance_work;
  const TrimmedRows trim =
      trim_rows(points, rows.phi, {.phi_cut = 4, .distance_cut = rows.dropped.empty() && small ? 10.0 : 0.0});
  Suspects suspects{.rows = trim.dropped};
  if (!rows.dropped.empty()) {
    suspects.rows.clear();
    for (std::size_t i = 0; i < rows.dropped.size(); ++i)
      if (rows.dropped[i]) suspects.rows.push_back(static_cast<std::uint32_t>(i));
  }
  for (const std::uint32_t i : suspects.rows)
    suspects.z.push_back(trim.sd > 0 ? (rows.phi[i] - trim.median) / trim.sd : 0);
  return suspects;
}

Section data_part(const PageSample& x, const PageSample& y, const Suspects& suspects_x,
                  const Suspects& suspects_y) {
  const auto [place_x, place_y] = places_of(x.points, y.points);
  const std::vector<Series> kept{
      rows_as_points("X", x, thinned(rows_without(x.points.n, suspects_x.rows), most_kept), place_x, false),
      rows_as_points("Y", y, thinned(rows_without(y.points.n, suspects_y.rows), most_kept), place_y, false)};
  std::vector<Series> all = kept;
  const auto mark = [&](const char* name, const PageSample& sample, const Suspects& s, const Places& places) {
    if (!s.rows.empty())
      all.push_back(rows_as_points(name, sample, thinned(s.rows, most_suspects), places, true));
  };
  mark("suspects of X", x, suspects_x, place_x);
  mark("suspects of Y", y, suspects_y, place_y);
  std::size_t drawn = 0;
  for (const Series& s : all) drawn += s.x.size();
  Chart chart{.title = all.size() > 2 ? "All rows, suspects crossed" : "All rows",
              .series = all,
              .note = scatter_note(x, y, drawn)};
  name_axes(x, chart);
  Section part{.heading = "The data", .charts = {chart}};
  if (all.size() > 2 && needs_close_up(kept, all)) {
    Chart close = chart;
    close.title = "Close up: without the suspects";
    close.series = kept;
    close.note = "The same rows on their own scale.";
    part.charts.push_back(std::move(close));
  }
  return part;
}

Section suspects_part(const PageSample& x, const PageSample& y, const Suspects& suspects_x,
                      const Suspects& suspects_y) {
  const std::size_t count = suspects_x.rows.size() + suspects_y.rows.size();
  if (count == 0) return {};
  std::vector<std::pair<double, std::vector<std::string>>> rows;
  list_suspects("X", x, suspects_x, rows);
  list_suspects("Y", y, suspects_y, rows);
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  PageTable table{.columns = {"sample", "row", "robust z", "why"}};
  for (std::size_t j = 0; j < std::min(x.points.d, most_columns); ++j)
    table.columns.push_back(axis_name(x, j));
  for (std::size_t i = 0; i < std::min(count, most_listed); ++i)
    table.rows.push_back(std::move(rows[i].second));
  table.caption = count > most_listed ? fmt::format("The {} most suspicious of {} rows", most_listed, count)
                                      : counted(count, "row") + ", the most suspicious first";
  return {.heading = "Rows that look like outliers",
          .paragraphs =
              {"A row is suspect when its critic value is more than 4 robust standard deviations from the "
               "median of its sample, or when it lies far from the rest of its own sample. Row numbers count "
               "the data rows of the file from 1."},
          .tables = {std::move(table)}};
}

}  // namespace motmot
