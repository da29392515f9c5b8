/// How sentences of the library name options in Python.
#pragma once

#include <string>
#include <string_view>

namespace motmot::python {

/// The library's sentences name an option as the command spells it: "--tau 0.2", "--missing level",
/// "--category-weight says ...". Here it is a keyword: "tau=0.2", "missing='level'", "category_weight= says
/// ...". A word after it is its value if it is a number, stands in quotes or is one of the words that options
/// have. Options that take several values have a list: "exclude=['when']". Of two options in a row the first
/// gets a comma.
[[nodiscard]] std::string in_python(std::string_view sentence);

/// A line that is to be typed, of options that all have their values, as arguments: "--exclude id --missing
/// level" becomes "exclude=['id'], missing='level'", "motmot outliers FILE" becomes "motmot.outliers(table)".
/// Empty for what only a file of text or a query can have: "--decimal ,", "sql:...".
[[nodiscard]] std::string typed_in_python(std::string_view line);

}  // namespace motmot::python
