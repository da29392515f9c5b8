/// Tables whose columns are of several kinds: numbers, categories, times; how they are read, and how they
/// become points that the exact solver can compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// What a column holds.
enum class Kind {
  number,    ///< values that can be subtracted
  category,  ///< levels: equal or not
  time,      ///< dates and times: seconds since 1970-01-01 00:00 UTC
};

template <>
inline constexpr auto names<Kind> = std::to_array<Named<Kind>>({{"number", Kind::number},
                                                                {"category", Kind::category},
                                                                {"time", Kind::time}});

/// One column of a table. A column of numbers or times has `numbers`, NaN where a value is missing; a category
/// has `codes`, places in `levels`, and no_level where it is missing.
struct Column {
  static constexpr std::uint32_t no_level = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  Kind kind = Kind::number;
  std::vector<double> numbers{};
  std::vector<std::uint32_t> codes{};
  std::vector<std::string> levels{};  ///< distinct, in the order of their first row
  bool is_whole = false;              ///< of numbers: every value present is an integer

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
/// not asked for are not read where the source allows it; missing values stay missing. `threads` are
/// DuckDB's, 0 for all cores.
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
                                std::size_t threads = 0);

}  // namespace motmot
