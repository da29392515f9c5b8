/// One reader per kind of source; read_source() chooses among them.
#pragma once

#include <string>
#include <vector>

#include "data/columns.hpp"
#include "motmot/tables.hpp"

namespace motmot {

[[nodiscard]] Frame read_parquet(const std::string& path, const ReadOptions& options,
                                 const Progress& progress);
/// Whether the source is sql:...
[[nodiscard]] bool is_query(const std::string& source);

/// The words of a query as a text file would have them: the usual spellings of missing values and those of
/// the options are missing, and a column that such words alone kept from being one of numbers is one of
/// numbers.
[[nodiscard]] Frame words_as_in_text(Frame frame, const ReadOptions& options);

/// `query` without the "sql:" before it.
[[nodiscard]] Frame read_query(const std::string& query, const ReadOptions& options,
                               const Progress& progress);
/// Empty stands for the only table.
[[nodiscard]] Frame read_sqlite(const std::string& path, const std::string& table,
                                const ReadOptions& options);

/// Quotes inside are doubled, as SQL and text have them.
[[nodiscard]] std::string in_quotes(const std::string& text, char quote);

/// Columns that have these names, for choose_columns().
[[nodiscard]] FileColumns named_columns(const std::string& source, const std::vector<std::string>& names);

/// Puts together what a reader has read: `columns` by the slots of the choice, the weights last. Checks that
/// there are rows and that the weights are numbers, non-negative and not all zero.
[[nodiscard]] Frame make_frame(const FileColumns& names, const ColumnChoice& choice,
                               std::vector<Column> columns);

}  // namespace motmot
