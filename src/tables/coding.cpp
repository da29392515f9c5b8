// How tables become points that the exact solver can compare.
#include "tables/coding.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"
#include "data/times.hpp"
#include "data/units.hpp"

namespace motmot {
namespace {

constexpr double least_share = 0.01;    ///< of a level with a coordinate of its own
constexpr std::size_t commonest = 30;   ///< levels that have one, and those as common as the last
constexpr double nearly_all = 0.9;      ///< distinct words of an identifier
constexpr std::size_t least_rows = 10;  ///< in which an identifier can be told

/// The same column of both tables.
struct Pair {
  const Column& x;
  const Column& y;
  Kind kind{};
};

std::vector<double> present_numbers(const Column& column) {
  std::vector<double> present;
  for (const double value : column.numbers)
    if (!std::isnan(value)) present.push_back(value);
  return present;
}

std::size_t present(const Column& column) {
  const auto words = std::ranges::count_if(column.codes, [](auto code) { return code != Column::no_level; });
  const auto numbers = std::ranges::count_if(column.numbers, [](double value) { return !std::isnan(value); });
  return static_cast<std::size_t>(words + numbers);
}

/// A column without any value may be of any kind.
Kind common_kind(const Column& x, const Column& y, const PerSample<std::string>& tables) {
  if (x.kind == y.kind || present(y) == 0) return x.kind;
  require(present(x) == 0, Errc::invalid_argument, "column ", shown(x.name), " is a ", name(x.kind), " in ",
          tables.x, " and a ", name(y.kind), " in ", tables.y, ": ", kinds_option(x.name, "category"),
          " takes both as words");
  return y.kind;
}

// -------------------------------------------------------------------------------------------------------
// levels

/// The shares that the levels have of the rows of both tables.
using Shares = std::map<std::string_view, PerSample<double>>;

void add_shares(const Column& column, double PerSample<double>::*sample, Shares& shares) {
  std::vector<std::size_t> counts(column.levels.size());
  for (const std::uint32_t code : column.codes)
    if (code != Column::no_level) ++counts[code];
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0)
      shares[column.levels[k]].*sample =
          static_cast<double>(counts[k]) / static_cast<double>(column.codes.size());
}

Shares shares_of(const Pair& pair) {
  Shares shares;
  add_shares(pair.x, &PerSample<double>::x, shares);
  add_shares(pair.y, &PerSample<double>::y, shares);
  return shares;
}

/// The levels that have a coordinate of their own, the commonest first: a rule that asks neither which table
/// is x nor what the levels are called.
std::vector<std::string> kept_levels(const Shares& shares) {
  struct Level {
    double larger, smaller;
    std::string_view name;
  };
  std::vector<Level> levels;
  for (const auto& [name, share] : shares)
    levels.push_back({std::max(share.x, share.y), std::min(share.x, share.y), name});
  std::ranges::sort(levels, [](const Level& a, const Level& b) {
    return std::tie(b.larger, b.smaller, a.name) < std::tie(a.larger, a.smaller, b.name);
  });
  const double last = levels.size() > commonest ? levels[commonest - 1].larger : 0;
  std::vector<std::string> kept;
  for (const Level& level : levels)
    if (level.larger >= std::max(last, least_share)) kept.emplace_back(level.name);
  if (kept.size() + 1 == levels.size()) kept.emplace_back(levels.back().name);  // alone, it needs no pool
  return kept;
}

// -------------------------------------------------------------------------------------------- columns left
// out

bool names_every_row(const Column& column) {
  const std::size_t rows = present(column);
  std::vector<std::uint32_t> codes = column.codes;
  std::ranges::sort(codes);
  codes.erase(std::ranges::unique(codes).begin(), codes.end());
  return rows >= least_rows && static_cast<double>(codes.size()) >= nearly_all * static_cast<double>(rows);
}

bool counts_rows(const Column& column, const std::vector<std::uint64_t>& rows) {
  if (!column.is_whole || column.numbers.size() < 3) return false;
  for (std::size_t i = 1; i < column.numbers.size(); ++i) {
    const double step = rows.empty() ? 1 : static_cast<double>(rows[i] - rows[i - 1]);
    if (column.numbers[i] - column.numbers[i - 1] != step) return false;
  }
  return true;
}

/// The value that both tables have in every row, as people read it; empty if there are several.
std::string only_value(const Pair& pair) {
  if (present(pair.x) != pair.x.rows() || present(pair.y) != pair.y.rows()) return "";
  const auto same = [](const Column& column) {
    return column.kind == Kind::category
               ? std::ranges::adjacent_find(column.codes, std::not_equal_to{}) == column.codes.end()
               : std::ranges::adjacent_find(column.numbers, std::not_equal_to{}) == column.numbers.end();
  };
  const std::string value = cell_text(pair.x, 0);
  return same(pair.x) && same(pair.y) && cell_text(pair.y, 0) == value ? value : "";
}

/// Why the column is not compared; empty if it is.
std::string why_left_out(const Pair& pair, const Frame& x, const Frame& y, bool alone) {
  if (present(pair.x) + present(pair.y) == 0) return "has only missing values";
  if (const std::string value = only_value(pair); !value.empty() && !alone)
    return "has one and the same value, " + shown(value);
  if (pair.x.is_given || pair.y.is_given) return "";
  const std::string keep = "; " + kinds_option(pair.x.name, name(pair.kind)) + " keeps it";
  if (pair.kind == Kind::category && names_every_row(pair.x) && names_every_row(pair.y))
    return "is an identifier: nearly every row has a word of its own" + keep;
  if (pair.kind == Kind::number && counts_rows(pair.x, x.rows) && counts_rows(pair.y, y.rows))
    return "is an identifier: it counts the rows" + keep;
  return "";
}

// --------------------------------------------------------------------------------------------------- the
// coding

bool is_plain(const Frame& frame) {
  return std::ranges::all_of(frame.columns, [](const Column& column) {
    return column.kind == Kind::number && present(column) == column.rows();
  });
}

CodedColumn coded_category(const Pair& pair) {
  const Shares shares = shares_of(pair);
  CodedColumn coded{.levels = kept_levels(shares)};
  coded.pooled = shares.size() - coded.levels.size();
  return coded;
}

TimeUnit time_unit_for(double spread) {
  if (spread == 0 || spread >= seconds_in(TimeUnit::days)) return TimeUnit::days;
  return spread >= seconds_in(TimeUnit::hours) ? TimeUnit::hours : TimeUnit::seconds;
}

/// Numbers, or times in their unit; all of it but the unit that they are divided by.
CodedColumn coded_numbers(const Pair& pair) {
  CodedColumn coded;
  std::vector<double> x = present_numbers(pair.x);
  const std::vector<double> y = present_numbers(pair.y);
  if (pair.kind == Kind::time) coded.time_unit = time_unit_for(robust_spread(x, y));
  x.insert(x.end(), y.begin(), y.end());
  coded.fill = median_of(std::move(x));
  return coded;
}

CodedColumn coded(const Pair& pair, std::size_t place, Missing missing) {
  CodedColumn column = pair.kind == Kind::category ? coded_category(pair) : coded_numbers(pair);
  column.name = pair.x.name;
  column.place = place;
  column.kind = pair.kind;
  column.has_missing = present(pair.x) < pair.x.rows() || present(pair.y) < pair.y.rows();
  require(!column.has_missing || pair.kind == Kind::category || missing == Missing::level,
          Errc::invalid_argument, "column ", shown(column.name),
          " has missing values; --missing level makes them something to compare");
  return column;
}

/// The spread of a number or a time, as it is measured. One that has a single value beside missing ones needs
/// none.
double spread_of(const CodedColumn& column, const Frame& x, const Frame& y) {
  std::vector<double> of_x = present_numbers(x.columns[column.place]),
                      of_y = present_numbers(y.columns[column.place]);
  const auto different = [&](double value) { return value != column.fill; };
  if (std::ranges::none_of(of_x, different) && std::ranges::none_of(of_y, different) && column.has_missing)
    return 1;
  const double measure = column.kind == Kind::time ? seconds_in(column.time_unit) : 1;
  return robust_spread(of_x, of_y) / measure;
}

void set_units(const Frame& x, const Frame& y, Coding& coding) {
  std::vector<std::string> names;
  for (const CodedColumn& column : coding.columns) names.push_back(column.name);
  const bool robust = coding.scale == "robust";
  const std::vector<double> given = given_units(robust ? "none" : coding.scale, names);
  for (std::size_t k = 0; k < names.size(); ++k) {
    CodedColumn& column = coding.columns[k];
    if (column.kind != Kind::category) column.unit = robust ? spread_of(column, x, y) : given[k];
    else
      require(given[k] == 1, Errc::invalid_argument, "scale names the column '", names[k],
              "', which is a category; --category-weight says how far apart its levels are");
  }
}

std::string nothing_left(const Coding& coding) {
  std::string text;
  for (const auto& [name, why] : coding.left_out)
    text += (text.empty() ? "" : "; ") + shown(name) + " " + why;
  return "no column is left to compare: " + text;
}

// --------------------------------------------------------------------------------------------------------
// points

/// Coordinates of the levels of a column, by their codes in this table, and of the one that is missing.
std::vector<std::size_t> places_of(const Column& words, const CodedColumn& column) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t k = 0; k < column.levels.size(); ++k) known.emplace(column.levels[k], k);
  std::vector<std::size_t> places;
  for (const std::string& level : words.levels) {
    const auto found = known.find(level);
    places.push_back(found == known.end() ? column.levels.size() : found->second);
  }
  return places;
}

void encode_category(const Column& words, const CodedColumn& column, double weight, std::size_t first,
                     Points& points) {
  const std::vector<std::size_t> places = places_of(words, column);
  const std::size_t missing = column.width() - 1;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const bool absent = words.kind != Kind::category || words.codes[i] == Column::no_level;
    const std::size_t place = absent ? missing : places[words.codes[i]];
    require(absent ? column.has_missing : place < column.levels.size() || column.has_other(),
            Errc::invalid_argument, "row ", i + 1, ", column ", shown(column.name), ": ",
            absent ? "a missing value" : shown(cell_text(words, i)), ", which the coding does not know");
    points(i, first + place) = weight * (std::numbers::sqrt2 / 2);
  }
}

void encode_numbers(const Column& values, const CodedColumn& column, double weight, std::size_t first,
                    Points& points) {
  const double measure = column.kind == Kind::time ? seconds_in(column.time_unit) : 1;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const bool absent = values.kind == Kind::category || std::isnan(values.numbers[i]);
    require(!absent || column.has_missing, Errc::invalid_argument, "row ", i + 1, ", column ",
            shown(column.name), ": a missing value, which the coding does not know");
    const double value = (absent ? column.fill : values.numbers[i]) / measure;
    points(i, first) = column.unit > 0 ? value / column.unit : 0;
    if (absent) points(i, first + 1) = weight;
  }
}

}  // namespace

double seconds_in(TimeUnit unit) {
  return unit == TimeUnit::days ? 86400 : unit == TimeUnit::hours ? 3600 : 1;
}

std::string decoded(std::span<const double> coordinates, const CodedColumn& column) {
  const auto largest = std::ranges::max_element(coordinates);
  const auto place = static_cast<std::size_t>(largest - coordinates.begin());
  const bool category = column.kind == Kind::category;
  const bool missing = column.has_missing && coordinates.back() > 0;
  if (missing) return std::string(missing_level);
  if (category) return place < column.levels.size() ? column.levels[place] : std::string(other_level);
  const double value = coordinates.front() * column.unit;
  return column.kind == Kind::time ? time_text(value * seconds_in(column.time_unit)) : readable(value, 3);
}

std::size_t Coding::width() const noexcept {
  std::size_t width = 0;
  for (const CodedColumn& column : columns) width += column.width();
  return width;
}

bool Coding::has_levels() const noexcept {
  return std::ranges::any_of(
      columns, [](const CodedColumn& column) { return column.kind == Kind::category || column.has_missing; });
}

bool Coding::is_plain() const noexcept {
  return left_out.empty() && !has_levels() &&
         std::ranges::all_of(columns, [](const CodedColumn& column) { return column.kind == Kind::number; });
}

namespace {

/// Makes room for what rows that are not there yet may bring.
void open_up(Coding& coding, Missing missing) {
  for (CodedColumn& column : coding.columns) {
    const double measure = column.kind == Kind::time ? seconds_in(column.time_unit) : 1;
    if (column.unit == 0) column.unit = column.fill != 0 ? std::abs(column.fill) / measure : 1;
    column.is_open = column.kind == Kind::category;
    column.has_missing = column.has_missing || column.is_open || missing == Missing::level;
  }
}

/// From two tables, or from one that stands for both.
Coding learn(const Frame& x, const Frame& y, const CodingOptions& options, bool alone) {
  require(x.n() > 0 && y.n() > 0, Errc::invalid_argument, x.n() == 0 ? "X" : "Y", " has no rows");
  require(x.columns.size() == y.columns.size(), Errc::invalid_argument,
          "X and Y must have the same number of columns, got ", x.columns.size(), " and ", y.columns.size());
  require(std::isfinite(options.category_weight) && options.category_weight > 0, Errc::invalid_argument,
          "the weight of categories must be a positive number, got ", options.category_weight);
  Coding coding{.scale = options.scale, .category_weight = options.category_weight};
  const bool plain = !alone && is_plain(x) && is_plain(y);
  for (std::size_t j = 0; j < x.columns.size(); ++j) {
    const Pair pair{x.columns[j], y.columns[j], common_kind(x.columns[j], y.columns[j], options.tables)};
    std::string why = plain ? "" : why_left_out(pair, x, y, alone);
    if (why.empty()) coding.columns.push_back(coded(pair, j, options.missing));
    else coding.left_out.push_back({pair.x.name, std::move(why)});
  }
  require(!coding.columns.empty(), Errc::invalid_argument, nothing_left(coding));
  const bool has_levels = coding.has_levels() || (alone && options.missing == Missing::level);
  if (coding.scale == "auto") coding.scale = has_levels ? "robust" : "none";
  set_units(x, y, coding);
  if (alone) open_up(coding, options.missing);
  return coding;
}

}  // namespace

Coding learn_coding(const Frame& x, const Frame& y, const CodingOptions& options) {
  return learn(x, y, options, false);
}

Coding learn_coding(const Frame& x, const CodingOptions& options) { return learn(x, x, options, true); }

Points encode(const Frame& frame, const Coding& coding) {
  Points points(frame.n(), coding.width());
  std::size_t first = 0;
  for (const CodedColumn& column : coding.columns) {
    require(column.place < frame.columns.size(), Errc::invalid_argument, "the table has ",
            frame.columns.size(), " columns and the coding asks for column ", column.place + 1, ", ",
            shown(column.name));
    const Column& values = frame.columns[column.place];
    require(values.kind == column.kind || present(values) == 0, Errc::invalid_argument, "column ",
            shown(column.name), " is a ", name(values.kind), " where the coding has a ", name(column.kind));
    const auto encode_column = column.kind == Kind::category ? encode_category : encode_numbers;
    encode_column(values, column, coding.category_weight, first, points);
    first += column.width();
  }
  return points;
}

}  // namespace motmot
