/// How sentences of the library name options in Python.
#pragma once

#include <string>
#include <string_view>

namespace motmot::python {

/// The library's sentences name an option as the command spells it: "--tau 0.2", "--missing level",
/// "--category-weight says ...". Here it is a keyword: "tau=0.2", "missing='level'", "category_weight= says
/// ...". A word after it is its value if it is a number, stands in quotes or is one of the words that options
/// have. Of two options in a row the first gets a comma.
[[nodiscard]] std::string in_python(std::string_view sentence);

}  // namespace motmot::python
