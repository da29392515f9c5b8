#include "motmot/doctor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/units.hpp"
#include "doctor/columns.hpp"
#include "tables/coding.hpp"

namespace motmot {
namespace {

/// Whether a number of the table has decimals, so that they were read as they are written.
bool has_fractions(const Frame& table) {
  return std::ranges::any_of(table.columns, [](const Column& column) {
    return column.kind == Kind::number && std::ranges::any_of(column.numbers, is_fraction);
  });
}

/// One or two tables.
struct Ward {
  const Frame& x;
  const Frame* y = nullptr;

  [[nodiscard]] std::vector<std::pair<std::string, const Frame*>> tables() const {
    if (y == nullptr) return {{"X", &x}};
    return {{"X", &x}, {"Y", y}};
  }

  /// What reads decimal commas in the table: an option is for both, a reference and a check have their own.
  [[nodiscard]] std::string decimal_comma(const std::string& table) const {
    const bool of_x = has_fractions(x), of_y = y != nullptr && has_fractions(*y);
    if (table == "X" ? of_x : of_y) return "";
    if (!of_x && !of_y) return "--decimal ,";
    const std::string other = table == "X" ? "Y" : "X";
    return "motmot reference R " + other + "; motmot check R " + table + " --decimal ,";
  }
};

// ------------------------------------------------------------------------------------------ whole tables

bool same_cell(const Column& column, std::uint32_t i, std::uint32_t j) {
  if (column.kind == Kind::category) return column.codes[i] == column.codes[j];
  const double a = column.numbers[i], b = column.numbers[j];
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool cell_before(const Column& column, std::uint32_t i, std::uint32_t j) {
  if (column.kind == Kind::category) return column.codes[i] < column.codes[j];
  const double a = column.numbers[i], b = column.numbers[j];
  return std::isnan(a) || std::isnan(b) ? !std::isnan(a) && std::isnan(b) : a < b;
}

std::vector<const Column*> told_apart_by(const Frame& table) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (!is_identifier(column)) columns.push_back(&column);
  return columns;
}

/// Rows that repeat an earlier one in all these columns.
std::size_t repeated_rows(std::span<const Column* const> columns, std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    for (const Column* column : columns)
      if (!same_cell(*column, i, j)) return cell_before(*column, i, j);
    return false;
  });
  std::size_t repeated = 0;
  for (std::size_t i = 1; i < n; ++i)
    repeated +=
        std::ranges::all_of(columns, [&](const Column* c) { return same_cell(*c, order[i - 1], order[i]); })
            ? 1
            : 0;
  return repeated;
}

/// The chance that two rows agree in a column.
double chance_of_agreement(const Column& column) {
  const auto n = static_cast<double>(column.rows());
  std::vector<double> cells = column.numbers;
  for (const std::uint32_t code : column.codes) cells.push_back(static_cast<double>(code));
  for (double& cell : cells)
    if (std::isnan(cell)) cell = std::numeric_limits<double>::infinity();
  std::ranges::sort(cells);
  double sum = 0;
  for (auto first = cells.begin(); first != cells.end();) {
    const auto last = std::upper_bound(first, cells.end(), *first);
    const auto count = static_cast<double>(last - first);
    sum += count * (count - 1);
    first = last;
  }
  return n > 1 ? sum / (n * (n - 1)) : 0;
}

void add_repeats(const std::string& name, const Frame& table, std::vector<Symptom>& found) {
  constexpr double many = 5, tied = 0.25;
  const std::vector<const Column*> columns = told_apart_by(table);
  const std::size_t n = table.n();
  if (columns.empty() || n < 2) return;
  const std::size_t repeated = repeated_rows(columns, n);
  double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  for (const Column* column : columns) pairs *= chance_of_agreement(*column);
  const double share = static_cast<double>(repeated) / static_cast<double>(n);
  if (share > tied)
    found.push_back(
        {.code = Ailment::ties,
         .table = name,
         .share = share,
         .text = rounded_percent(share) + " of the rows of " + name +
                 " repeat another one: between so many ties a gap says little, and few rows are left out; "
                 "columns that tell rows apart would help",
         .type = "--columns A,B,..."});
  else if (columns.size() > 1 && static_cast<double>(repeated) > many * pairs + 1)
    found.push_back({.code = Ailment::duplicates,
                     .table = name,
                     .share = share,
                     .text = counted(repeated, "row") + " of " + name + " (" + rounded_percent(share) + ") " +
                             (repeated == 1 ? "repeats" : "repeat") +
                             " an earlier one in every column, where chance would give " +
                             readable(pairs, 2) + ": copies keep each other company",
                     .type = "\"sql:select distinct * from 'FILE'\""});
}

void add_few_rows(const std::string& name, const Frame& table, std::vector<Symptom>& found) {
  constexpr std::size_t least_rows = 10;
  if (table.n() >= least_rows) return;
  found.push_back({.code = Ailment::few_rows,
                   .table = name,
                   .share = 1,
                   .text = name + " has " + counted(table.n(), "row") +
                           ": below 10 no row is left out, whatever it holds",
                   .type = "--tau 0"});
}

bool has_values_elsewhere(const Ward& ward, const Frame& table, std::size_t j) {
  if (ward.y == nullptr) return false;
  const Column& other = (&table == &ward.x ? *ward.y : ward.x).columns[j];
  return missing_in(other) < other.rows();
}

/// A column that is missing altogether says nothing, unless the other table has values of it.
void add_missing(const Ward& ward, const std::string& name, const Frame& table, std::vector<Symptom>& found) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column& column = table.columns[j];
    const std::size_t gaps = missing_in(column);
    if (gaps == 0 || column.kind == Kind::category) continue;
    const bool all = gaps == column.rows();
    if (all && !has_values_elsewhere(ward, table, j)) continue;
    const double share = static_cast<double>(gaps) / static_cast<double>(column.rows());
    found.push_back(
        {.code = Ailment::missing,
         .table = name,
         .column = column.name,
         .share = share,
         .text = shown(column.name) + " is missing in " +
                 (all ? "all rows of " + name
                      : counted(gaps, "row") + " of " + name + " (" + rounded_percent(share) + ")") +
                 ": distance and transport refuse that unless told what to do",
         .type = "--missing level"});
  }
}

// ------------------------------------------------------------------------------------------- both tables

/// Numbers alone, none missing: such tables are taken as they are.
bool is_plain(const Frame& table) {
  return std::ranges::all_of(table.columns, [](const Column& column) {
    return column.kind == Kind::number && missing_in(column) == 0;
  });
}

void add_units(const Ward& ward, std::vector<Symptom>& found) {
  constexpr double nearly_all = 0.9;
  const std::vector<Column>& columns = ward.x.columns;
  if (columns.size() < 2 || !is_plain(ward.x) || (ward.y != nullptr && !is_plain(*ward.y))) return;
  std::vector<double> spreads;
  for (std::size_t j = 0; j < columns.size(); ++j)
    spreads.push_back(is_identifier(columns[j]) ? 0
                      : ward.y == nullptr
                          ? robust_spread(columns[j].numbers)
                          : robust_unit(std::array{columns[j].numbers, ward.y->columns[j].numbers}));
  const double all = std::accumulate(spreads.begin(), spreads.end(), 0.0);
  const auto most = static_cast<std::size_t>(std::ranges::max_element(spreads) - spreads.begin());
  if (std::ranges::count_if(spreads, [](double s) { return s > 0; }) < 2 || spreads[most] <= nearly_all * all)
    return;
  found.push_back({.code = Ailment::units,
                   .table = ward.y == nullptr ? "X" : "X and Y",
                   .column = columns[most].name,
                   .share = spreads[most] / all,
                   .text = shown(columns[most].name) + " carries " + rounded_percent(spreads[most] / all) +
                           " of the spread of all columns: taken as they are, the others hardly count",
                   .type = "--scale robust"});
}

/// Ratios of units that people mix up, and what they are.
struct Ratio {
  double factor;
  const char* what;
};
constexpr Ratio known_ratios[] = {{2.54, "inches and centimetres"},
                                  {30.48, "feet and centimetres"},
                                  {12, "feet and inches"},
                                  {0.45359237, "pounds and kilograms"},
                                  {1.609344, "miles and kilometres"},
                                  {60, "minutes and seconds, or hours and minutes"},
                                  {10, "a power of ten"},
                                  {100, "a power of ten"},
                                  {1000, "a power of ten"},
                                  {1e6, "a power of ten"}};

/// The known ratio nearest to that of two medians which is also near that of the spreads: where a sample
/// moved in its own unit, its spread stays. Nothing for columns whose median is near 0.
std::optional<Ratio> unit_ratio(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr double tolerance = 0.1, tolerance_of_spreads = 0.3, away_from_zero = 2;
  const double median_x = median_of(x), median_y = median_of(y);
  const double spread_x = robust_spread(x), spread_y = robust_spread(y);
  if (std::abs(median_x) < away_from_zero * spread_x || std::abs(median_y) < away_from_zero * spread_y)
    return {};
  if (spread_x == 0 || median_y / median_x <= 0) return {};
  std::optional<Ratio> best;
  double off = tolerance;
  for (const Ratio& ratio : known_ratios)
    for (const double factor : {ratio.factor, 1 / ratio.factor}) {
      const double of_medians = std::abs(median_y / median_x / factor - 1);
      if (of_medians >= off || std::abs(spread_y / spread_x / factor - 1) >= tolerance_of_spreads) continue;
      off = of_medians;
      best = Ratio{factor, ratio.what};
    }
  return best;
}

void add_unit_change(const Ward& ward, std::vector<Symptom>& found) {
  constexpr std::size_t least_values = 30;
  if (ward.y == nullptr) return;
  for (std::size_t j = 0; j < ward.x.columns.size(); ++j) {
    const Column& a = ward.x.columns[j];
    const Column& b = ward.y->columns[j];
    const std::vector<double> x = present_in(a), y = present_in(b);
    if (a.kind != Kind::number || b.kind != Kind::number || std::min(x.size(), y.size()) < least_values)
      continue;
    const std::optional<Ratio> ratio = unit_ratio(x, y);
    if (!ratio) continue;
    found.push_back({.code = Ailment::unit_change,
                     .table = "X and Y",
                     .column = a.name,
                     .share = 1,
                     .text = shown(a.name) + " of Y is about " + readable(ratio->factor, 3) +
                             " times that of X, median and spread, as if one were in another unit (" +
                             ratio->what + ")",
                     .type = "\"sql:select " + sql_name(a.name) + " / " + readable(ratio->factor, 4) +
                             " as " + sql_name(a.name) + ", ... from 'Y'\""});
  }
}

/// true and false in one table, 1 and 0 in the other: as words they would have nothing in common.
bool is_flag(const Column& words, const Column& numbers) {
  const auto is_truth = [](const std::string& level) { return level == "true" || level == "false"; };
  const auto is_bit = [](double value) { return std::isnan(value) || value == 0 || value == 1; };
  return words.kind == Kind::category && numbers.kind == Kind::number &&
         std::ranges::all_of(words.levels, is_truth) && std::ranges::all_of(numbers.numbers, is_bit);
}

/// What is to be typed where a column is of different kinds.
std::string how_to_align(const Ward& ward, const Column& a, const Column& b) {
  const std::string name = sql_name(a.name);
  const auto as_flag = [&](const std::string& table) {
    return "\"sql:select " + name + " = 1 as " + name + ", ... from '" + table + "'\"";
  };
  for (const auto& [words, numbers, table] : {std::tuple(&a, &b, "Y"), std::tuple(&b, &a, "X")})
    if (is_flag(*words, *numbers)) return as_flag(table);
  for (const auto& [column, table] : {std::pair(&a, std::string("X")), std::pair(&b, std::string("Y"))})
    if (auto words = how_to_read_words({*column, table, ward.decimal_comma(table)})) return *words;
  return kinds_option(a.name, "category");
}

void add_kinds_differ(const Ward& ward, std::vector<Symptom>& found) {
  if (ward.y == nullptr) return;
  for (std::size_t j = 0; j < ward.x.columns.size(); ++j) {
    const Column& a = ward.x.columns[j];
    const Column& b = ward.y->columns[j];
    if (a.kind == b.kind || missing_in(a) == a.rows() || missing_in(b) == b.rows()) continue;
    if (is_mixed(a) || is_mixed(b)) continue;  // which says more
    found.push_back({.code = Ailment::kinds_differ,
                     .table = "X and Y",
                     .column = a.name,
                     .share = 1,
                     .text = shown(a.name) + " is a " + std::string(name(a.kind)) + " in X and a " +
                             std::string(name(b.kind)) + " in Y: they cannot be compared",
                     .type = how_to_align(ward, a, b)});
  }
}

/// Constant columns count only where both tables have the same value.
bool is_constant_in_all(const Ward& ward, std::size_t j) {
  if (ward.y == nullptr) return true;
  const Column& a = ward.x.columns[j];
  const Column& b = ward.y->columns[j];
  return is_constant(a) && is_constant(b) && cell_text(a, 0) == cell_text(b, 0);
}

/// One value in all rows of X and another in all of Y.
void add_constants_apart(const Ward& ward, std::vector<Symptom>& found) {
  constexpr std::size_t enough_to_say_all = 10;
  if (ward.y == nullptr || std::min(ward.x.n(), ward.y->n()) < enough_to_say_all) return;
  for (std::size_t j = 0; j < ward.x.columns.size(); ++j) {
    const Column& a = ward.x.columns[j];
    const Column& b = ward.y->columns[j];
    const bool constant = a.kind == b.kind && is_constant(a) && is_constant(b);
    if (!constant || missing_in(a) > 0 || missing_in(b) > 0 || is_constant_in_all(ward, j)) continue;
    found.push_back({.code = Ailment::constants_apart,
                     .table = "X and Y",
                     .column = a.name,
                     .share = 1,
                     .text = shown(a.name) + " is " + shown(cell_text(a, 0)) + " in all rows of X and " +
                             shown(cell_text(b, 0)) +
                             " in all rows of Y: this alone tells them apart, whatever the other columns say",
                     .type = exclude_option(a.name)});
  }
}

/// A category whose levels are few enough to come back, and no numbers or dates in disguise.
bool has_levels_that_return(const Column& column, const std::string& table) {
  constexpr std::size_t least_rows = 10;
  if (column.kind != Kind::category || column.rows() < least_rows || is_mixed(column)) return false;
  return 2 * spellings_of(column).size() <= column.rows() && !how_to_read_words({column, table});
}

/// Levels that X spells in one way and Y in another; how many.
std::size_t add_spellings_apart(const Column& a, const Column& b, std::vector<Symptom>& found) {
  const std::map<std::string, Spellings> of_x = spellings_of(a), of_y = spellings_of(b);
  std::size_t apart = 0;
  for (const auto& [plain, in_x] : of_x) {
    const auto same = of_y.find(plain);
    if (same == of_y.end()) continue;
    const std::vector<std::string>& in_y = same->second.levels;
    if (std::ranges::find_first_of(in_x.levels, in_y) != in_x.levels.end()) continue;
    ++apart;
    found.push_back({.code = Ailment::spellings,
                     .table = "X and Y",
                     .column = a.name,
                     .share = static_cast<double>(in_x.rows) / static_cast<double>(a.rows()),
                     .text = shown(a.name) + " has " + shown(in_x.levels.front()) + " in X and " +
                             shown(in_y.front()) + " in Y, which are two levels: spell them alike"});
  }
  return apart;
}

std::vector<std::string> levels_of(const Column& column) {
  std::vector<std::string> levels;
  for (const auto& [plain, alike] : spellings_of(column))
    levels.insert(levels.end(), alike.levels.begin(), alike.levels.end());
  return levels;
}

std::string listed_levels(const std::vector<std::string>& levels) {
  return listed(levels.size(), [&](std::size_t k) { return levels[k]; });
}

/// "yes" and "no" in X, "true" and "false" in Y, or "Paris" and "PARIS".
void add_levels_apart(const Ward& ward, std::vector<Symptom>& found) {
  if (ward.y == nullptr) return;
  for (std::size_t j = 0; j < ward.x.columns.size(); ++j) {
    const Column& a = ward.x.columns[j];
    const Column& b = ward.y->columns[j];
    if (!has_levels_that_return(a, "X") || !has_levels_that_return(b, "Y")) continue;
    if (add_spellings_apart(a, b, found) > 0 || (is_constant(a) && is_constant(b))) continue;
    const std::vector<std::string> of_x = levels_of(a), of_y = levels_of(b);
    if (std::ranges::find_first_of(of_x, of_y) != of_x.end()) continue;
    found.push_back(
        {.code = Ailment::levels_apart,
         .table = "X and Y",
         .column = a.name,
         .share = 1,
         .text = shown(a.name) + " has no level in common in X and Y (" + listed_levels(of_x) + " in X; " +
                 listed_levels(of_y) +
                 " in Y), which alone tells them apart: spell levels alike that mean the same, or "
                 "leave the column out",
         .type = exclude_option(a.name)});
  }
}

void add_columns(const Ward& ward, std::vector<Symptom>& found) {
  std::vector<const Frame*> all;
  for (const auto& [name, table] : ward.tables()) all.push_back(table);
  for (const auto& [name, table] : ward.tables()) {
    const std::string decimal_comma = ward.decimal_comma(name);
    for (std::size_t j = 0; j < table->columns.size(); ++j)
      for (Symptom& one : examine({table->columns[j], name, decimal_comma, j, all})) {
        if (one.code == Ailment::constant && !is_constant_in_all(ward, j)) continue;
        const auto before = std::ranges::find_if(found, [&](const Symptom& f) {
          return f.code == one.code && f.column == one.column && f.table != one.table && f.type == one.type;
        });
        if (before == found.end()) {
          found.push_back(std::move(one));
          continue;
        }
        if (before->text != one.text) before->text += " (that is X; Y likewise)";
        before->table = "X and Y", before->share = std::max(before->share, one.share);
      }
  }
}

/// Coordinates that the columns become.
std::size_t width_of(const Frame& table) {
  constexpr std::size_t most_levels = 31;
  std::size_t width = 0;
  for (const Column& column : table.columns)
    width += column.kind == Kind::category ? std::min(column.levels.size(), most_levels)
             : missing_in(column) > 0      ? 2
                                           : 1;
  return std::max<std::size_t>(width, 1);
}

Checkup checkup_of(const Ward& ward) {
  Checkup checkup{.n = ward.x.n()};
  if (ward.y != nullptr) checkup.m = ward.y->n();
  for (const Column& column : ward.x.columns) {
    checkup.columns.push_back(column.name);
    checkup.kinds.push_back(column.kind);
  }
  std::vector<Symptom>& found = checkup.findings;
  add_kinds_differ(ward, found);
  add_columns(ward, found);
  add_unit_change(ward, found);
  add_constants_apart(ward, found);
  add_levels_apart(ward, found);
  add_units(ward, found);
  for (const auto& [name, table] : ward.tables()) {
    add_missing(ward, name, *table, found);
    add_repeats(name, *table, found);
    add_few_rows(name, *table, found);
  }
  std::ranges::stable_sort(found, [](const Symptom& a, const Symptom& b) {
    return a.code != b.code ? a.code < b.code : a.share > b.share;
  });
  checkup.forecasts = forecast(ward.x.n(), ward.y == nullptr ? ward.x.n() : ward.y->n(), width_of(ward.x));
  return checkup;
}

}  // namespace

double doctor_bytes(std::size_t n, std::size_t m, std::size_t d) {
  constexpr double to_spare = 1.2, copies = 1.7;
  return to_spare * (process_bytes + copies * sample_bytes(n + m, d));
}

Checkup doctor(const Frame& x, std::uint64_t memory_limit) {
  require(x.n() > 0, Errc::invalid_argument, "X has no rows");
  require_memory(doctor_bytes(x.n(), 0, x.columns.size()), memory_limit);
  return checkup_of({x});
}

Checkup doctor(const Frame& x, const Frame& y, std::uint64_t memory_limit) {
  require(x.n() > 0 && y.n() > 0, Errc::invalid_argument, x.n() == 0 ? "X" : "Y", " has no rows");
  require(x.columns.size() == y.columns.size(), Errc::invalid_argument,
          "X and Y must have the same number of columns, got ", x.columns.size(), " and ", y.columns.size());
  require_memory(doctor_bytes(x.n(), y.n(), x.columns.size()), memory_limit);
  return checkup_of({x, &y});
}

}  // namespace motmot
