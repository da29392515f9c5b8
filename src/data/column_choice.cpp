#include "data/column_choice.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

/// The first few names, for a user who misspelt one.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t j = 0; j < std::min(most, names.size()); ++j)
    list += (j > 0 ? ", " : "") + shown(names[j]);
  return list + (names.size() > most ? ", ..." : "");
}

[[noreturn]] void complain_unknown(const FileColumns& columns, const std::string& asked) {
  const std::string start = columns.file + " has no column " + shown(asked);
  if (column_number(asked) > 0 || asked == "0")
    fail(Errc::invalid_argument, start, "; its columns are 1 to ", columns.count);
  if (columns.header.empty())
    fail(Errc::invalid_argument, start, ": without a header, columns go by number, 1 to ", columns.count);
  fail(Errc::invalid_argument, start, "; its columns are ", list_of(columns.header));
}

std::size_t find_column(const FileColumns& columns, const std::string& asked) {
  const auto& header = columns.header;
  const auto found = std::ranges::find(header, asked);
  if (found != header.end()) {
    require(std::find(found + 1, header.end(), asked) == header.end(), Errc::invalid_argument, columns.file,
            " has several columns ", shown(asked), "; give the number of the one that is meant");
    return static_cast<std::size_t>(found - header.begin());
  }
  const std::size_t number = column_number(asked);
  if (number == 0 || number > columns.count) complain_unknown(columns, asked);
  return number - 1;
}

std::vector<std::size_t> columns_asked_for(const FileColumns& columns, const ReadOptions& options) {
  std::vector<std::size_t> asked(options.columns.empty() ? columns.count : options.columns.size());
  if (options.columns.empty()) std::iota(asked.begin(), asked.end(), std::size_t{0});
  else
    std::ranges::transform(options.columns, asked.begin(),
                           [&](const std::string& name) { return find_column(columns, name); });
  return asked;
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

}  // namespace

std::size_t column_number(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? number : 0;
}

ColumnChoice choose_columns(const FileColumns& columns, const ReadOptions& options) {
  std::vector<char> excluded(columns.count, 0);
  for (const std::string& name : options.exclude) excluded[find_column(columns, name)] = 1;
  ColumnChoice choice;
  choice.slot.assign(columns.count, ColumnChoice::skip);
  const std::size_t none = columns.count;
  const std::size_t weight = options.weights.empty() ? none : find_column(columns, options.weights);
  for (const std::size_t column : columns_asked_for(columns, options)) {
    if (excluded[column] != 0 || column == weight) continue;
    require(choice.slot[column] == ColumnChoice::skip, Errc::invalid_argument,
            column_label(column, columns.name(column)), " of ", columns.file, " is asked for twice");
    choice.slot[column] = choice.source.size();
    choice.source.push_back(column);
  }
  choice.dimension = choice.source.size();
  require(choice.dimension > 0, Errc::invalid_argument, "no column of ", columns.file, " is left to read");
  if (weight != none) {
    choice.slot[weight] = choice.dimension;
    choice.source.push_back(weight);
  }
  return choice;
}

Table make_table(const FileColumns& columns, const ColumnChoice& choice, Table parts) {
  require(parts.points.rows() > 0 || parts.rows_dropped == 0, Errc::io, columns.file, ": all ",
          parts.rows_dropped, " rows have missing values, none is left");
  require(parts.points.rows() > 0, Errc::io, columns.file, " has no rows");
  for (std::size_t slot = 0; slot < choice.dimension; ++slot)
    parts.columns.push_back(columns.name(choice.source[slot]));
  if (choice.weighted()) check_weights(columns, choice.source.back(), parts);
  return parts;
}

}  // namespace motmot
