/// Which columns a file has, which of them are read, and where they go.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "data/csv_text.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// The columns that a file has: named by its header, or by their numbers where it has none. Names stay in
/// the line they came in, since a file may have millions of which none is read.
struct FileColumns {
  std::string file{};     ///< as it stands in complaints
  std::size_t count = 0;  ///< how many
  std::string header{};   ///< the line of names with its line break; empty: none
  Dialect dialect{};      ///< how the header is written

  [[nodiscard]] std::string name(std::size_t column) const;
};

/// Columns of a file that follow each other, and so do their places in a row.
struct ColumnRun {
  std::size_t column = 0;  ///< of the file
  std::size_t slot = 0;
  std::size_t length = 1;
  [[nodiscard]] std::size_t end() const noexcept { return column + length; }
};

/// Where each column of a file goes: the points have places 0 .. dimension - 1, the weight place `dimension`.
/// Its size depends on the options, not on how many columns a file claims.
struct ColumnChoice {
  static constexpr std::size_t skip = std::numeric_limits<std::size_t>::max();

  std::vector<ColumnRun> runs{};  ///< in the order of the file
  std::size_t dimension = 0;
  bool weighted = false;

  [[nodiscard]] std::size_t slots() const noexcept { return dimension + (weighted ? 1 : 0); }
  [[nodiscard]] std::size_t slot(std::size_t column) const;  ///< or skip
  [[nodiscard]] std::size_t column(std::size_t slot) const;
};

/// The column that is asked for by its name or number; Error(Errc::invalid_argument) if there is none or
/// several.
std::size_t find_column(const FileColumns& columns, const std::string& asked);

/// Resolves names and numbers; Error(Errc::invalid_argument) for a column that is not there, is named
/// twice by the header, or is asked for twice, and when no column is left.
ColumnChoice choose_columns(const FileColumns& columns, const ReadOptions& options);

/// Whether the first line of a text, which ends in its line break, holds names: an option names one of its
/// fields, or a column that the options choose has something there that is not a number; where columns may be
/// of any kind, times, true and false are no names either, nor is anything in a column that is set to be a
/// category.
bool is_header(std::string_view line, const Dialect& dialect, const ReadOptions& options, bool any_kind);

/// Puts together what a reader has read: names the columns, checks that rows are left and that the
/// weights are non-negative and not all zero.
Table make_table(const FileColumns& columns, const ColumnChoice& choice, Table parts);

/// The same of `kept` rows that went to a sink: a table without rows.
Table make_streamed_table(const FileColumns& columns, const ColumnChoice& choice, std::uint64_t kept,
                          std::size_t dropped);

}  // namespace motmot
