#pragma once

#include <sstream>

#include "motmot/base.hpp"

namespace motmot {

/// The text fit for one line: control characters as \x0a.
[[nodiscard]] std::string one_line(std::string_view text);

/// Throws Error(code, all parts in a row) unless the condition holds.
template <class... Parts>
void require(bool condition, Errc code, const Parts&... parts) {
  if (condition) [[likely]]
    return;
  std::ostringstream message;
  message.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  (message << ... << parts);
  throw Error(code, message.str());
}

/// require(false, ...) for places that have decided already.
template <class... Parts>
[[noreturn]] void fail(Errc code, const Parts&... parts) {
  std::ostringstream message;
  message.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  (message << ... << parts);
  throw Error(code, message.str());
}

}  // namespace motmot
