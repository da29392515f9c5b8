// How tables become points that the exact solver can compare.
#include "tables/coding.hpp"

#include <algorithm>
#include <array>
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

/// The same column of all tables.
struct Same {
  std::span<const NamedFrame> tables{};
  std::size_t place = 0;
  Kind kind{};

  [[nodiscard]] const Column& of(std::size_t t) const { return tables[t].frame->columns[place]; }
  [[nodiscard]] const std::string& name() const { return of(0).name; }
  template <class Test>
  [[nodiscard]] bool all(Test test) const {
    for (std::size_t t = 0; t < tables.size(); ++t)
      if (!test(of(t))) return false;
    return true;
  }
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

/// Of a table that has a value there: a column without any may be of any kind.
Kind common_kind(std::span<const NamedFrame> tables, std::size_t place) {
  const NamedFrame* first = nullptr;
  for (const NamedFrame& table : tables) {
    const Column& column = table.frame->columns[place];
    if (present(column) == 0) continue;
    if (first == nullptr) first = &table;
    const Column& other = first->frame->columns[place];
    require(column.kind == other.kind, Errc::invalid_argument, "column ", shown(other.name), " is a ",
            name(other.kind), " in ", first->name, " and a ", name(column.kind), " in ", table.name, ": ",
            kinds_option(other.name, "category"), " takes both as words");
  }
  return (first == nullptr ? tables.front() : *first).frame->columns[place].kind;
}

// --------------------------------------------------------------------------------------------------- levels

/// The shares that the levels have of the rows of each table.
using Shares = std::map<std::string_view, std::vector<double>>;

Shares shares_of(const Same& same) {
  Shares shares;
  for (std::size_t t = 0; t < same.tables.size(); ++t) {
    const Column& column = same.of(t);
    std::vector<std::size_t> counts(column.levels.size());
    for (const std::uint32_t code : column.codes)
      if (code != Column::no_level) ++counts[code];
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] == 0) continue;
      std::vector<double>& of_level = shares[column.levels[k]];
      of_level.resize(same.tables.size());
      of_level[t] = static_cast<double>(counts[k]) / static_cast<double>(column.codes.size());
    }
  }
  return shares;
}

/// The levels that have a coordinate of their own, the commonest first: a rule that asks neither which table
/// is which nor what the levels are called.
std::vector<std::string> kept_levels(const Shares& shares) {
  struct Level {
    std::vector<double> shares;  ///< the largest first
    std::string_view name;
    [[nodiscard]] double larger() const { return shares.front(); }
  };
  std::vector<Level> levels;
  for (const auto& [name, of_tables] : shares) {
    levels.push_back({of_tables, name});
    std::ranges::sort(levels.back().shares, std::greater{});
  }
  std::ranges::sort(levels, [](const Level& a, const Level& b) {
    return std::tie(b.shares, a.name) < std::tie(a.shares, b.name);
  });
  const double last = levels.size() > commonest ? levels[commonest - 1].larger() : 0;
  std::vector<std::string> kept;
  for (const Level& level : levels)
    if (level.larger() >= std::max(last, least_share)) kept.emplace_back(level.name);
  if (kept.size() + 1 == levels.size()) kept.emplace_back(levels.back().name);  // alone, it needs no pool
  return kept;
}

// ----------------------------------------------------------------------------------------- columns left out

/// Words that are distinct in 9 of 10 rows.
bool names_rows(const Column& column) {
  const std::size_t rows = present(column);
  std::vector<std::uint32_t> codes = column.codes;
  std::erase(codes, Column::no_level);
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return rows >= least_rows && static_cast<double>(codes.size()) >= nearly_all * static_cast<double>(rows);
}

/// Whole numbers, 19 in 20 of them distinct (rows may be there twice), that leave out fewer than 1 in 10 of
/// those between the least and the largest.
bool counts_up(const Column& column) {
  const auto rows = static_cast<double>(column.rows());
  if (!column.is_whole || column.rows() < least_rows || present(column) < column.rows()) return false;
  std::vector<double> values = column.numbers;
  std::ranges::sort(values);
  const double range = values.back() - values.front();
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return static_cast<double>(values.size()) >= 0.95 * rows && range < 1.1 * rows;
}

/// As the rows of its file are numbered, from wherever.
bool counts_rows(const Column& column, const std::vector<std::uint64_t>& rows) {
  if (!column.is_whole || column.numbers.size() < 3) return false;
  for (std::size_t i = 1; i < column.numbers.size(); ++i) {
    const double step = rows.empty() ? 1 : static_cast<double>(rows[i] - rows[i - 1]);
    if (column.numbers[i] - column.numbers[i - 1] != step) return false;
  }
  return true;
}

/// The value that all tables have in every row, as people read it; empty if there are several.
std::string only_value(const Same& same) {
  if (!same.all([](const Column& column) { return present(column) == column.rows(); })) return "";
  const std::string value = cell_text(same.of(0), 0);
  const bool one = same.all([&](const Column& column) {
    const bool repeats =
        column.kind == Kind::category
            ? std::ranges::adjacent_find(column.codes, std::not_equal_to{}) == column.codes.end()
            : std::ranges::adjacent_find(column.numbers, std::not_equal_to{}) == column.numbers.end();
    return repeats && cell_text(column, 0) == value;
  });
  return one ? value : "";
}

/// Fewer rows than can show an identifier, and no value twice, which would speak against one.
bool may_be_identifier(const Column& column) {
  std::vector<double> values = present_numbers(column);
  for (const std::uint32_t code : column.codes)
    if (code != Column::no_level) values.push_back(static_cast<double>(code));
  std::ranges::sort(values);
  return column.rows() < least_rows && std::ranges::adjacent_find(values) == values.end();
}

/// Whether all tables show it, or one that has rows enough and all others that have: a few orders of June are
/// numbered, too.
template <class Test>
bool is_identifier_in(const Same& same, Test shows_it) {
  const bool shown_enough = std::ranges::any_of(same.tables, [&](const NamedFrame& table) {
    return table.frame->n() >= least_rows && shows_it(table);
  });
  return std::ranges::all_of(same.tables, [&](const NamedFrame& table) {
    return shows_it(table) || (shown_enough && may_be_identifier(table.frame->columns[same.place]));
  });
}

/// Why the column is not compared; empty if it is.
std::string why_left_out(const Same& same, bool alone) {
  if (same.all([](const Column& column) { return present(column) == 0; })) return "has only missing values";
  if (const std::string value = only_value(same); !value.empty() && !alone)
    return "has one and the same value, " + shown(value);
  if (!same.all([](const Column& column) { return !column.is_given; })) return "";
  const std::string keep = "; " + kinds_option(same.name(), name(same.kind)) + " keeps it";
  const auto names_its_rows = [&](const NamedFrame& table) {
    return names_rows(table.frame->columns[same.place]);
  };
  const auto counts_its_rows = [&](const NamedFrame& table) {
    const Column& column = table.frame->columns[same.place];
    return counts_up(column) || counts_rows(column, table.frame->rows);
  };
  if (same.kind == Kind::category && is_identifier_in(same, names_its_rows))
    return "is an identifier: nearly every row has a word of its own" + keep;
  if (same.kind == Kind::number && is_identifier_in(same, counts_its_rows))
    return "is an identifier: it counts the rows" + keep;
  return "";
}

// ----------------------------------------------------------------------------------------------- the coding

bool is_plain(const Frame& frame) {
  return std::ranges::all_of(frame.columns, [](const Column& column) {
    return column.kind == Kind::number && present(column) == column.rows();
  });
}

CodedColumn coded_category(const Same& same) {
  const Shares shares = shares_of(same);
  CodedColumn coded{.levels = kept_levels(shares)};
  coded.pooled = shares.size() - coded.levels.size();
  return coded;
}

std::vector<std::vector<double>> numbers_of(std::span<const NamedFrame> tables, std::size_t place) {
  std::vector<std::vector<double>> numbers;
  for (const NamedFrame& table : tables) numbers.push_back(present_numbers(table.frame->columns[place]));
  return numbers;
}

TimeUnit time_unit_for(double spread) {
  if (spread == 0 || spread >= seconds_in(TimeUnit::days)) return TimeUnit::days;
  return spread >= seconds_in(TimeUnit::hours) ? TimeUnit::hours : TimeUnit::seconds;
}

/// Numbers, or times in their unit; all of it but the unit that they are divided by.
CodedColumn coded_numbers(const Same& same) {
  CodedColumn coded;
  const std::vector<std::vector<double>> numbers = numbers_of(same.tables, same.place);
  if (same.kind == Kind::time) coded.time_unit = time_unit_for(robust_unit(numbers));
  std::vector<double> all;
  for (const std::vector<double>& of_table : numbers) all.insert(all.end(), of_table.begin(), of_table.end());
  coded.fill = median_of(std::move(all));
  return coded;
}

CodedColumn coded(const Same& same, Missing missing) {
  CodedColumn column = same.kind == Kind::category ? coded_category(same) : coded_numbers(same);
  column.name = same.name();
  column.place = same.place;
  column.kind = same.kind;
  column.has_missing = !same.all([](const Column& one) { return present(one) == one.rows(); });
  require(!column.has_missing || same.kind == Kind::category || missing == Missing::level,
          Errc::invalid_argument, "column ", shown(column.name),
          " has missing values; --missing level makes them something to compare");
  return column;
}

/// The robust unit of a number or a time, as it is measured. One that has a single value beside missing ones
/// needs none.
double robust_unit_of(const CodedColumn& column, std::span<const NamedFrame> tables) {
  const std::vector<std::vector<double>> numbers = numbers_of(tables, column.place);
  const bool one_value = std::ranges::all_of(numbers, [&](const std::vector<double>& of_table) {
    return std::ranges::all_of(of_table, [&](double value) { return value == column.fill; });
  });
  if (one_value && column.has_missing) return 1;
  const double measure = column.kind == Kind::time ? seconds_in(column.time_unit) : 1;
  return robust_unit(numbers) / measure;
}

void set_units(std::span<const NamedFrame> tables, Coding& coding) {
  std::vector<std::string> names;
  for (const CodedColumn& column : coding.columns) names.push_back(column.name);
  const bool robust = coding.scale == "robust";
  const std::vector<double> given = given_units(robust ? "none" : coding.scale, names);
  for (std::size_t k = 0; k < names.size(); ++k) {
    CodedColumn& column = coding.columns[k];
    if (column.kind != Kind::category) column.unit = robust ? robust_unit_of(column, tables) : given[k];
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

// --------------------------------------------------------------------------------------------------- points

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

std::string value_in_own_units(double coordinate, const CodedColumn& column) {
  constexpr int digits = 12;  // fewer than a double has: dividing by the unit and back leaves -999
  const double value = coordinate * column.unit;
  return column.kind == Kind::time ? time_text(value * seconds_in(column.time_unit))
                                   : significant(value, digits);
}

std::string decoded(std::span<const double> coordinates, const CodedColumn& column) {
  const auto largest = std::ranges::max_element(coordinates);
  const auto place = static_cast<std::size_t>(largest - coordinates.begin());
  const bool category = column.kind == Kind::category;
  const bool missing = column.has_missing && coordinates.back() > 0;
  if (missing) return std::string(missing_level);
  if (category) return place < column.levels.size() ? column.levels[place] : std::string(other_level);
  return value_in_own_units(coordinates.front(), column);
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

/// From several tables, or from one `alone` that others will be held against.
Coding learn(std::span<const NamedFrame> tables, const CodingOptions& options, bool alone) {
  require(!tables.empty(), Errc::invalid_argument, "there is no table to learn from");
  const NamedFrame& first = tables.front();
  for (const NamedFrame& table : tables) {
    require(table.frame->n() > 0, Errc::invalid_argument, table.name, " has no rows");
    require(table.frame->columns.size() == first.frame->columns.size(), Errc::invalid_argument, first.name,
            " and ", table.name, " must have the same number of columns, got ", first.frame->columns.size(),
            " and ", table.frame->columns.size());
  }
  require(std::isfinite(options.category_weight) && options.category_weight > 0, Errc::invalid_argument,
          "the weight of categories must be a positive number, got ", options.category_weight);
  Coding coding{.scale = options.scale, .category_weight = options.category_weight};
  const bool plain =
      !alone && std::ranges::all_of(tables, [](const NamedFrame& table) { return is_plain(*table.frame); });
  for (std::size_t j = 0; j < first.frame->columns.size(); ++j) {
    const Same same{tables, j, common_kind(tables, j)};
    std::string why = plain ? "" : why_left_out(same, alone);
    if (why.empty()) coding.columns.push_back(coded(same, options.missing));
    else coding.left_out.push_back({same.name(), std::move(why)});
  }
  require(!coding.columns.empty(), Errc::invalid_argument, nothing_left(coding));
  const bool has_levels = coding.has_levels() || (alone && options.missing == Missing::level);
  if (coding.scale == "auto") coding.scale = has_levels ? "robust" : "none";
  set_units(tables, coding);
  if (alone) open_up(coding, options.missing);
  return coding;
}

}  // namespace

Coding learn_coding(std::span<const NamedFrame> tables, const CodingOptions& options) {
  return learn(tables, options, false);
}

Coding learn_coding(const Frame& x, const Frame& y, const CodingOptions& options) {
  return learn(std::array{NamedFrame{options.tables.x, &x}, NamedFrame{options.tables.y, &y}}, options,
               false);
}

Coding learn_coding(const Frame& x, const CodingOptions& options) {
  return learn(std::array{NamedFrame{options.tables.x, &x}}, options, true);
}

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

bool is_identifier(const Column& column) {
  if (column.kind == Kind::category) return names_rows(column);
  return column.kind == Kind::number && counts_up(column);
}

}  // namespace motmot
