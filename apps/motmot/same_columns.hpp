/// Whether the columns of two samples correspond, by their names and places.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motmot/tables.hpp"

namespace motmot::app {

/// The columns of a sample, for comparison with another.
struct NamedColumns {
  std::string path;
  std::vector<std::string> names;
  std::vector<std::string> levels{};  ///< of its categories
  bool chosen = false;                ///< --columns says which, by name or number; else all but --exclude
};
[[nodiscard]] NamedColumns columns_of(const std::string& path, const Frame& frame,
                                      const ReadOptions& options);
[[nodiscard]] NamedColumns columns_of(const std::string& path, const Table& table,
                                      const ReadOptions& options);

/// Columns without a name have their number.
[[nodiscard]] bool is_name(const std::string& text);

/// How the columns of Y are held against those of X.
struct Match {
  std::vector<std::size_t> order{};  ///< place in Y of each column of X; empty: as they stand
  std::string note{};                ///< a sentence about what is not as it seems; empty: nothing
};

/// The same names in another order are matched by name, unless --columns gives the order. Samples that share
/// no name may call the same columns by other names. Error(Errc::invalid_argument) for samples that share
/// some names alone, or not the number of columns, and where a row was read as names.
[[nodiscard]] Match match_columns(const NamedColumns& x, const NamedColumns& y);

/// The columns in this order.
void reorder(Frame& frame, const std::vector<std::size_t>& order);
void reorder(Table& table, const std::vector<std::size_t>& order);

}  // namespace motmot::app
