/// Singular values, and a bound of the largest one that is a proof.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motmot {

/// Singular values of a rows x cols matrix, row-major, in descending order, by one-sided Jacobi rotations in
/// double (Hestenes); min(rows, cols) of them.
std::vector<double> singular_values(std::span<const double> matrix, std::size_t rows, std::size_t cols);

/// A number that the largest singular value cannot exceed, rounded up. Does not trust the rotations to have
/// converged or to be orthogonal: with the V they give,
///   |A| <= |A V| |V^-1|,  |A V|^2 <= max row sum of |(A V)^T A V|,  |V^-1|^2 <= 1 / (1 - |V^T V - I|_inf),
/// each computed again from A and V with a bound of its own rounding errors added. Infinite where A is not
/// finite or V is too far from orthogonal. Power iteration, which bounds from below, would certify nothing.
double spectral_norm_bound(std::span<const double> matrix, std::size_t rows, std::size_t cols);

}  // namespace motmot
