/// Rows left out, one way for all who leave some out.
#pragma once

#include <cstdint>
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

[[nodiscard]] inline Points without(PointsView points, std::span<const std::uint32_t> rows) {
  return {without({points.data, points.n * points.d}, rows, points.d), points.d};
}

}  // namespace motmot
