/// What stands in the way of comparing a table, in order of damage, each with what to type; and what the
/// methods would cost.
///
///   const Checkup found = doctor(read_frame("x.csv", {.missing = Missing::level, .mixed = true}));
///   found.findings[0].text   "income is -999 in 12 rows (4.8 %), far outside the others: ..."
///   found.findings[0].type   "--na -999"
///   std::cout << text(found);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/tables.hpp"

namespace motmot {

/// What may be wrong, the worst first.
enum class Ailment {
  kinds_differ,     ///< a column is of different kinds in X and in Y: nothing can be compared
  mixed,            ///< words among numbers or times: text with such a column is refused
  missing,          ///< numbers are missing: distance and transport refuse the table as it is
  identifier,       ///< a column names or counts the rows
  sentinel,         ///< a value that stands for something else
  odd_values,       ///< a number is one value in all rows but 1 %
  unit_change,      ///< a column of Y is that of X in another unit
  constants_apart,  ///< one value in all rows of X and another in all rows of Y
  levels_apart,     ///< a category has no level that both tables have
  units,            ///< one column has more than 90 % of the spread, and columns are taken as they are
  codes,            ///< numbers that look like codes
  number_words,     ///< words that look like numbers or dates
  spellings,        ///< levels that differ by case or blanks alone, in one table or from X to Y
  duplicates,       ///< rows that occur more often than chance would repeat them
  heavy_tail,       ///< a column whose far values are much farther than its body says
  ties,             ///< more than a quarter of the rows have an identical one
  few_values,       ///< a few small whole numbers: amounts or codes, nobody can tell
  few_rows,         ///< fewer than 10: no row is ever left out
  constant,         ///< a column with one value, or none
};
template <>
inline constexpr auto names<Ailment> = names_in_order<Ailment>(
    "kinds_differ", "mixed", "missing", "identifier", "sentinel", "odd_values", "unit_change",
    "constants_apart", "levels_apart", "units", "codes", "number_words", "spellings", "duplicates",
    "heavy_tail", "ties", "few_values", "few_rows", "constant");

struct Symptom {
  Ailment code{};
  std::string table{};   ///< "X", "Y", or "X and Y"
  std::string column{};  ///< empty: the whole table
  double share = 0;  ///< of the rows (or of the spread) that it is about; within an ailment, order of damage
  std::string text{};  ///< one sentence
  std::string type{};  ///< what to type, to be added to a command; empty: nothing helps but the data
};

/// What a method is expected to cost.
struct Forecast {
  std::string method{};  ///< as it is typed: "distance --estimator plain"
  double seconds = 0;    ///< of CPU
  double megabytes = 0;  ///< at most: distance_bytes(), outlier_bytes()
};

struct Checkup {
  std::size_t n = 0;
  std::optional<std::size_t> m{};
  std::vector<std::string> columns{};
  std::vector<Kind> kinds{};  ///< as they are in X
  std::vector<Symptom> findings{};
  std::vector<Forecast> forecasts{};
};

/// Looks at one table or two, whose columns correspond by their places; docs/json.md has the rule behind each
/// finding. Never complains about what it is asked to find;
/// Error(Errc::invalid_argument) for tables without rows or of different numbers of columns. O(n d log n).
/// `memory_limit`: as DistanceOptions::memory_limit.
[[nodiscard]] Checkup doctor(const Frame& x, std::uint64_t memory_limit = 0);
[[nodiscard]] Checkup doctor(const Frame& x, const Frame& y, std::uint64_t memory_limit = 0);

/// Bytes that doctor() takes at most for n rows of d columns, and m of a second table, with the tables;
/// measured peaks are half of it or more (docs/results-trust.md).
[[nodiscard]] double doctor_bytes(std::size_t n, std::size_t m, std::size_t d);

/// What the methods would cost for n x m rows of d coordinates: fitted to runs of bench/forecast.py, which
/// says how; expect a factor of three. Rows are normal there, on one thread.
[[nodiscard]] std::vector<Forecast> forecast(std::size_t n, std::size_t m, std::size_t d);

/// The findings in words, each with what to type, then the forecast.
[[nodiscard]] std::string text(const Checkup& checkup);

}  // namespace motmot
