#pragma once

#include <sstream>

#include "motmot/base.hpp"

namespace motmot {

/// The text fit for one line: control characters as \x0a.
[[nodiscard]] std::string one_line(std::string_view text);

/// All parts in a row, as a stream writes them.
template <class... Parts>
[[nodiscard]] std::string streamed(const Parts&... parts) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  (text << ... << parts);
  return text.str();
}

/// Throws Error(code, all parts in a row) unless the condition holds.
template <class... Parts>
void require(bool condition, Errc code, const Parts&... parts) {
  if (!condition) [[unlikely]]
    throw Error(code, streamed(parts...));
}

/// require(false, ...) for places that have decided already.
template <class... Parts>
[[noreturn]] void fail(Errc code, const Parts&... parts) {
  throw Error(code, streamed(parts...));
}

}  // namespace motmot
