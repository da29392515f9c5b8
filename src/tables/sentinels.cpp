#include "tables/sentinels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "data/csv_text.hpp"
#include "data/times.hpp"
#include "data/units.hpp"

namespace motmot {
namespace {

/// Equal values of a sorted column: where they begin and end.
struct Stretch {
  double value = 0;
  std::size_t begin = 0, end = 0;
};

std::vector<double> sorted_values(const Column& column) {
  std::vector<double> values;
  std::ranges::copy_if(column.numbers, std::back_inserter(values), [](double v) { return !std::isnan(v); });
  std::ranges::sort(values);
  return values;
}

std::vector<Stretch> stretches_of(std::span<const double> sorted) {
  std::vector<Stretch> found;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (found.empty() || found.back().value != sorted[i]) found.push_back({sorted[i], i, i});
    ++found.back().end;
  }
  return found;
}

/// -9, 99, -999, 9999, ...
bool is_all_nines(double value) {
  for (std::int64_t nines = 9; nines < 1'000'000'000'000; nines = 10 * nines + 9)
    if (std::abs(value) == static_cast<double>(nines)) return true;
  return false;
}

bool is_usual_time(double value) {
  constexpr auto usual = std::to_array<const char*>({"0001-01-01", "1601-01-01", "1899-12-30", "1899-12-31",
                                                     "1900-01-01", "1970-01-01", "2099-12-31", "9999-12-31"});
  return std::ranges::any_of(usual, [&](const char* day) { return parse_time(day) == value; });
}

bool is_usual(double value, const Column& column, double least_other) {
  if (column.kind == Kind::time) return is_usual_time(value);
  return is_all_nines(value) || (value == 0 && least_other > 0);
}

/// Whether the first or last of these stretches is a sentinel beside the others.
bool stands_apart(const Column& column, const Stretch& candidate, std::span<const Stretch> others,
                  std::span<const double> sorted) {
  constexpr double units = 3;
  constexpr std::size_t enough_values = 5, few = 2, some = 3;
  const std::size_t count = candidate.end - candidate.begin;
  if (others.empty() || count < few || 2 * count >= sorted.size()) return false;
  const double low = others.front().value, high = others.back().value;
  const double outside = candidate.value < low ? low - candidate.value : candidate.value - high;
  const bool many_values = others.size() >= enough_values;
  if (!is_usual(candidate.value, column, low)) return many_values && count >= some && outside > high - low;
  if (!many_values) return outside > high - low && outside > units;
  if (candidate.value <= -99 && low >= 0 && column.kind == Kind::number)
    return true;  // no amount is negative
  const auto rest = sorted.subspan(others.front().begin, others.back().end - others.front().begin);
  return outside > units * robust_spread(std::vector<double>(rest.begin(), rest.end()));
}

std::vector<std::uint32_t> rows_of(const Column& column, double value) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < column.numbers.size(); ++i)
    if (column.numbers[i] == value) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

/// The value that more than half of the values present have, if there is one.
double majority_of(std::span<const double> values) {
  double candidate = 0;
  std::size_t lead = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (lead == 0) candidate = value;
    lead = value == candidate ? lead + 1 : lead - 1;
  }
  return candidate;
}

/// One that occurs once is none if it lies farther outside the others than they spread.
bool has_as_own(const Column& column, double value) {
  constexpr double few = 3;
  if (column.kind == Kind::category)
    return std::ranges::any_of(column.levels, [&](const std::string& level) {
      double read = 0;
      return reads_as(level, read) && read == value;
    });
  std::vector<double> others = sorted_values(column);
  const std::size_t rows = std::erase(others, value);
  if (rows == 0 || others.empty()) return rows > 0;
  const double outside = std::max(others.front() - value, value - others.back());
  if (rows == 1) return outside <= std::max(few, others.back() - others.front());
  const std::vector<Sentinel> sentinels = find_sentinels(column);
  return std::ranges::find(sentinels, value, &Sentinel::value) == sentinels.end();
}

bool is_digit(double value) { return 0 <= value && value <= 9 && value == std::floor(value); }

}  // namespace

std::vector<Sentinel> find_sentinels(const Column& column) {
  constexpr std::size_t least_values = 10;
  const std::vector<double> sorted = sorted_values(column);
  if (sorted.size() < least_values) return {};
  const std::vector<Stretch> all = stretches_of(sorted);
  std::span<const Stretch> left = all;
  std::vector<Sentinel> found;
  const auto take = [&](const Stretch& end, std::span<const Stretch> others) {
    if (!stands_apart(column, end, others, sorted)) return false;
    found.push_back({end.value, rows_of(column, end.value)});
    left = others;
    return true;
  };
  // From the ends inwards: -9999 hides -999 no longer than until it is taken.
  while (left.size() > 1 &&
         (take(left.front(), left.subspan(1)) || take(left.back(), left.first(left.size() - 1)))) {
  }
  std::ranges::sort(found, {}, &Sentinel::value);
  return found;
}

bool is_own_elsewhere(const Frame& table, std::size_t place, double value) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (j != place && has_as_own(table.columns[j], value)) return true;
  return false;
}

std::optional<OddValues> find_odd_values(std::span<const double> values) {
  constexpr std::size_t common = 10;
  const std::size_t most = 1 + values.size() / 100;
  OddValues found{.usual = majority_of(values)};
  std::size_t usual = 0;
  bool digits = is_digit(found.usual);
  for (std::uint32_t i = 0; i < values.size() && found.rows.size() <= most; ++i) {
    if (values[i] == found.usual) ++usual;
    if (values[i] == found.usual || std::isnan(values[i])) continue;
    found.rows.push_back(i);
    digits = digits && is_digit(values[i]);
  }
  if (found.rows.empty() || found.rows.size() > most || usual < common || digits) return std::nullopt;
  return found;
}

}  // namespace motmot
