/// Rows that are copies of one another, as one point.
#pragma once

#include "transport/masses.hpp"

namespace motmot::solver {

/// Rows with mass, of which the copies of one point were put together: the problem between the points is
/// smaller and its solution the same.
struct Copies {
  std::vector<std::uint32_t> rows;   ///< copies beside one another, points in the order of their first rows
  std::vector<Mass> masses;          ///< of rows
  std::vector<std::uint32_t> begin;  ///< where the rows of each point begin, and the end

  /// Of the rows `kept`; `first` is the first row that is identical to a row.
  static Copies of(std::span<const std::uint32_t> kept, std::span<const Mass> masses,
                   std::span<const std::uint32_t> first);
  [[nodiscard]] std::size_t points() const { return begin.size() - 1; }
  /// The first row of each point, and the masses of the points.
  [[nodiscard]] std::vector<std::uint32_t> first_rows() const;
  [[nodiscard]] std::vector<Mass> sums() const;
};

/// Flows between points as flows between rows: no more than there are flows, and a further one for every
/// further copy. What is beyond the points (slack) is left out.
[[nodiscard]] std::vector<FlowEntry> between_rows(std::span<const FlowEntry> flows, const Copies& x,
                                                  const Copies& y);

}  // namespace motmot::solver
