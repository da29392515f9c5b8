/// Eigenvalues and eigenvectors of small symmetric matrices, row after row.
#pragma once

#include <cstddef>
#include <vector>

namespace motmot {

struct EigenPairs {
  std::vector<double> values{};   ///< falling
  std::vector<double> vectors{};  ///< one after another, each of length 1
};

/// Of a symmetric matrix, by Jacobi's rotations. O(n^3) for each of some ten sweeps.
[[nodiscard]] EigenPairs symmetric_eigen(std::vector<double> matrix, std::size_t n);

}  // namespace motmot
