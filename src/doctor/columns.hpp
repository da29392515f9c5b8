/// What may be wrong with one column.
#pragma once

#include <string>
#include <vector>

#include "motmot/doctor.hpp"

namespace motmot {

/// "1.3 %"
[[nodiscard]] std::string rounded_percent(double share);

/// One column of a table, and how the table is called.
struct Patient {
  const Column& column;
  const std::string& table;
};

/// All that the column shows by itself: constant, identifier, sentinels, codes, words, tail.
[[nodiscard]] std::vector<Symptom> examine(const Patient& patient);

/// What leaves the column out: "--exclude 'net price'".
[[nodiscard]] std::string exclude_option(const std::string& column);
/// How a query that a shell has in double quotes takes the name of a column.
[[nodiscard]] std::string sql_name(const std::string& column);
/// Whether the column has one value in every row, or none at all.
[[nodiscard]] bool is_constant(const Column& column);
/// Whether it is a category of which half are numbers or times, and words among them.
[[nodiscard]] bool is_mixed(const Column& column);
[[nodiscard]] std::size_t missing_in(const Column& column);
[[nodiscard]] std::vector<double> present_in(const Column& column);

}  // namespace motmot
