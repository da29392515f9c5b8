/// Weights as whole numbers, so that flows add up exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rays/flow.hpp"

namespace motmot::solver {

struct Masses {
  std::vector<std::uint32_t> rows, cols;  ///< those with mass, ascending
  std::vector<Mass> a, b;                 ///< their masses, then perhaps that of the slack row or column
  Mass total = 0;                         ///< what counts as 1
  bool equal = false;                     ///< rows and cols have the same number and all masses are equal

  /// Normalised weights; empty spans mean equal ones. Checks them.
  void from_weights(std::size_t n, std::size_t m, std::span<const double> a, std::span<const double> b);
  /// Capacities of partial transport. What may be left out of x goes to a slack column at the end of
  /// b, what may be left out of y comes from a slack row; neither is there when its share is 0.
  void from_shares(std::size_t n, std::size_t m, double tau_x, double tau_y);
  /// Says anew whether all are equal; with slack they never are.
  void compare();
};

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
