/// Values that stand for something else, -999, 9999, 1970-01-01, or for nothing that other rows have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

/// Whether a column beside the one at `place` has the value for its own, not as a sentinel: what makes it
/// missing everywhere would take it from there, too.
[[nodiscard]] bool is_own_elsewhere(const Frame& table, std::size_t place, double value);

/// Rows that have another value where all others have one and the same.
struct OddValues {
  double usual = 0;
  std::vector<std::uint32_t> rows{};  ///< ascending
};

/// Of numbers or times, NaN where one is missing: where 10 rows or more have one value and at most 1 % (or
/// one) any other. Nothing where all values are digits, 0 to 9: flags, counts and ratings are rarely 1, or 4.
[[nodiscard]] std::optional<OddValues> find_odd_values(std::span<const double> values);

}  // namespace motmot
