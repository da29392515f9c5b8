#include "answer/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/statistics.hpp"
#include "data/without.hpp"
#include "inference/columns.hpp"
#include "tables/coding.hpp"

namespace motmot {
namespace {

/// What a coordinate moved by, in the units that the columns are compared in.
double moved(const KeptRows& kept, std::size_t k) {
  return kept.by.scale * (column_mean(kept.y, k) - column_mean(kept.x, k));
}

/// 0 where means of coordinate k differ as they do when the same values are added up in another order.
double without_rounding(double moved, const KeptRows& kept, std::size_t k) {
  constexpr double rounding = 1e-9;
  double size = 0;  // of the coordinates, on average
  for (const PointsView points : {kept.x, kept.y})
    for (std::size_t i = 0; i < points.n; ++i)
      size += std::abs(points(i, k)) / static_cast<double>(kept.x.n + kept.y.n);
  return std::abs(moved) < rounding * kept.by.scale * size ? 0 : moved;
}

/// The sums over each column's coordinates.
std::vector<double> by_column(std::span<const double> values, const Coding& coding) {
  std::vector<double> sums;
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    double sum = values[k];
    for (std::size_t end = k + column.width(); ++k < end;) sum += values[k];
    sums.push_back(sum);
  }
  return sums;
}

/// The mean of the rows whose value is there, as `flag` says.
double mean_of_present(PointsView points, const RobustScale& by, std::size_t k, std::size_t flag,
                       double weight) {
  const auto present = [&](std::size_t i) {
    return by.scale * points(i, flag) + by.centre[flag] < weight / 2;
  };
  std::size_t rows = 0;
  for (std::size_t i = 0; i < points.n; ++i) rows += present(i) ? 1 : 0;
  if (rows == 0) return std::numeric_limits<double>::quiet_NaN();
  return column_mean(points, k, rows, present);
}

/// What numbers or times moved by, and their share of missing ones.
void add_numbers(const KeptRows& kept, const CodedColumn& column, std::size_t first, double weight,
                 ColumnMove& move) {
  move.unit = column.unit;
  if (column.kind == Kind::time) move.time_unit = column.time_unit;
  move.moved = column.unit * without_rounding(moved(kept, first), kept, first);
  if (!column.has_missing) return;
  const double of_present = kept.by.scale * (mean_of_present(kept.y, kept.by, first, first + 1, weight) -
                                             mean_of_present(kept.x, kept.by, first, first + 1, weight));
  move.moved = column.unit * without_rounding(of_present, kept, first);
  move.levels.push_back({std::string(missing_level), moved(kept, first + 1) / weight});
}

/// The levels that gained and lost; what all of them gained is what changed its level.
void add_levels(const KeptRows& kept, const CodedColumn& column, std::size_t first, double weight,
                ColumnMove& move) {
  for (std::size_t k = 0; k < column.width(); ++k) {
    const bool missing = column.has_missing && k + 1 == column.width();
    const bool named = k < column.levels.size();
    move.levels.push_back({named     ? column.levels[k]
                           : missing ? std::string(missing_level)
                                     : std::string(other_level),
                           moved(kept, first + k) / (weight * (std::numbers::sqrt2 / 2))});
    move.moved += std::abs(move.levels.back().moved) / 2;
  }
}

/// The value that most of these rows have at coordinate k, and how many have it.
std::pair<double, std::size_t> most_common(PointsView z, std::span<const std::uint32_t> rows, std::size_t k) {
  std::vector<double> values;
  for (const std::uint32_t row : rows) values.push_back(z(row, k));
  const double value = median_of(values);  // the one that more than half of them have, if there is one
  return {value, static_cast<std::size_t>(std::ranges::count(values, value))};
}

/// Farther outside the kept rows than these spread.
bool is_far_outside(double value, PointsView z, std::span<const std::uint32_t> kept, std::size_t k) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const std::uint32_t row : kept) {
    low = std::min(low, z(row, k));
    high = std::max(high, z(row, k));
  }
  return std::max(low - value, value - high) > high - low;
}

bool has_value(double value, PointsView z, std::span<const std::uint32_t> kept, std::size_t k) {
  return std::ranges::any_of(kept, [&](std::uint32_t row) { return z(row, k) == value; });
}

/// Whether these rows have the value, in the table's own units, in a column beside the one called `name`.
bool has_elsewhere(double value, const std::string& name, PointsView z, std::span<const std::uint32_t> kept,
                   const Coding& coding) {
  constexpr double rounding = 1e-9;
  const double near = rounding * std::max(1.0, std::abs(value));
  std::size_t first = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t k = std::exchange(first, first + column.width());
    if (column.kind != Kind::number || column.name == name) continue;
    if (std::ranges::any_of(kept,
                            [&](auto row) { return std::abs(z(row, k) * column.unit - value) <= near; }))
      return true;
  }
  return false;
}

}  // namespace

std::optional<SharedValue> shared_value(const WithLeftOut& own, std::span<const std::uint32_t> group,
                                        const WithLeftOut& other, const Coding& coding) {
  constexpr std::size_t few = 3;
  const PointsView z = own.points;
  if (group.size() < few || own.left_out.size() >= z.n) return {};
  const std::vector<std::uint32_t> kept = rows_without(z.n, own.left_out),
                                   of_other = rows_without(other.points.n, other.left_out);
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const auto [value, rows] = most_common(z, group, k);
    if (column.kind != Kind::category && 10 * rows >= 9 * group.size() && is_far_outside(value, z, kept, k) &&
        !has_value(value, other.points, of_other, k))
      return SharedValue{
          .column = column.name,
          .value = value_in_own_units(value, column),
          .rows = rows,
          .elsewhere = has_elsewhere(value * column.unit, column.name, z, kept, coding) ||
                       has_elsewhere(value * column.unit, column.name, other.points, of_other, coding)};
    k += column.width();
  }
  return {};
}

std::vector<ColumnMove> column_moves(const KeptRows& kept, const Coding& coding, bool differ) {
  const std::vector<double> no_floor(kept.x.cols(), 0.0);
  const std::vector<double> shares =
      shares_above(by_column(column_costs(kept.x, kept.y, kept.plan), coding),
                   by_column(kept.floor.empty() ? no_floor : kept.floor, coding));
  std::vector<ColumnMove> moves;
  std::size_t first = 0;
  for (const CodedColumn& column : coding.columns) {
    ColumnMove move{.name = column.name, .kind = column.kind};
    if (differ) move.share = shares[moves.size()];
    const auto add = column.kind == Kind::category ? add_levels : add_numbers;
    add(kept, column, first, coding.category_weight, move);
    constexpr double rounding = 1e-9;
    std::erase_if(move.levels, [](const LevelMove& level) { return std::abs(level.moved) < rounding; });
    std::ranges::stable_sort(move.levels, std::greater{},
                             [](const LevelMove& level) { return std::abs(level.moved); });
    moves.push_back(std::move(move));
    first += column.width();
  }
  return moves;
}

}  // namespace motmot
