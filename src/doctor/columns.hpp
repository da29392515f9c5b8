/// What may be wrong with one column.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "motmot/doctor.hpp"

namespace motmot {

/// "1.3 %"
[[nodiscard]] std::string rounded_percent(double share);

/// One column of a table, how the table is called, and what reads its decimal commas (empty: nothing, since
/// other numbers of it have points); its place, and all tables, whose columns an option is about.
struct Patient {
  const Column& column;
  const std::string& table;
  std::string decimal_comma = "--decimal ,";
  std::size_t place = 0;
  std::vector<const Frame*> ward{};
};

/// All that the column shows by itself: constant, identifier, sentinels, codes, words, tail.
[[nodiscard]] std::vector<Symptom> examine(const Patient& patient);

/// What leaves the column out: "--exclude 'net price'".
[[nodiscard]] std::string exclude_option(const std::string& column);
/// How a query that a shell has in double quotes takes the name of a column.
[[nodiscard]] std::string sql_name(const std::string& column);
/// Whether the column has one value in every row, or none at all.
[[nodiscard]] bool is_constant(const Column& column);
/// Levels that differ by case and blanks alone, and the rows that have them.
struct Spellings {
  std::vector<std::string> levels{};
  std::size_t rows = 0;
};
/// The levels of a category that occur, by what they are without case and blanks.
[[nodiscard]] std::map<std::string, Spellings> spellings_of(const Column& column);
/// Whether it is a category of which half are numbers or times, and words among them.
[[nodiscard]] bool is_mixed(const Column& column);
/// What add to a command that says how numbers or dates that were read as words are written; nothing: it is
/// no such column.
[[nodiscard]] std::optional<std::string> how_to_read_words(const Patient& patient);
[[nodiscard]] std::size_t missing_in(const Column& column);
[[nodiscard]] std::vector<double> present_in(const Column& column);

}  // namespace motmot
