#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// The columns that a file has: named by its header, or by their numbers where it has none.
struct FileColumns {
  std::string file{};                 ///< as it stands in complaints
  std::size_t count = 0;              ///< how many
  std::vector<std::string> header{};  ///< empty, or one name per column

  [[nodiscard]] std::string name(std::size_t column) const {
    return header.empty() ? std::to_string(column + 1) : header[column];
  }
};

/// Where each column of a file goes. A row is read into `slots` places: the columns of the points,
/// then, if asked for, the weight.
struct ColumnChoice {
  static constexpr std::size_t skip = std::numeric_limits<std::size_t>::max();

  std::vector<std::size_t> slot{};    ///< per column of the file: its place, or skip
  std::vector<std::size_t> source{};  ///< per place: the column of the file
  std::size_t dimension = 0;          ///< places that are points; slot == dimension is the weight
  [[nodiscard]] std::size_t slots() const noexcept { return source.size(); }
  [[nodiscard]] bool weighted() const noexcept { return slots() > dimension; }
};

/// Resolves names and numbers; Error(Errc::invalid_argument) for a column that is not there, is named
/// twice by the header, or is asked for twice, and when no column is left.
ColumnChoice choose_columns(const FileColumns& columns, const ReadOptions& options);

/// The number that a column is asked for by, counted from 1; 0 if the text is not a number.
std::size_t column_number(const std::string& text);

/// Puts together what a reader has read: names the columns, checks that rows are left and that the
/// weights are non-negative and not all zero.
Table make_table(const FileColumns& columns, const ColumnChoice& choice, Table parts);

}  // namespace motmot
