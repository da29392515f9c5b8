#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/readers.hpp"
#include "tables/sources.hpp"

namespace motmot {
namespace {

constexpr std::string_view query_mark = "sql:";
constexpr std::array<std::string_view, 3> sqlite_endings{".sqlite", ".sqlite3", ".db"};

enum class Format { none, query, parquet, sqlite };

/// What a source's name says.
struct Source {
  Format format = Format::none;
  std::string path{};   ///< or the query
  std::string table{};  ///< of SQLite; empty: the only one
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool has_sqlite_ending(const std::string& path) {
  return std::ranges::any_of(sqlite_endings,
                             [&](std::string_view ending) { return lower_case(path).ends_with(ending); });
}

/// Pipes are left alone: what is read from them is gone.
std::string first_bytes(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  std::string bytes(16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

Source source_of_file(const std::string& path) {
  const std::string start = first_bytes(path);
  if (start.starts_with("PAR1")) return {Format::parquet, path};
  if (start.starts_with("SQLite format 3")) return {Format::sqlite, path};
  const std::string name = lower_case(path);
  if (name.ends_with(".parquet") || name.ends_with(".pq")) return {Format::parquet, path};
  return has_sqlite_ending(path) ? Source{Format::sqlite, path} : Source{};
}

Source source_of(const std::string& text) {
  if (text.starts_with(query_mark)) return {Format::query, text.substr(query_mark.size())};
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && !exists(text)) {
    const std::string path = text.substr(0, colon);
    if (has_sqlite_ending(path) || source_of_file(path).format == Format::sqlite)
      return {Format::sqlite, path, text.substr(colon + 1)};
  }
  return source_of_file(text);
}

bool is_set_to_category(const Column& column, std::size_t place, const ReadOptions& options) {
  return std::ranges::any_of(options.kinds, [&](const ColumnKind& set) {
    return set.kind == Kind::category &&
           (set.column == column.name || set.column == std::to_string(place + 1));
  });
}

/// The category without the levels that are missing values.
Column without_missing_levels(Column column, const std::vector<Cell>& cells) {
  std::vector<std::string> levels;
  std::vector<std::uint32_t> code_of(cells.size(), Column::no_level);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] == Cell::missing) continue;
    code_of[k] = static_cast<std::uint32_t>(levels.size());
    levels.push_back(std::move(column.levels[k]));
  }
  column.levels = std::move(levels);
  for (std::uint32_t& code : column.codes)
    if (code != Column::no_level) code = code_of[code];
  return column;
}

/// Words as a text file would have them: the usual spellings of missing values are missing, and where such a
/// word alone kept a column from being one of numbers, it is one of numbers.
Column read_words(Column column, const Dialect& dialect, bool may_be_numbers) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers(column.levels.size(), nothing);
  std::vector<Cell> cells(column.levels.size());
  for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = classify(column.levels[k], dialect, numbers[k]);
  const auto any = [&](Cell cell) { return std::ranges::find(cells, cell) != cells.end(); };
  if (!any(Cell::missing)) return column;
  if (!may_be_numbers || !any(Cell::number) || any(Cell::text))
    return without_missing_levels(std::move(column), cells);
  Column values{.name = column.name};
  for (const std::uint32_t code : column.codes)
    values.numbers.push_back(code == Column::no_level || cells[code] == Cell::missing ? nothing
                                                                                      : numbers[code]);
  return values;
}

Frame read_any(const std::string& text, const ReadOptions& options, const Progress& progress) {
  const Source source = source_of(text);
  switch (source.format) {
    case Format::query:
      return read_query(source.path, options, progress);
    case Format::parquet:
      return read_parquet(source.path, options, progress);
    case Format::sqlite:
      return read_sqlite(source.path, source.table, options);
    case Format::none:
      break;
  }
  fail(Errc::invalid_argument, name_of(text), " is neither a Parquet file, an SQLite database nor sql:...");
}

void check_weights(const FileColumns& names, std::size_t at, const Column& weights) {
  const std::string label = names.file + ", " + column_label(at, names.name(at));
  require(weights.kind == Kind::number, Errc::io, label, ": weights must be numbers");
  const auto bad = std::ranges::find_if(weights.numbers, [](double weight) { return !(weight >= 0); });
  if (bad != weights.numbers.end())
    fail(Errc::io, names.file, ", row ", bad - weights.numbers.begin() + 1, ", ",
         column_label(at, names.name(at)), ": the weight is ",
         std::isnan(*bad) ? "missing" : std::to_string(*bad), "; weights must be >= 0");
  require(std::ranges::any_of(weights.numbers, [](double weight) { return weight > 0; }), Errc::io, label,
          ": all weights are 0");
}

}  // namespace

bool is_source(const std::string& source) { return source_of(source).format != Format::none; }

Frame read_source(const std::string& source, const ReadOptions& options, const Progress& progress) {
  try {
    return read_any(source, options, progress);
  } catch (const std::bad_alloc&) {
    fail(Errc::io, "cannot read ", name_of(source), ": it needs more memory than there is");
  } catch (const std::length_error&) {
    fail(Errc::io, "cannot read ", name_of(source), ": it needs more memory than there is");
  }
}

bool is_query(const std::string& source) { return source.starts_with(query_mark); }

Frame words_as_in_text(Frame frame, const ReadOptions& options) {
  const Dialect dialect = dialect_of(options);
  for (std::size_t j = 0; j < frame.columns.size(); ++j) {
    const bool may_be_numbers = !is_set_to_category(frame.columns[j], j, options);
    frame.columns[j] = read_words(std::move(frame.columns[j]), dialect, may_be_numbers);
  }
  return frame;
}

std::string in_quotes(const std::string& text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

FileColumns named_columns(const std::string& source, const std::vector<std::string>& names) {
  FileColumns columns{.file = source, .count = names.size()};
  for (const std::string& name : names)
    columns.header += (columns.header.empty() ? "" : ",") + in_quotes(name, '"');
  columns.header += '\n';
  return columns;
}

Frame make_frame(const FileColumns& names, const ColumnChoice& choice, std::vector<Column> columns) {
  Frame frame{.columns = std::move(columns)};
  require(frame.n() > 0, Errc::io, names.file, " has no rows");
  if (!choice.weighted) return frame;
  check_weights(names, choice.column(choice.dimension), frame.columns.back());
  frame.weights = std::move(frame.columns.back().numbers);
  frame.columns.pop_back();
  return frame;
}

}  // namespace motmot
