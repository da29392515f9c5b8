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

}  // namespace motmot::solver
