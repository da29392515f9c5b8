#include "data/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/rank_statistics.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"

namespace motmot {
namespace {

std::vector<double> column_of(PointsView points, std::size_t column) {
  std::vector<double> values(points.rows());
  for (std::size_t i = 0; i < points.rows(); ++i) values[i] = points(i, column);
  return values;
}

double spread_about_zero(std::vector<double> values) {
  if (const double sd = robust_sd(values, 0); sd > 0) return sd;
  std::ranges::sort(values);
  constexpr double gaussian = 3.29;  // from the 5 % to the 95 % quantile of the standard normal law
  if (const double width = sorted_quantile(values, 0.95) - sorted_quantile(values, 0.05); width > 0)
    return width / gaussian;
  std::erase(values, 0.0);
  for (double& value : values) value = std::abs(value);
  return values.empty() ? 0 : median_of(std::move(values));
}

/// The same of values that are spread over ranks.
double spread_about_zero(std::vector<double> values, Communicator& ranks) {
  constexpr double gaussian = 3.29;
  std::vector<double> sizes(values.size());
  std::ranges::transform(values, sizes.begin(), [](double value) { return std::abs(value); });
  if (const double sd = robust_sd_factor * median_over_ranks(sizes, ranks); sd > 0) return sd;
  const double width = quantile_over_ranks(values, 0.95, ranks) - quantile_over_ranks(values, 0.05, ranks);
  if (width > 0) return width / gaussian;
  std::erase(sizes, 0.0);
  return count_over_ranks(sizes.size(), ranks) == 0 ? 0 : median_over_ranks(sizes, ranks);
}

/// The one value of nearly all rows of a sample, if there is one.
std::optional<double> common_value(const std::vector<double>& sample) {
  constexpr double nearly_all = 0.95;
  const double median = median_of(sample);
  const auto equal = static_cast<double>(std::ranges::count(sample, median));
  return equal >= nearly_all * static_cast<double>(sample.size()) ? std::optional(median) : std::nullopt;
}

/// How far values lie from the middle one, typically; 0 where they differ by rounding or not at all.
double typical_gap(std::vector<double> values) {
  constexpr double rounding = 1e-12;
  std::ranges::sort(values);
  const double middle = values[(values.size() - 1) / 2];
  std::vector<double> gaps;
  for (const double value : values)
    if (const double gap = std::abs(value - middle); gap > rounding * std::abs(middle)) gaps.push_back(gap);
  std::ranges::sort(gaps);
  return gaps.empty() ? 0 : gaps[(gaps.size() - 1) / 2];
}

void set_unit(std::string_view entry, std::span<const std::string> names, std::vector<double>& units) {
  const std::size_t equals = entry.rfind('=');
  require(equals != std::string_view::npos, Errc::invalid_argument,
          "scale must be none, robust or COLUMN=NUMBER,...; got '", entry, "'");
  const std::string_view column = entry.substr(0, equals), number = entry.substr(equals + 1);
  const auto found = std::ranges::find(names, column);
  require(found != names.end(), Errc::invalid_argument, "scale names the column '", column,
          "', which the data do not have");
  double unit = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), unit);
  require(error == std::errc() && end == number.data() + number.size() && std::isfinite(unit) && unit > 0,
          Errc::invalid_argument, "the scale of column '", column, "' must be a positive number, got '",
          number, "'");
  units[static_cast<std::size_t>(found - names.begin())] = unit;
}

}  // namespace

double robust_spread(std::span<const std::vector<double>> samples) {
  std::vector<double> deviations;
  for (const std::vector<double>& values : samples) {
    if (values.empty()) continue;
    const double median = median_of(values);
    for (const double value : values) deviations.push_back(value - median);
  }
  return deviations.empty() ? 0 : spread_about_zero(std::move(deviations));
}

double robust_unit(std::span<const std::vector<double>> samples) {
  std::vector<double> common;
  for (const std::vector<double>& values : samples) {
    if (values.empty()) continue;
    const std::optional<double> value = common_value(values);
    if (!value) return robust_spread(samples);
    common.push_back(*value);
  }
  const double gap = common.empty() ? 0 : typical_gap(std::move(common));
  return gap > 0 ? gap : robust_spread(samples);
}

std::vector<double> robust_spreads(PointsView x, PointsView y) {
  std::vector<double> spreads(x.cols());
  for (std::size_t k = 0; k < spreads.size(); ++k)
    spreads[k] = robust_spread(std::array{column_of(x, k), column_of(y, k)});
  return spreads;
}

std::vector<double> median_shifts(PointsView x, PointsView y) {
  std::vector<double> shifts(x.cols());
  for (std::size_t k = 0; k < shifts.size(); ++k)
    shifts[k] = median_of(column_of(y, k)) - median_of(column_of(x, k));
  return shifts;
}

std::vector<double> robust_spreads(const SamplePart& x, const SamplePart& y, Communicator& ranks) {
  if (x.whole() && y.whole()) return robust_spreads(x.rows, y.rows);
  std::vector<double> spreads(x.rows.cols());
  for (std::size_t k = 0; k < spreads.size(); ++k) {
    std::vector<double> deviations;
    for (const PointsView rows : {x.rows, y.rows}) {
      const std::vector<double> values = column_of(rows, k);
      const double median = median_over_ranks(values, ranks);
      for (const double value : values) deviations.push_back(value - median);
    }
    spreads[k] = spread_about_zero(std::move(deviations), ranks);
  }
  return spreads;
}

std::vector<double> median_shifts(const SamplePart& x, const SamplePart& y, Communicator& ranks) {
  if (x.whole() && y.whole()) return median_shifts(x.rows, y.rows);
  std::vector<double> shifts(x.rows.cols());
  for (std::size_t k = 0; k < shifts.size(); ++k)
    shifts[k] =
        median_over_ranks(column_of(y.rows, k), ranks) - median_over_ranks(column_of(x.rows, k), ranks);
  return shifts;
}

std::vector<double> column_units(PointsView x, PointsView y, const std::string& scale,
                                 std::span<const std::string> names) {
  if (scale != "robust") return given_units(scale, names);
  std::vector<double> units(x.cols());
  for (std::size_t k = 0; k < units.size(); ++k)
    units[k] = robust_unit(std::array{column_of(x, k), column_of(y, k)});
  return units;
}

std::vector<double> given_units(const std::string& scale, std::span<const std::string> names) {
  std::vector<double> units(names.size(), 1.0);
  if (scale == "none") return units;
  for (std::size_t from = 0; from <= scale.size();) {
    const std::size_t comma = std::min(scale.find(',', from), scale.size());
    set_unit(std::string_view(scale).substr(from, comma - from), names, units);
    from = comma + 1;
  }
  return units;
}

Points in_units(PointsView points, std::span<const double> units) {
  Points divided(points.rows(), points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t k = 0; k < points.cols(); ++k)
      divided(i, k) = units[k] > 0 ? points(i, k) / units[k] : 0;
  return divided;
}

std::vector<std::string> default_column_names(std::size_t d) {
  std::vector<std::string> names(d);
  for (std::size_t k = 0; k < d; ++k) names[k] = "c" + std::to_string(k + 1);
  return names;
}

bool has_names(std::span<const std::string> columns) {
  const auto is_number = [](const std::string& name) {
    return name.find_first_not_of("0123456789") == std::string::npos;
  };
  bool numbered = true;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string number = std::to_string(j + 1);
    numbered = numbered && (columns[j] == number || columns[j] == "c" + number);
  }
  return !numbered && !std::ranges::all_of(columns, is_number);
}

}  // namespace motmot
