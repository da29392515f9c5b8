#include "answer/about_columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "answer/sentences.hpp"
#include "base/rank_statistics.hpp"
#include "base/statistics.hpp"
#include "data/complaint.hpp"
#include "data/units.hpp"
#include "tables/coding.hpp"
#include "tables/sentinels.hpp"

namespace motmot {
namespace {

/// Of large samples some rows, evenly spread: enough to see a column that rules, without a copy of them all.
SamplePart thinned(const SamplePart& part, Points& room) {
  constexpr std::size_t many = 1'000'000, enough = 100'000;
  if (part.all <= many) return part;
  const std::size_t every = part.all / enough, first = (part.first + every - 1) / every,
                    last = std::max(first, std::min(enough, (part.first + part.rows.n + every - 1) / every));
  room = Points(last - first, part.rows.cols());
  for (std::size_t i = first; i < last; ++i)
    std::ranges::copy(part.rows.row(i * every - part.first), room.row(i - first).begin());
  return {.rows = room, .first = std::min(first, enough), .all = enough};
}

/// Whether the shares of the columns, where there are any, give another one the most. A value that many rows
/// share widens no spread, but can make nearly all of the distance.
bool shares_name_another(std::span<const ColumnMove> columns, std::size_t ruling) {
  const auto share = [](const ColumnMove& column) { return column.share.value_or(0); };
  return std::ranges::any_of(
      columns, [&](const ColumnMove& column) { return share(column) > share(columns[ruling]); });
}

/// Which column rules the distance, where columns are taken as they are: its spread and its shift are nearly
/// all of what there is.
Warnings about_units(const SamplePart& all_x, const SamplePart& all_y, const Coding& coding,
                     std::span<const ColumnMove> moves, const DistanceOptions& o) {
  if (coding.scale != "none" || coding.columns.size() < 2 || o.critic == CriticKind::clipped) return {};
  Points some_x, some_y;
  const SamplePart x = thinned(all_x, some_x), y = thinned(all_y, some_y);
  const std::vector<double> spreads = robust_spreads(x, y, *o.ranks), shifts = median_shifts(x, y, *o.ranks);
  std::vector<double> sizes(coding.columns.size());
  double sum = 0;
  for (std::size_t j = 0, k = 0; j < sizes.size(); ++j) {
    for (const std::size_t end = k + coding.columns[j].width(); k < end; ++k)
      sizes[j] += spreads[k] * spreads[k] + shifts[k] * shifts[k];
    sum += sizes[j];
  }
  const auto largest = std::ranges::max_element(sizes);
  constexpr double nearly_all = 0.9;
  if (!(*largest > nearly_all * sum) || !std::isfinite(sum)) return {};
  const auto has_values = [](double size) { return size > 0; };  // more than one
  if (std::ranges::count_if(sizes, has_values) < 2) return {};
  const auto ruling = static_cast<std::size_t>(largest - sizes.begin());
  if (!moves.empty() && shares_name_another(moves, ruling)) return {};
  return {{WarningCode::units, ruling_column_sentence(coding.columns[ruling].name, *largest / sum)}};
}

Warnings about_left_out_columns(const Coding& coding) {
  std::string columns;
  for (const CodedColumn& column : coding.columns)
    if (column.unit == 0) columns += (columns.empty() ? "" : ", ") + column.name;
  if (columns.empty()) return {};
  return {
      {WarningCode::constant_columns, "left out, because all rows have the same value there: " + columns}};
}

bool nearly_all_have(PointsView points, std::size_t k) {
  constexpr double nearly_all = 0.9;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < points.n; ++i) rows += points(i, k) > 0 ? 1 : 0;
  return static_cast<double>(rows) >= nearly_all * static_cast<double>(points.n);
}

/// Words that hardly come back are one level, and tell next to nothing.
Warnings about_rare_levels(const SamplePart& x, const SamplePart& y, const Coding& coding) {
  Warnings said;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width()), other = at + column.levels.size();
    if (column.kind != Kind::category || !column.has_other()) continue;
    if (nearly_all_have(x.rows, other) && nearly_all_have(y.rows, other))
      said.push_back({WarningCode::constant_columns,
                      column.name +
                          " hardly takes part: nearly all rows have a level that few others have, and such "
                          "levels count as one; motmot doctor says whether they are numbers or dates"});
  }
  return said;
}

/// The value that all rows have at coordinate k, but for those that have none.
std::optional<double> only_value(PointsView rows, std::size_t k, bool has_missing) {
  std::optional<double> only;
  for (std::size_t i = 0; i < rows.n; ++i) {
    if (has_missing && rows(i, k + 1) > 0) continue;
    if (only && rows(i, k) != *only) return {};
    only = rows(i, k);
  }
  return only;
}

/// The same of rows that are spread over ranks, which have none missing.
std::optional<double> only_value(const SamplePart& part, std::size_t k, Communicator& ranks) {
  std::vector<double> values;  // of this rank; two are enough to know
  for (std::size_t i = 0; i < part.rows.n && values.size() < 2; ++i)
    if (values.empty() || part.rows(i, k) != values.front()) values.push_back(part.rows(i, k));
  const std::size_t found = count_over_ranks(values.size(), ranks);
  const double least = kth_over_ranks(values, 0, ranks);
  return least == kth_over_ranks(values, found - 1, ranks) ? std::optional(least) : std::nullopt;
}

std::string constants_apart(const std::string& column, const std::string& of_x, const std::string& of_y,
                            bool alone) {
  return column + " is " + of_x + " in all rows of X and " + of_y +
         " in all rows of Y, which alone tells them apart" +
         (alone ? "" : "; --exclude " + shown(column) + " compares the rest");
}

/// A rate that was 19 in every row and is 20 now: that no row is as before is more than that its mean moved.
/// Times are about_times()'s.
Warnings about_constants(const SamplePart& x, const SamplePart& y, const Coding& coding,
                         Communicator& ranks) {
  if (std::min(x.all, y.all) < enough_to_say_all) return {};
  const bool whole = x.whole() && y.whole();
  Warnings said;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width());
    if (column.kind != Kind::number || column.unit == 0) continue;
    const auto value_of = [&](const SamplePart& part) {
      const std::optional<double> value =
          whole ? only_value(part.rows, at, column.has_missing) : only_value(part, at, ranks);
      return value ? value_in_own_units(*value, column) : "";
    };
    const std::string of_x = value_of(x), of_y = value_of(y);
    if (of_x.empty() || of_y.empty() || of_x == of_y) continue;
    said.push_back(
        {WarningCode::constants_apart, constants_apart(column.name, of_x, of_y, coding.columns.size() == 1)});
  }
  return said;
}

/// Values of both samples at a coordinate as the tables have them, NaN where one is missing.
std::vector<double> values_of_both(PointsView x, PointsView y, std::size_t at, const CodedColumn& column) {
  constexpr double rounding = 1e-9;
  std::vector<double> values;
  for (const PointsView points : {x, y})
    for (std::size_t i = 0; i < points.n; ++i) {
      const double value = points(i, at) * column.unit, whole = std::round(value);
      const bool is_whole = std::abs(value - whole) < rounding * std::max(1.0, std::abs(value));
      const bool missing = column.has_missing && points(i, at + 1) > 0;
      values.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : is_whole ? whole : value);
    }
  return values;
}

/// Rows kept that have another value where all others have one: under the robust scale it is their difference
/// that the column is divided by, which is next to nothing on average.
Warnings about_odd_values(PointsView x, PointsView y, const Coding& coding, const Distance& w) {
  if (coding.scale != "robust") return {};
  Warnings said;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width());
    if (column.kind == Kind::category || column.unit == 0) continue;
    const std::optional<OddValues> odd = find_odd_values(values_of_both(x, y, at, column));
    if (!odd) continue;
    PerSample<std::size_t> rows;
    for (const std::uint32_t row : odd->rows) {
      const bool of_x = row < x.n;
      const auto& left_out = of_x ? w.left_out.x : w.left_out.y;
      const std::uint32_t number = of_x ? row : row - static_cast<std::uint32_t>(x.n);
      if (!std::ranges::binary_search(left_out, number)) ++(of_x ? rows.x : rows.y);
    }
    if (rows.x + rows.y == 0) continue;
    const std::uint32_t first = odd->rows.front();
    const double coordinate = first < x.n ? x(first, at) : y(first - x.n, at);
    said.push_back(
        {WarningCode::odd_values,
         column.name + " has one value in all rows but " + rows_of_both(rows.x, rows.y, {'X', 'Y'}) +
             (odd->rows.size() == 1 ? " (" : " (such as ") + value_in_own_units(coordinate, column) +
             "): that hardly moves the distance; motmot outliers lists such rows"});
  }
  return said;
}

/// May against June: that their days differ is no news, and can hide what is.
Warnings about_times(const SamplePart& x, const SamplePart& y, const Coding& coding) {
  if (coding.columns.size() < 2 || std::min(x.all, y.all) < enough_to_say_all) return {};
  Warnings said;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width());
    if (column.kind != Kind::time || column.unit == 0) continue;
    const Interval of_x = body_of(x.rows, at), of_y = body_of(y.rows, at);
    if (of_x.low <= of_y.high && of_y.low <= of_x.high) continue;
    said.push_back({WarningCode::times_apart, column.name + " of X lies " +
                                                  (of_x.high < of_y.low ? "before" : "after") +
                                                  " that of Y and alone tells them apart; --exclude " +
                                                  shown(column.name) + " compares the rest"});
  }
  return said;
}

/// Which levels of a category these rows have, of so many from coordinate `at` on; none where there are fewer
/// than two rows for each: then it is chance that decides which.
std::vector<bool> levels_in(PointsView points, std::size_t at, std::size_t levels) {
  std::vector<bool> has(levels);
  for (std::size_t i = 0; i < points.n; ++i)
    for (std::size_t k = 0; k < levels; ++k)
      if (points(i, at + k) > 0) has[k] = true;
  if (2 * static_cast<std::size_t>(std::ranges::count(has, true)) > points.n) has.assign(levels, false);
  return has;
}

/// "yes" and "no" against "true" and "false", "Paris" against "PARIS", or the label of the samples.
Warnings about_levels(const SamplePart& x, const SamplePart& y, const Coding& coding) {
  if (coding.columns.size() < 2 || std::min(x.all, y.all) < enough_to_say_all) return {};
  Warnings said;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width());
    if (column.kind != Kind::category) continue;
    const std::size_t levels = column.width() - (column.has_missing ? 1 : 0);
    const std::vector<bool> of_x = levels_in(x.rows, at, levels), of_y = levels_in(y.rows, at, levels);
    const auto first_x = std::ranges::find(of_x, true), first_y = std::ranges::find(of_y, true);
    const bool shared = std::inner_product(of_x.begin(), of_x.end(), of_y.begin(), false, std::logical_or(),
                                           std::logical_and());
    if (first_x == of_x.end() || first_y == of_y.end() || shared) continue;
    const auto named = [&](std::ptrdiff_t level) {
      const auto place = static_cast<std::size_t>(level);
      return place < column.levels.size() ? shown(column.levels[place]) : std::string(other_level);
    };
    said.push_back({WarningCode::levels_apart, column.name + " has no level in common in X and Y (" +
                                                   named(first_x - of_x.begin()) + " in X, " +
                                                   named(first_y - of_y.begin()) +
                                                   " in Y), which alone tells them apart; --exclude " +
                                                   shown(column.name) + " compares the rest"});
  }
  return said;
}

}  // namespace

Interval body_of(PointsView points, std::size_t k) {
  std::vector<double> values(points.n);
  for (std::size_t i = 0; i < points.n; ++i) values[i] = points(i, k);
  std::ranges::sort(values);
  return {sorted_quantile(values, 0.05), sorted_quantile(values, 0.95)};
}

Warnings about_columns(const SamplePart& x, const SamplePart& y, const Coding& coding, const Distance& w,
                       const DistanceOptions& o) {
  Warnings said = about_units(x, y, coding, w.columns, o);
  const auto say = [&](Warnings warnings) { std::ranges::move(warnings, std::back_inserter(said)); };
  say(about_left_out_columns(coding));
  say(about_rare_levels(x, y, coding));
  say(about_constants(x, y, coding, *o.ranks));
  if (o.estimator == Estimator::company) say(about_odd_values(x.rows, y.rows, coding, w));
  say(about_times(x, y, coding));
  say(about_levels(x, y, coding));
  return said;
}

}  // namespace motmot
