/// A bound of the largest singular value that is a proof.
#pragma once

#include <cstddef>
#include <span>

namespace motmot {

/// A number that the largest singular value of a rows x cols matrix, row-major, cannot exceed, rounded up.
/// From one-sided Jacobi rotations in double (Hestenes), without trusting that they have converged or are
/// orthogonal: with the V they give,
///   |A| <= |A V| |V^-1|,  |A V|^2 <= max row sum of |(A V)^T A V|,  |V^-1|^2 <= 1 / (1 - |V^T V - I|_inf),
/// each computed again from A and V with a bound of its own rounding errors added. Infinite where A is not
/// finite or V is too far from orthogonal. Power iteration, which bounds from below, would certify nothing.
double spectral_norm_bound(std::span<const double> matrix, std::size_t rows, std::size_t cols);

}  // namespace motmot
