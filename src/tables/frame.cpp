// Tables as they are read, and kinds that are set.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/readers.hpp"
#include "data/times.hpp"
#include "motmot/tables.hpp"
#include "tables/sources.hpp"

namespace motmot {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

/// A column that says nothing but true and false, in any spelling, says it in one.
void unify_booleans(Column& column) {
  std::vector<std::string> levels;
  std::vector<std::uint32_t> code_of;
  for (const std::string& level : column.levels) {
    const std::string word = equal_ignoring_case(level, "true") ? "true" : "false";
    if (!equal_ignoring_case(level, word)) return;
    const auto found = std::ranges::find(levels, word);
    code_of.push_back(static_cast<std::uint32_t>(found - levels.begin()));
    if (found == levels.end()) levels.push_back(word);
  }
  column.levels = std::move(levels);
  for (std::uint32_t& code : column.codes)
    if (code != Column::no_level) code = code_of[code];
}

bool all_whole(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double v) { return std::isnan(v) || v == std::floor(v); });
}

Column column_of(const Cells& cells, std::size_t j) {
  const Points& points = cells.table.points;
  Column column{.name = cells.table.columns[j]};
  if (!cells.columns.empty()) {
    column.kind = cells.columns[j].kind;
    column.is_given = cells.columns[j].given;
    column.levels = cells.columns[j].levels;
  }
  const bool category = column.kind == Kind::category;
  (category ? column.codes.resize(points.rows()) : column.numbers.resize(points.rows()));
  for (std::size_t i = 0; i < points.rows(); ++i) {
    if (!category) column.numbers[i] = points(i, j);
    else column.codes[i] = points(i, j) >= 0 ? static_cast<std::uint32_t>(points(i, j)) : Column::no_level;
  }
  if (category) unify_booleans(column);
  column.is_whole = column.kind == Kind::number && all_whole(column.numbers);
  return column;
}

// --------------------------------------------------------------------------------------- kinds that are set

std::string number_text(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

/// Numbers or times as words.
Column as_category(Column column) {
  Column words{.name = column.name, .kind = Kind::category};
  std::vector<double> values;
  std::ranges::copy_if(column.numbers, std::back_inserter(values), [](double v) { return !std::isnan(v); });
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::uint32_t> code_of(values.size(), Column::no_level);
  for (std::size_t i = 0; i < column.numbers.size(); ++i) {
    words.codes.push_back(Column::no_level);
    if (std::isnan(column.numbers[i])) continue;
    const auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(values, column.numbers[i]) - values.begin());
    if (code_of[at] == Column::no_level) {
      code_of[at] = static_cast<std::uint32_t>(words.levels.size());
      words.levels.push_back(cell_text(column, i));
    }
    words.codes.back() = code_of[at];
  }
  return words;
}

/// A word as a number or a time; NaN if it is none.
double word_value(const std::string& word, Kind kind) {
  double number = missing_value;
  if (kind == Kind::time) return parse_time(word).value_or(missing_value);
  return reads_as(word, number) ? number : missing_value;
}

/// Words as numbers or times, all of them.
Column as_values(const Column& words, Kind kind, const std::string& source) {
  Column column{.name = words.name, .kind = kind};
  for (const std::uint32_t code : words.codes) {
    column.numbers.push_back(missing_value);
    if (code == Column::no_level) continue;
    column.numbers.back() = word_value(words.levels[code], kind);
    require(!std::isnan(column.numbers.back()), Errc::invalid_argument, source, ", row ",
            column.numbers.size(), ", column ", shown(words.name), ": ", shown(words.levels[code]),
            kind == Kind::time ? " is not a time such as 2024-01-31T12:30:00Z" : " is not a number");
  }
  return column;
}

bool are_times(const Column& column) {
  return !column.levels.empty() &&
         std::ranges::all_of(column.levels, [](const auto& word) { return parse_time(word).has_value(); });
}

Column with_kind(Column column, Kind kind, const std::string& source) {
  if (column.kind == kind) return column;
  if (kind == Kind::category) return as_category(std::move(column));
  if (column.kind == Kind::category) return as_values(column, kind, source);
  require(kind == Kind::number, Errc::invalid_argument, source, ", column ", shown(column.name),
          " holds numbers; a time is written 2024-01-31T12:30:00Z");
  column.kind = kind;
  return column;
}

std::size_t find_column(const Frame& frame, const std::string& asked, const std::string& source) {
  const auto found = std::ranges::find(frame.columns, asked, &Column::name);
  if (found != frame.columns.end()) return static_cast<std::size_t>(found - frame.columns.begin());
  std::size_t number = 0;
  require(reads_as(asked, number) && 1 <= number && number <= frame.columns.size(), Errc::invalid_argument,
          source, " has no column ", shown(asked), "; its columns are ",
          listed(frame.columns.size(), [&](std::size_t j) { return frame.columns[j].name; }));
  return number - 1;
}

// ------------------------------------------------------------------------------------------- missing values

bool is_missing(const Column& column, std::size_t row) {
  return column.kind == Kind::category ? column.codes[row] == Column::no_level
                                       : !std::isfinite(column.numbers[row]);
}

std::uint64_t source_row(const Frame& frame, std::size_t row) {
  return frame.rows.empty() ? row + 1 : frame.rows[row];
}

void require_present(const Frame& frame, const std::string& source) {
  for (std::size_t i = 0; i < frame.n(); ++i)
    for (const Column& column : frame.columns)
      require(column.kind == Kind::category || !is_missing(column, i), Errc::io, source, ", row ",
              source_row(frame, i), ", column ", shown(column.name),
              ": missing value; --missing level makes it something to compare, --missing drop leaves such "
              "rows out");
}

/// Values that the options call missing: words as they are spelt, numbers by their value.
void take_out(Column& column, const Dialect& dialect) {
  for (double& value : column.numbers)
    if (dialect.is_na(value)) value = missing_value;
  std::vector<bool> is_na;
  for (const std::string& level : column.levels)
    is_na.push_back(std::ranges::find(dialect.na, level) != dialect.na.end());
  for (std::uint32_t& code : column.codes)
    if (code != Column::no_level && is_na[code]) code = Column::no_level;
}

template <class T>
std::vector<T> at_rows(const std::vector<T>& values, const std::vector<std::size_t>& rows) {
  std::vector<T> kept;
  for (const std::size_t row : rows)
    if (!values.empty()) kept.push_back(values[row]);
  return kept;
}

/// These rows, ascending, numbered as in the source.
Frame with_rows(const Frame& frame, const std::vector<std::size_t>& kept) {
  Frame some{.weights = at_rows(frame.weights, kept), .rows_dropped = frame.rows_dropped};
  for (const std::size_t row : kept) some.rows.push_back(source_row(frame, row));
  for (const Column& column : frame.columns) {
    some.columns.push_back({.name = column.name,
                            .kind = column.kind,
                            .numbers = at_rows(column.numbers, kept),
                            .codes = at_rows(column.codes, kept),
                            .levels = column.levels,
                            .is_whole = column.is_whole,
                            .is_given = column.is_given});
  }
  return some;
}

Frame without_missing(Frame frame, const std::string& source) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < frame.n(); ++i)
    if (std::ranges::none_of(frame.columns, [&](const Column& column) { return is_missing(column, i); }))
      kept.push_back(i);
  if (kept.size() == frame.n()) return frame;
  require(!kept.empty(), Errc::io, source, ": all ", frame.n(), " rows have missing values, none is left");
  frame.rows_dropped += frame.n() - kept.size();
  return with_rows(frame, kept);
}

}  // namespace

std::string cell_text(const Column& column, std::size_t row) {
  if (is_missing(column, row)) return std::string(missing_level);
  if (column.kind == Kind::category) return column.levels[column.codes[row]];
  return column.kind == Kind::time ? time_text(column.numbers[row]) : number_text(column.numbers[row]);
}

Frame settled(Frame frame, const ReadOptions& options, const std::string& source) {
  for (Column& column : frame.columns) take_out(column, dialect_of(options));
  for (const auto& [asked, kind] : options.kinds) {
    Column& column = frame.columns[find_column(frame, asked, source)];
    column = with_kind(std::move(column), kind, source);
    column.is_given = true;
  }
  for (Column& column : frame.columns) {
    if (column.kind == Kind::category) unify_booleans(column);
    if (!column.is_given && are_times(column)) column = as_values(column, Kind::time, source);
    for (double& value : column.numbers)
      if (!std::isfinite(value)) value = missing_value;
    column.is_whole = column.kind == Kind::number && all_whole(column.numbers);
  }
  if (options.missing == Missing::drop) return without_missing(std::move(frame), source);
  if (options.missing == Missing::error) require_present(frame, source);
  return frame;
}

std::vector<FrameGroup> groups_by(const Frame& frame, const std::string& column, const std::string& source) {
  const std::size_t place = find_column(frame, column, source);
  require(frame.columns.size() > 1, Errc::invalid_argument, source, " has no column beside ", shown(column),
          " to compare");
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> rows;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < frame.n(); ++i) {
    const auto [found, is_new] = known.emplace(cell_text(frame.columns[place], i), names.size());
    if (is_new) {
      names.push_back(found->first);
      rows.emplace_back();
    }
    rows[found->second].push_back(i);
  }
  Frame others = frame;
  others.columns.erase(others.columns.begin() + static_cast<std::ptrdiff_t>(place));
  std::vector<FrameGroup> groups;
  for (std::size_t g = 0; g < names.size(); ++g) groups.push_back({names[g], with_rows(others, rows[g])});
  for (FrameGroup& group : groups) group.frame.rows_dropped = 0;  // nobody knows of which group they were
  return groups;
}

Frame read_frame(const std::string& path, const ReadOptions& options, const Progress& progress) {
  if (is_source(path)) {
    Frame frame = read_source(path, options, progress);
    if (is_query(path)) frame = words_as_in_text(std::move(frame), options);
    return settled(std::move(frame), options, name_of(path));
  }
  Cells cells = read_cells(path, options);
  Frame frame{.weights = std::move(cells.table.weights),
              .rows = std::move(cells.table.rows),
              .rows_dropped = cells.table.rows_dropped};
  for (std::size_t j = 0; j < cells.table.points.cols(); ++j) frame.columns.push_back(column_of(cells, j));
  if (!cells.columns.empty()) return frame;
  return settled(std::move(frame), options, name_of(path));
}

Table read_numbers(const std::string& path, const ReadOptions& options, const Progress& progress) {
  if (!is_source(path)) return read_table(path, options);
  Frame frame = read_frame(path, options, progress);
  Table table{.points = Points(frame.n(), frame.columns.size()),
              .weights = std::move(frame.weights),
              .rows = std::move(frame.rows),
              .rows_dropped = frame.rows_dropped};
  for (std::size_t j = 0; j < frame.columns.size(); ++j) {
    const Column& column = frame.columns[j];
    require(column.kind == Kind::number, Errc::io, name_of(path), ", column ", shown(column.name), " is a ",
            name(column.kind), ", not a number; --columns chooses others");
    table.columns.push_back(column.name);
    for (std::size_t i = 0; i < frame.n(); ++i) table.points(i, j) = column.numbers[i];
  }
  return table;
}

}  // namespace motmot
