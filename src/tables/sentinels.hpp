/// Values that stand for something else: -999, 9999, 1970-01-01.
#pragma once

#include <cstdint>
#include <vector>

#include "motmot/tables.hpp"

namespace motmot {

struct Sentinel {
  double value = 0;  ///< of times: seconds since 1970-01-01
  std::vector<std::uint32_t> rows{};
};

/// Numbers (or times) that repeat exactly, in fewer than half of the rows, and lie outside the range of all
/// others, ascending. How far outside depends on the value. One that people use for this (-9, 99, -999, ...,
/// 0 below positive numbers, 1900-01-01, 1970-01-01, 9999-12-31): 3 robust units of the others, or, where
/// these have fewer than 5 distinct values, farther than they spread. Any other: three times, farther outside
/// than the others spread, who have 5 distinct values. Nothing in columns of fewer than 10 values.
[[nodiscard]] std::vector<Sentinel> find_sentinels(const Column& column);

}  // namespace motmot
