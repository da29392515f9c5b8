#include "data/columns.hpp"

#include <algorithm>
#include <optional>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/times.hpp"

namespace motmot {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The column that is asked for by its number, counted from 1; nothing if the text is not a number, 0 if
/// no file can have that many.
std::optional<std::size_t> column_number(const std::string& text) {
  if (!is_number(text)) return std::nullopt;
  std::size_t number = 0;
  return reads_as(text, number) ? number : 0;
}

[[noreturn]] void complain_unknown(const FileColumns& columns, const std::string& asked) {
  const std::string start = columns.file + " has no column " + shown(asked);
  if (is_number(asked)) fail(Errc::invalid_argument, start, "; its columns are 1 to ", columns.count);
  if (columns.header.empty())
    fail(Errc::invalid_argument, start, ": without a header, columns go by number, 1 to ", columns.count);
  fail(Errc::invalid_argument, start, "; its columns are ",
       listed(columns.count, [&](std::size_t j) { return columns.name(j); }));
}

/// All columns but those in `left_out`, which is sorted.
std::vector<ColumnRun> runs_between(const std::vector<std::size_t>& left_out, std::size_t count) {
  std::vector<ColumnRun> runs;
  std::size_t column = 0;
  std::size_t slot = 0;
  const auto run_until = [&](std::size_t end) {
    if (column < end) runs.push_back({.column = column, .slot = slot, .length = end - column});
    slot += end - column;
    column = end + 1;
  };
  for (const std::size_t gap : left_out) run_until(gap);
  run_until(count);
  return runs;
}

std::vector<ColumnRun> runs_asked_for(const FileColumns& columns, const std::vector<std::string>& asked,
                                      const std::vector<std::size_t>& left_out) {
  std::vector<ColumnRun> runs;
  for (const std::string& name : asked) {
    const std::size_t column = find_column(columns, name);
    if (!std::ranges::binary_search(left_out, column))
      runs.push_back({.column = column, .slot = runs.size()});
  }
  std::ranges::sort(runs, {}, &ColumnRun::column);
  const auto twice = std::ranges::adjacent_find(runs, {}, &ColumnRun::column);
  if (twice != runs.end())
    fail(Errc::invalid_argument, column_label(twice->column, columns.name(twice->column)), " of ",
         columns.file, " is asked for twice");
  return runs;
}

void check_weights(const FileColumns& columns, std::size_t column, const Table& table) {
  const auto negative = std::ranges::find_if(table.weights, [](double w) { return w < 0; });
  if (negative != table.weights.end())
    fail(Errc::io, columns.file, ", row ",
         table.source_row(static_cast<std::size_t>(negative - table.weights.begin())), ", ",
         column_label(column, columns.name(column)), ": the weight is ", *negative, "; weights must be >= 0");
  require(std::ranges::any_of(table.weights, [](double w) { return w > 0; }), Errc::io, columns.file, ", ",
          column_label(column, columns.name(column)), ": all weights are 0");
}

/// R writes no name above the names of rows.
std::string name_or_number(const std::string& name, std::size_t column) {
  return name.empty() ? std::to_string(column + 1) : name;
}

std::vector<std::string> names_of(const FileColumns& columns, const ColumnChoice& choice) {
  std::vector<std::string> names(choice.dimension);
  if (columns.header.empty()) {
    for (const ColumnRun& run : choice.runs)
      for (std::size_t k = 0; k < run.length && run.slot < choice.dimension; ++k)
        names[run.slot + k] = std::to_string(run.column + k + 1);
    return names;
  }
  for_each_field(columns.header, columns.dialect, [&](std::size_t column, std::string_view field) {
    const std::size_t slot = choice.slot(column);
    if (slot < choice.dimension) names[slot] = name_or_number(cell_text(field, columns.dialect), column);
  });
  return names;
}

/// What a column of any kind may begin with.
bool is_value(const std::string& text) {
  return equal_ignoring_case(text, "true") || equal_ignoring_case(text, "false") ||
         parse_time(text).has_value();
}

}  // namespace

std::size_t find_column(const FileColumns& columns, const std::string& asked) {
  std::optional<std::size_t> found;
  bool twice = false;
  if (!columns.header.empty())
    for_each_field(columns.header, columns.dialect, [&](std::size_t column, std::string_view field) {
      if (cell_text(field, columns.dialect) != asked) return;
      twice = found.has_value();
      found = column;
    });
  require(!twice, Errc::invalid_argument, columns.file, " has several columns ", shown(asked),
          "; give the number of the one that is meant");
  if (found) return *found;
  const std::size_t number = column_number(asked).value_or(0);
  if (number == 0 || number > columns.count) complain_unknown(columns, asked);
  return number - 1;
}

std::string FileColumns::name(std::size_t column) const {
  if (header.empty()) return std::to_string(column + 1);
  std::string name;
  for_each_field(header, dialect, [&](std::size_t at, std::string_view field) {
    if (at == column) name = cell_text(field, dialect);
  });
  return name_or_number(name, column);
}

std::size_t ColumnChoice::slot(std::size_t column) const {
  const auto behind = std::ranges::upper_bound(runs, column, {}, &ColumnRun::column);
  if (behind == runs.begin()) return skip;
  const ColumnRun& run = *(behind - 1);
  return column < run.end() ? run.slot + (column - run.column) : skip;
}

std::size_t ColumnChoice::column(std::size_t slot) const {
  const auto run = std::ranges::find_if(
      runs, [&](const ColumnRun& r) { return r.slot <= slot && slot < r.slot + r.length; });
  return run->column + (slot - run->slot);
}

ColumnChoice choose_columns(const FileColumns& columns, const ReadOptions& options) {
  std::vector<std::size_t> left_out;
  for (const std::string& name : options.exclude) left_out.push_back(find_column(columns, name));
  ColumnChoice choice{.weighted = !options.weights.empty()};
  const std::size_t weight = choice.weighted ? find_column(columns, options.weights) : 0;
  if (choice.weighted) left_out.push_back(weight);
  std::ranges::sort(left_out);
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  choice.runs = options.columns.empty() ? runs_between(left_out, columns.count)
                                        : runs_asked_for(columns, options.columns, left_out);
  for (const ColumnRun& run : choice.runs) choice.dimension += run.length;
  require(choice.dimension > 0, Errc::invalid_argument, "no column of ", columns.file, " is left to read");
  if (choice.weighted) choice.runs.push_back({.column = weight, .slot = choice.dimension});
  std::ranges::sort(choice.runs, {}, &ColumnRun::column);
  return choice;
}

bool is_header(std::string_view line, const Dialect& dialect, const ReadOptions& options, bool any_kind) {
  const std::size_t count = count_fields(line, dialect);
  std::vector<std::string> names;
  std::vector<std::size_t> chosen;
  std::vector<std::size_t> excluded;
  const auto sort_out = [&](const std::string& asked, std::vector<std::size_t>& numbers) {
    const std::size_t number = column_number(asked).value_or(0);
    if (number == 0 || number > count) names.push_back(asked);
    if (number != 0) numbers.push_back(number - 1);
  };
  for (const std::string& asked : options.columns) sort_out(asked, chosen);
  for (const std::string& asked : options.exclude) sort_out(asked, excluded);
  const bool by_number = !chosen.empty();
  if (!options.weights.empty()) sort_out(options.weights, chosen);
  std::vector<std::size_t> ignored_numbers;
  for (const auto& [asked, kind] : options.kinds)
    sort_out(asked, kind == Kind::category ? excluded : ignored_numbers);
  const auto contains = [](const auto& list, const auto& item) {
    return std::ranges::find(list, item) != list.end();
  };
  bool found = false;
  for_each_field(line, dialect, [&](std::size_t column, std::string_view field) {
    if (found) return;
    const std::string text = cell_text(field, dialect);
    const bool read = !contains(excluded, column) && (!by_number || contains(chosen, column));
    double ignored = 0;
    found = contains(names, text) ||
            (read && classify(text, dialect, ignored) == Cell::text && !(any_kind && is_value(text)));
  });
  return found;
}

namespace {

void require_rows(const FileColumns& columns, std::uint64_t kept, std::size_t dropped) {
  require(kept > 0 || dropped == 0, Errc::io, columns.file, ": all ", dropped,
          " rows have missing values, none is left");
  require(kept > 0, Errc::io, columns.file, " has no rows");
}

}  // namespace

Table make_streamed_table(const FileColumns& columns, const ColumnChoice& choice, std::uint64_t kept,
                          std::size_t dropped) {
  require_rows(columns, kept, dropped);
  return {.points = {}, .columns = names_of(columns, choice), .rows_dropped = dropped};
}

Table make_table(const FileColumns& columns, const ColumnChoice& choice, Table parts) {
  require_rows(columns, parts.points.rows(), parts.rows_dropped);
  parts.columns = names_of(columns, choice);
  if (choice.weighted) check_weights(columns, choice.column(choice.dimension), parts);
  return parts;
}

}  // namespace motmot
