/// What all solvers speak of: whole masses, flows of them, whether to go on.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace motmot::solver {

using Mass = std::int64_t;

struct FlowEntry {
  std::uint32_t row, col;
  Mass amount;
};

inline constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Whether to go on; asked every few thousand steps.
using Ask = std::function<bool()>;
inline constexpr std::uint64_t bids_between_questions = 1 << 13;

}  // namespace motmot::solver
