/// What tables hold beside amounts, and the way from coordinates back to what people read.
#pragma once

#include <span>
#include <string>

#include "motmot/tables.hpp"

namespace motmot {

[[nodiscard]] double seconds_in(TimeUnit unit);

/// What a coordinate of a number or a time is in the table: "-999", "2024-01-31".
[[nodiscard]] std::string value_in_own_units(double coordinate, const CodedColumn& column);

/// What the coordinates of a column say: "Paris", "(other)", "(missing)", "12.5", "2024-01-31".
[[nodiscard]] std::string decoded(std::span<const double> coordinates, const CodedColumn& column);

/// Whether the column names the rows of its table or counts them, by the rules of learn_coding().
[[nodiscard]] bool is_identifier(const Column& column);

}  // namespace motmot
