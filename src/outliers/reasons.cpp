#include "outliers/reasons.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"
#include "data/times.hpp"
#include "data/units.hpp"
#include "data/without.hpp"

namespace motmot {
namespace {

constexpr double least_units = 5;  ///< that a value is off to be a reason by itself

std::vector<std::size_t> level_counts(const Column& column, const Column* other) {
  std::vector<std::size_t> counts(column.levels.size());
  for (const std::uint32_t code : column.codes)
    if (code != Column::no_level) ++counts[code];
  if (other == nullptr) return counts;
  std::map<std::string_view, std::size_t> known;
  for (std::size_t k = 0; k < column.levels.size(); ++k) known.emplace(column.levels[k], k);
  for (const std::uint32_t code : other->codes) {
    if (code == Column::no_level) continue;
    const auto found = known.find(other->levels[code]);
    if (found != known.end()) ++counts[found->second];
  }
  return counts;
}

/// Rows whose level no other row has, where that is no habit of the column.
std::vector<std::uint32_t> lone_levels(const Column& column, const Column* other) {
  constexpr std::size_t common = 10;
  const std::vector<std::size_t> counts = level_counts(column, other);
  if (std::ranges::any_of(counts, [](std::size_t n) { return n > 1 && n < common; })) return {};
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < column.codes.size(); ++i)
    if (column.codes[i] != Column::no_level && counts[column.codes[i]] == 1) rows.push_back(i);
  return rows.size() > 1 + column.codes.size() / 100 ? std::vector<std::uint32_t>{} : rows;
}

/// The column's numbers, then those of the other table.
std::vector<double> numbers_of_both(const Column& column, const Column* other) {
  std::vector<double> both = column.numbers;
  if (other != nullptr) both.insert(both.end(), other->numbers.begin(), other->numbers.end());
  return both;
}

std::string value_text(double value, Kind kind) {
  return kind == Kind::time ? time_text(value) : readable_value(value, 4);
}

/// "26th"
std::string ordinal(std::size_t n) {
  const std::size_t last = n % 10;
  const bool teen = n % 100 / 10 == 1;
  return std::to_string(n) + (teen || last == 0 || last > 3 ? "th"
                              : last == 1                   ? "st"
                              : last == 2                   ? "nd"
                                                            : "rd");
}

}  // namespace

Reasons::Reasons(const Judged& judged, const Coding& coding, const Frame* other)
    : judged_(judged), coding_(coding), kept_(rows_without(judged.points.n, judged.suspects)) {
  for (std::size_t k = 0; k < coding.columns.size(); ++k) {
    const std::size_t place = coding.columns[k].place;
    const Column* const beside = other == nullptr ? nullptr : &other->columns[place];
    laws_.push_back(law_of(k));
    counts_.push_back(level_counts(column(k), beside));
    odd_.push_back(find_odd_values(numbers_of_both(column(k), beside)));
  }
  std::vector<double> distances;
  for (const std::uint32_t row : kept_) distances.push_back(judged.distances[row]);
  if (!distances.empty()) usual_distance_ = median_of(std::move(distances));
}

std::vector<std::uint32_t> rows_by_value(const Frame& table, const Frame* other, const Coding& coding) {
  std::vector<std::uint32_t> rows;
  for (const CodedColumn& coded : coding.columns) {
    const Column& column = table.columns[coded.place];
    for (const Sentinel& found : find_sentinels(column))
      rows.insert(rows.end(), found.rows.begin(), found.rows.end());
    const Column* const beside = other == nullptr ? nullptr : &other->columns[coded.place];
    const std::vector<std::uint32_t> lone = lone_levels(column, beside);
    rows.insert(rows.end(), lone.begin(), lone.end());
    if (const std::optional<OddValues> odd = find_odd_values(numbers_of_both(column, beside)))
      std::ranges::copy_if(odd->rows, std::back_inserter(rows),
                           [&](std::uint32_t row) { return row < column.rows(); });
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

const Column& Reasons::column(std::size_t k) const { return judged_.table.columns[coding_.columns[k].place]; }

/// As a table of float32 has it, where the number is one: -0.3012597, not -0.30125969648361206.
std::string Reasons::cell(std::size_t k, std::uint32_t row) const {
  const Column& of = column(k);
  const double number = of.kind == Kind::number ? of.numbers[row] : 0;
  const auto single = static_cast<float>(number);
  if (number == std::floor(number) || static_cast<double>(single) != number) return cell_text(of, row);
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), single).ptr};
}

bool Reasons::is_missing(std::size_t k, std::uint32_t row) const {
  return column(k).kind == Kind::category ? column(k).codes[row] == Column::no_level
                                          : std::isnan(value(k, row));
}

Reasons::Law Reasons::law_of(std::size_t k) const {
  std::vector<double> values;
  if (column(k).kind != Kind::category)
    for (const std::uint32_t row : kept_)
      if (!std::isnan(value(k, row))) values.push_back(value(k, row));
  if (values.empty()) return {};
  const auto [low, high] = std::ranges::minmax(values);
  const double spread = robust_spread(values);
  return {.median = median_of(std::move(values)),
          .spread = spread,
          .low = low,
          .high = high,
          .sentinels = find_sentinels(column(k))};
}

/// The squared distance to the nearest row that has company as usual, by columns. A nearer one may be a twin
/// that is as strange.
std::vector<double> Reasons::from_company(std::uint32_t row) const {
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t nearest = row;
  for (const std::uint32_t other : kept_) {
    if (other == row || judged_.distances[other] > usual_distance_) continue;
    const double distance = euclidean(judged_.points.row(row), judged_.points.row(other));
    if (distance < best) best = distance, nearest = other;
  }
  std::vector<double> parts;
  std::size_t first = 0;
  for (const CodedColumn& coded : coding_.columns) {
    const auto p = judged_.points.row(row).subspan(first, coded.width());
    const auto q = judged_.points.row(nearest).subspan(first, coded.width());
    const double distance = euclidean(p, q);
    parts.push_back(distance * distance);
    first += coded.width();
  }
  return parts;
}

std::optional<OutlierRow> Reasons::sentinel(std::uint32_t row) const {
  for (std::size_t k = 0; k < laws_.size(); ++k)
    for (const Sentinel& found : laws_[k].sentinels)
      if (value(k, row) == found.value) {
        const std::string& name = coding_.columns[k].name;
        return OutlierRow{.sign = OutlierSign::sentinel,
                          .column = name,
                          .value = cell(k, row),
                          .reason = name + " is typed as " + cell(k, row) + ", as in " +
                                    counted(found.rows.size(), "row") + ", outside the range of the others"};
      }
  return std::nullopt;
}

/// The value that is most robust units off, if it lies beyond all those kept.
std::optional<OutlierRow> Reasons::off(std::uint32_t row) const {
  Off most;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Law& law = laws_[k];
    if (column(k).kind == Kind::category || is_missing(k, row) || law.spread == 0) continue;
    const double units = std::abs(value(k, row) - law.median) / law.spread;
    const bool beyond = value(k, row) <= law.low || value(k, row) >= law.high;
    if (beyond && units > most.units) most = {k, units};
  }
  if (most.units < least_units) return std::nullopt;
  const std::string& name = coding_.columns[most.column].name;
  return OutlierRow{.sign = OutlierSign::off,
                    .column = name,
                    .value = cell(most.column, row),
                    .units = most.units,
                    .reason = name + " is " + readable(most.units, 2) + " robust units off (" +
                              cell(most.column, row) + "; the median is " +
                              value_text(laws_[most.column].median, column(most.column).kind) + ")"};
}

std::optional<OutlierRow> Reasons::level(std::uint32_t row) const {
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (column(k).kind != Kind::category || is_missing(k, row)) continue;
    if (counts_[k][column(k).codes[row]] > 1) continue;
    const std::string& name = coding_.columns[k].name;
    return OutlierRow{.sign = OutlierSign::level,
                      .column = name,
                      .value = cell(k, row),
                      .reason = name + " is " + shown(cell(k, row)) + ", a level that no other row has"};
  }
  return std::nullopt;
}

/// A number or a time where nearly all rows have another.
std::optional<OutlierRow> Reasons::odd(std::uint32_t row) const {
  for (std::size_t k = 0; k < odd_.size(); ++k) {
    if (!odd_[k] || !std::ranges::binary_search(odd_[k]->rows, row)) continue;
    const std::string& name = coding_.columns[k].name;
    const std::size_t count = odd_[k]->rows.size();
    return OutlierRow{.sign = OutlierSign::level,
                      .column = name,
                      .value = cell(k, row),
                      .reason = name + " is " + cell(k, row) + ", where all " +
                                (count == 1 ? "other rows" : "rows but " + std::to_string(count)) + " have " +
                                value_text(odd_[k]->usual, column(k).kind)};
  }
  return std::nullopt;
}

/// A number that is not what the other columns let expect.
std::optional<OutlierRow> Reasons::related(std::uint32_t row) const {
  const std::optional<Unexpected>& found = judged_.unexpected[row];
  if (!found || is_missing(found->column, row)) return std::nullopt;
  const CodedColumn& coded = coding_.columns[found->column];
  const double value = this->value(found->column, row);
  return OutlierRow{
      .sign = OutlierSign::related,
      .column = coded.name,
      .value = cell(found->column, row),
      .reason = coded.name + " is " + cell(found->column, row) + " where the other columns suggest " +
                readable(value - found->residual * coded.unit, 3) + " (half of the rows are within " +
                readable(found->usual * coded.unit, 2) + ")"};
}

std::optional<OutlierRow> Reasons::missing(std::uint32_t row, const std::vector<double>& parts) const {
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(parts) - parts.begin());
  if (parts[largest] == 0 || !is_missing(largest, row)) return std::nullopt;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < judged_.points.n; ++i) count += is_missing(largest, i) ? 1 : 0;
  const std::string& name = coding_.columns[largest].name;
  return OutlierRow{.sign = OutlierSign::missing,
                    .column = name,
                    .value = cell(largest, row),
                    .reason = name + " is missing, as in " + std::to_string(count) + " of " +
                              counted(judged_.points.n, "row") + ", and nothing else is like this row"};
}

/// No column by itself: those that carry most of the distance to that row.
OutlierRow Reasons::alone(std::uint32_t row, const std::vector<double>& parts) const {
  constexpr double most_of_it = 0.5;
  constexpr std::size_t fit_to_list = 3;
  const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
  std::string list;
  double carried = 0;
  for (std::size_t i = 0; i < std::min(order.size(), fit_to_list) && carried < most_of_it * all; ++i) {
    list += (i > 0 ? ", " : "") + coding_.columns[order[i]].name + " " + cell(order[i], row);
    carried += parts[order[i]];
  }
  const bool stranger = judged_.are_strangers && std::ranges::binary_search(judged_.suspects, row);
  const bool as_usual = !stranger && judged_.distances[row] <= usual_distance_;
  const std::string where =
      stranger ? "lies where the other sample has no rows"
               : (as_usual ? "as near to others as usual: the "
                           : "no company among " + counted(judged_.points.n, "row") + ": the ") +
                     ordinal(judged_.neighbour) + " nearest is " + readable(judged_.distances[row], 2) +
                     " away" + (as_usual ? "" : ", usually " + readable(usual_distance_, 2));
  return {.sign = stranger ? OutlierSign::stranger : OutlierSign::company,
          .column = coding_.columns[order.front()].name,
          .value = cell(order.front(), row),
          .reason = where + (list.empty() || as_usual ? "" : "; mostly " + list)};
}

OutlierRow Reasons::of(std::uint32_t row) const {
  if (auto found = sentinel(row)) return *found;
  if (auto found = off(row)) return *found;
  if (auto found = level(row)) return *found;
  if (auto found = odd(row)) return *found;
  if (auto found = related(row)) return *found;
  const std::vector<double> parts = from_company(row);
  if (auto found = missing(row, parts)) return *found;
  return alone(row, parts);
}

}  // namespace motmot
