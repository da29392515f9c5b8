/// Tables whose columns are of several kinds: numbers, categories, times; how they are read, and how they
/// become points that the exact solver can compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// One column of a table. A column of numbers or times has `numbers`, NaN where a value is missing; a
/// category has `codes`, places in `levels`, and no_level where it is missing.
struct Column {
  static constexpr std::uint32_t no_level = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  Kind kind = Kind::number;
  std::vector<double> numbers{};
  std::vector<std::uint32_t> codes{};
  std::vector<std::string> levels{};  ///< distinct, in the order of their first row
  bool is_whole = false;              ///< of numbers: every value present is an integer
  bool is_given = false;              ///< the kind was set: the column is not taken for an identifier

  [[nodiscard]] std::size_t rows() const noexcept {
    return kind == Kind::category ? codes.size() : numbers.size();
  }
};

/// A table as it was read.
struct Frame {
  std::vector<Column> columns{};      ///< all of the same number of rows
  std::vector<double> weights{};      ///< one per row; empty unless asked for
  std::vector<std::uint64_t> rows{};  ///< number in the source of each row kept; empty when all were
  std::size_t rows_dropped = 0;       ///< rows left out by Missing::drop

  [[nodiscard]] std::size_t n() const noexcept { return columns.empty() ? 0 : columns.front().rows(); }
};

/// Reads a table, its columns of any kind. Files, columns, missing values and complaints are those of
/// read_table(), and so is the memory; text is read as follows.
///
/// The kind of a column is that of its values: numbers, times (ISO 8601: 2024-01-31, 2024-01-31T12:30:05.25Z,
/// 2024-01-31 12:30+01:00; UTC where no zone is given), or else words, the levels of a category; true and
/// false are levels, in any case. A column of which most values are numbers (or times) and some are not is
/// refused: the complaint says what to type. ReadOptions::kinds sets kinds; a category is then read as it is
/// spelt, so that 007 is not 7. Columns of arrays are numbers unless these options say otherwise.
///
/// The first line is a header when one of the chosen columns has a word there that is no time and neither
/// true nor false, or when an option names one of its fields.
///
/// What is_source() knows is read by read_source(), and then the options about kinds and missing values
/// apply. Words of a query that a text would call missing are missing, and where all others are numbers the
/// column is one of numbers.
///
/// Missing::error is about numbers and times: where a word is missing, the category has a level for that.
/// Standard input is read once: a category that begins with numbers must be set there.
///
/// `progress` is asked now and then while DuckDB reads; where it says stop, the query is interrupted and the
/// complaint says so. Other files are read to their end.
[[nodiscard]] Frame read_frame(const std::string& path, const ReadOptions& options = {},
                               const Progress& progress = {});

/// A table from elsewhere as read_frame() would give it: words that are all times are times, true and false
/// are spelt like this, the kinds that are set (numbers to categories in their shortest spelling; words to
/// numbers or times, if all of them read as such), ReadOptions::na and ReadOptions::missing. `source` is how
/// complaints call it.
[[nodiscard]] Frame settled(Frame frame, const ReadOptions& options, const std::string& source);

/// One group of the rows of a table.
struct FrameGroup {
  std::string name{};  ///< the value that its rows share, as people read it
  Frame frame{};       ///< without the column that they were grouped by
};

/// The rows of a table by their value in a column, given by name or by number from 1; groups in the order of
/// their first row. Rows without a value are a group, missing_level. `source` is how complaints call the
/// table.
[[nodiscard]] std::vector<FrameGroup> groups_by(const Frame& frame, const std::string& column,
                                                const std::string& source);

// ------------------------------------------------------------------------------------------------- coding

/// What times are measured in, by their robust spread: days from one day on, hours from one hour on, else
/// seconds.
enum class TimeUnit { days, hours, seconds };
template <>
inline constexpr auto names<TimeUnit> = names_in_order<TimeUnit>("days", "hours", "seconds");

struct CodingOptions {
  /// Of numbers and times, as DistanceOptions::scale; "auto": robust where a category or a missing level
  /// takes part, else none.
  std::string scale = "auto";
  double category_weight = 1;               ///< how far apart two levels are, > 0
  Missing missing = Missing::error;         ///< level: numbers may be missing; otherwise that is refused
  PerSample<std::string> tables{"X", "Y"};  ///< how complaints call them
};

/// How one column becomes coordinates: of a number or a time its value in units, and of a category one for
/// each level; then, where values are missing, one for that.
struct CodedColumn {
  std::string name{};
  std::size_t place = 0;  ///< of the column in its table
  Kind kind = Kind::number;
  double unit = 1;                      ///< what numbers are divided by; 0: one value, the coordinate is 0
  TimeUnit time_unit = TimeUnit::days;  ///< of a time: what it is measured in before that
  double fill = 0;                      ///< number that stands for a missing one: the median
  bool has_missing = false;             ///< a coordinate says where the value is missing
  std::vector<std::string> levels{};    ///< of a category: those with a coordinate of their own
  std::size_t pooled = 0;               ///< of a category: rare levels that share one more, in all tables
  bool is_open = false;                 ///< of a category: levels that are not known yet share that one, too

  [[nodiscard]] bool has_other() const noexcept { return pooled > 0 || is_open; }
  [[nodiscard]] std::size_t width() const noexcept {
    return (kind == Kind::category ? levels.size() + (has_other() ? 1 : 0) : 1) + (has_missing ? 1 : 0);
  }
  friend bool operator==(const CodedColumn&, const CodedColumn&) = default;
};

/// A column that is not compared, and why: "has only missing values".
struct ColumnLeftOut {
  std::string name{};
  std::string why{};
  friend bool operator==(const ColumnLeftOut&, const ColumnLeftOut&) = default;
};

/// How tables become points.
struct Coding {
  std::vector<CodedColumn> columns{};
  std::vector<ColumnLeftOut> left_out{};
  std::string scale = "none";  ///< never "auto"
  double category_weight = 1;

  [[nodiscard]] std::size_t width() const noexcept;  ///< coordinates of a point
  [[nodiscard]] bool has_levels() const noexcept;    ///< a category or a missing level takes part
  [[nodiscard]] bool is_plain() const noexcept;      ///< numbers alone, none missing, none left out
  friend bool operator==(const Coding&, const Coding&) = default;
};

/// A table and how complaints call it.
struct NamedFrame {
  std::string name{};
  const Frame* frame = nullptr;
};

/// Learns from all tables, whose columns correspond by their places. The order of the tables does not count.
///
/// Levels: one that has 1 % of the rows of some table and is among the 30 commonest (or as common as the
/// 30th) has a coordinate of its own; the others, if there are several, share one. Units: robust spreads of
/// the values that are present. Left out: columns with one and the same value in all tables or with none;
/// identifiers, unless their kind was given: words of which 9 in 10 occur once in each table (of 10 rows or
/// more), whole numbers that count the rows or (of 10 rows or more) are distinct but for 1 in 20 and leave
/// out fewer than 1 in 10 of those between. Beside one of 10 rows or more that shows it, a smaller table with
/// no value twice has no say. Tables of numbers alone, none missing, are taken as they are.
///
/// Error(Errc::invalid_argument) where a column is of different kinds in two tables, where a number is
/// missing and may not be, and where no column is left.
[[nodiscard]] Coding learn_coding(std::span<const NamedFrame> tables, const CodingOptions& options = {});
/// Of two tables; complaints call them as options.tables does.
[[nodiscard]] Coding learn_coding(const Frame& x, const Frame& y, const CodingOptions& options = {});

/// Learns from one table what others will be held against later, by the same rules: but a column with one
/// value stays (others may have another; a number without spread is divided by its own size, or by 1), and
/// there is room for levels that are not known yet and for missing values (of numbers with Missing::level).
[[nodiscard]] Coding learn_coding(const Frame& x, const CodingOptions& options = {});

/// The rows as points. A level is category_weight / sqrt(2) in its coordinate, so that two different ones are
/// category_weight apart; so is a missing number from the fill. Levels that the coding does not know are
/// pooled ones.
[[nodiscard]] Points encode(const Frame& frame, const Coding& coding);

/// What "(other)" and "(missing)" are called in results.
inline constexpr std::string_view other_level = "(other)", missing_level = "(missing)";

/// The value of a cell as people read it: "Paris", "2024-01-31", "0.5", "(missing)".
[[nodiscard]] std::string cell_text(const Column& column, std::size_t row);

// ------------------------------------------------------------------------------------------ sources
// Tables that know the types of their columns: Parquet and whatever DuckDB reads, SQLite. Arrow's streams
// are in motmot/arrow.hpp.

/// Whether read_source() is to read what this names, by the name or by the first bytes of the file:
///
///   x.parquet            through DuckDB's library, and so is
///   sql:select ...       one query: sql:select a, b from 'x.parquet' where c > 0
///   x.sqlite:table       also .sqlite3, .db; the table may be left out when it is the only one
[[nodiscard]] bool is_source(const std::string& source);

/// Reads such a table. Of the options `columns`, `exclude` and `weights` are kept here, and columns that are
/// not asked for are not read where the source allows it; missing values stay missing.
///
/// Integers, floats and decimals are numbers, with infinities as missing values; dates and timestamps are
/// times, which without a zone are taken as UTC; strings, enums and booleans ("true", "false") are
/// categories. SQLite has no types but those of its values: a column with any text is a category, any other
/// one of numbers. Complaints about a column of another type say what to write instead.
///
/// DuckDB's library is loaded when it is first needed: the file that MOTMOT_DUCKDB names, else libduckdb.so
/// where the system looks, in /usr/local/lib, ~/.local/lib, or where scripts/setup puts it (~/.cache/motmot).
/// It downloads nothing; extensions that are installed work.
///
/// Complaints come as Error(Errc::io), about the options as Error(Errc::invalid_argument).
[[nodiscard]] Frame read_source(const std::string& source, const ReadOptions& options = {},
                                const Progress& progress = {});

/// read_table() of a file or a source, where columns must hold numbers.
[[nodiscard]] Table read_numbers(const std::string& path, const ReadOptions& options = {},
                                 const Progress& progress = {});

}  // namespace motmot
