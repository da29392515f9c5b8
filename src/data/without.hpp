/// Rows left out, one way for all who leave some out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// What is left of rows of `width` values each, in their order, without the rows listed (ascending).
[[nodiscard]] inline std::vector<double> without(std::span<const double> values,
                                                 std::span<const std::uint32_t> rows, std::size_t width = 1) {
  std::vector<double> kept;
  kept.reserve(values.size() - rows.size() * width);
  std::size_t from = 0;
  const auto keep_until = [&](std::size_t row) {
    kept.insert(kept.end(), values.data() + from * width, values.data() + row * width);
    from = row + 1;
  };
  for (const std::uint32_t row : rows) keep_until(row);
  keep_until(values.size() / width);
  return kept;
}

/// The numbers 0 .. n - 1 of the rows that are left.
[[nodiscard]] inline std::vector<std::uint32_t> rows_without(std::size_t n,
                                                             std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> all(n), left;
  std::iota(all.begin(), all.end(), 0u);
  std::ranges::set_difference(all, rows, std::back_inserter(left));
  return left;
}

[[nodiscard]] inline Points without(PointsView points, std::span<const std::uint32_t> rows) {
  return {without({points.data, points.n * points.d}, rows, points.d), points.d};
}

}  // namespace motmot
