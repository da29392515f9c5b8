/// How the readers speak of files and of what they find in them.
#pragma once

#include <string>
#include <string_view>

namespace motmot {

/// 'a.csv' on one line whatever its name, or "standard input" for "-".
std::string name_of(const std::string& path);

/// The text in quotes, fit for one line of a message: cut after 40 bytes, control characters as \x0a.
std::string shown(std::string_view text);

/// "--kinds zip=category", in quotes where a shell or a line needs them.
std::string kinds_option(std::string_view column, std::string_view kind);

/// The first few of `count` names, for a user who misspelt one: 'a', 'b', ...
template <class Name>
std::string listed(std::size_t count, Name name) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t k = 0; k < count && k < most; ++k) list += (k > 0 ? ", " : "") + shown(name(k));
  return list + (count > most ? ", ..." : "");
}

/// "column 2" or, if the column has a name of its own, "column 2 'height'". Counts from 0 as columns
/// do inside, from 1 in the text.
std::string column_label(std::size_t column, std::string_view name);

}  // namespace motmot
