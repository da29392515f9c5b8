/// The first line of a text: what separates its fields, and whether they are names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// How much of `text` is its first line, quoted line breaks included and the final one not;
/// std::string_view::npos when the text ends before the line does.
std::size_t first_line_length(std::string_view text);

/// The first of tab, semicolon and comma that the line has outside quotes; comma if it has none.
/// Semicolons go before commas: where both occur, the commas are likely decimal signs.
char separator_of(std::string_view line);

/// What the fields of a line say.
std::vector<std::string> split(std::string_view line, char separator);

/// Whether the first line holds names: an option names one of its fields, or a column that the
/// options choose has something there that is not a number.
bool is_header(const std::vector<std::string>& fields, const ReadOptions& options);

}  // namespace motmot
