#include "watch/frames.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "base/sha256.hpp"
#include "data/units.hpp"
#include "tables/coding.hpp"
#include "watch/json_of.hpp"

namespace motmot {
namespace {

Column rows_of(const Column& column, std::span<const std::uint32_t> rows) {
  Column some{
      .name = column.name, .kind = column.kind, .is_whole = column.is_whole, .is_given = column.is_given};
  std::vector<std::uint32_t> code_of(column.levels.size(), Column::no_level);
  for (const std::uint32_t row : rows) {
    if (column.kind != Kind::category) {
      some.numbers.push_back(column.numbers[row]);
      continue;
    }
    const std::uint32_t code = column.codes[row];
    if (code != Column::no_level && code_of[code] == Column::no_level) {
      code_of[code] = static_cast<std::uint32_t>(some.levels.size());
      some.levels.push_back(column.levels[code]);
    }
    some.codes.push_back(code == Column::no_level ? code : code_of[code]);
  }
  return some;
}

/// A text with its length before it, so that no two lists of texts read alike.
void add_text(Sha256& hash, const std::string& text) { hash.add(std::to_string(text.size()) + ":" + text); }

void add_number(Sha256& hash, double value) {
  const auto bits =
      std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
  std::array<char, 8> bytes{};
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(bits >> 8 * k);
  hash.add({bytes.data(), bytes.size()});
}

bool is_idle(PointsView x, PointsView y, std::size_t coordinate) {
  for (const PointsView points : {x, y})
    for (std::size_t i = 0; i < points.n; ++i)
      if (points(i, coordinate) != 0) return false;
  return true;
}

Points without_coordinates(PointsView points, const std::vector<bool>& gone) {
  std::vector<double> values;
  for (std::size_t i = 0; i < points.n; ++i)
    for (std::size_t k = 0; k < points.d; ++k)
      if (!gone[k]) values.push_back(points(i, k));
  return {std::move(values), points.d - static_cast<std::size_t>(std::ranges::count(gone, true))};
}

std::vector<double> present_in(const Column& column) {
  std::vector<double> values;
  std::ranges::copy_if(column.numbers, std::back_inserter(values),
                       [](double value) { return !std::isnan(value); });
  return values;
}

}  // namespace

Frame rows_of(const Frame& frame, std::span<const std::uint32_t> rows) {
  Frame some{.rows_dropped = frame.rows_dropped};
  for (const Column& column : frame.columns) some.columns.push_back(rows_of(column, rows));
  for (const std::uint32_t row : rows) some.rows.push_back(source_row(frame, row));
  return some;
}

Points rows_of(PointsView points, std::span<const std::uint32_t> rows) {
  std::vector<double> values;
  values.reserve(rows.size() * points.d);
  for (const std::uint32_t row : rows)
    values.insert(values.end(), points.row(row).begin(), points.row(row).end());
  return {std::move(values), points.d};
}

Frame as_utf8(Frame frame) {
  const auto repaired = [](const std::string& text) {
    return Json::parse(dumped(Json(text))).get<std::string>();
  };
  for (Column& column : frame.columns) {
    column.name = repaired(column.name);
    for (std::string& level : column.levels) level = repaired(level);
  }
  return frame;
}

RowList stretch(std::size_t first, std::size_t count) {
  RowList rows(count);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
  return rows;
}

std::uint64_t source_row(const Frame& frame, std::size_t row) {
  return frame.rows.empty() ? row + 1 : frame.rows[row];
}

std::string digest_of(const Frame& frame) {
  Sha256 hash;
  for (const Column& column : frame.columns) {
    add_text(hash, column.name);
    add_text(hash, std::string(name(column.kind)));
    for (const double value : column.numbers) add_number(hash, value);
    for (const std::uint32_t code : column.codes) {
      if (code == Column::no_level) hash.add("-");
      else add_text(hash, column.levels[code]);
    }
  }
  return hash.digest();
}

Coded without_idle(const Coding& coding, PointsView x, PointsView y) {
  Coded narrow{.coding = coding};
  std::vector<bool> gone(coding.width(), false);
  std::size_t end = 0;
  for (CodedColumn& column : narrow.coding.columns) {
    const std::size_t other = end + column.levels.size();
    const bool has_other = column.kind == Kind::category && column.has_other();
    end += column.width();
    if (column.has_missing && is_idle(x, y, end - 1)) {
      gone[end - 1] = true;
      column.has_missing = false;
    }
    if (has_other && is_idle(x, y, other)) {
      gone[other] = true;
      column.is_open = false;
      column.pooled = 0;
    }
  }
  narrow.x = without_coordinates(x, gone);
  narrow.y = without_coordinates(y, gone);
  return narrow;
}

Coding with_units_of_both(Coding coding, const Frame& x, const Frame& y) {
  if (coding.scale != "robust") return coding;
  for (CodedColumn& column : coding.columns) {
    if (column.kind == Kind::category) continue;
    const std::array values{present_in(x.columns[column.place]), present_in(y.columns[column.place])};
    const bool one_value = std::ranges::adjacent_find(values[0], std::not_equal_to{}) == values[0].end();
    const double measure = column.kind == Kind::time ? seconds_in(column.time_unit) : 1;
    const double unit = values[0].empty() || !one_value ? 0 : robust_unit(values) / measure;
    if (unit > 0) column.unit = unit;
  }
  return coding;
}

}  // namespace motmot
