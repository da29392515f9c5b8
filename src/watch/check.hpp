/// A check with what its page needs.
#pragma once

#include "motmot/watch.hpp"
#include "watch/frames.hpp"

namespace motmot {

struct Checked {
  Check check{};
  Distance distance{};  ///< rows numbered as in the tables below
  Frame x{}, y{};       ///< the rows compared
  Coded coded{};        ///< the same as points
};
[[nodiscard]] Checked checked(const Reference& reference, const Frame& y, const CheckOptions& options);

}  // namespace motmot
