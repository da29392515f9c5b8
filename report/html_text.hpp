/// Text that is safe inside a page or a drawing.
#pragma once

#include <string>
#include <string_view>

namespace motmot {

/// The same text with every byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Plain text for the inside of an element or of a quoted attribute of HTML or SVG: & < > " ' become
/// entities, control characters other than tab and line break U+FFFD.
std::string html_text(std::string_view text);

/// A JSON text for the inside of a script element: "<" becomes \u003c, which JSON reads as the same.
std::string json_in_script(std::string_view json);

/// Six significant digits, as tables show them; "" for a number that is not finite.
std::string short_number(double value);

}  // namespace motmot
