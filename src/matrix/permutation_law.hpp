/// The energy distance of two samples and the law that it has when their rows are mixed and dealt anew.
///
/// With w = 1/n on the rows of X and -1/m on those of Y, and D the distances between all rows, the energy
/// distance is -w^T D w. Since w sums to 0, D may be centred: A = -(D - row means - column means + mean),
/// whose rows sum to 0, has w^T A w the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Sums over the pooled rows that the moments are made of.
struct CentredSums {
  double trace = 0;             ///< of A
  double diagonal_squares = 0;  ///< of A
  double squares = 0;           ///< of all entries of A
};

/// From the sums of each row's distances to all others and the squares of all distances, each pair twice.
[[nodiscard]] CentredSums centred_sums(std::span<const double> row_sums, double squares);

struct Moments {
  double mean = 0, variance = 0;
};

/// Of w^T A w over all ways to call n of the n + m rows X: exact.
[[nodiscard]] Moments permutation_moments(const CentredSums& a, std::size_t n, std::size_t m);

/// Of w^T A w for many rows, from those given: 2 sqrt(2) tr A^3 / (tr A^2)^(3/2), entries of the diagonal and
/// triples that are not distinct left out, since with few rows they would dominate. Within [0.05, sqrt(8)].
/// O(n^3). Does not depend on the unit, a power of two, but where cubes of distances would leave the range of
/// double.
[[nodiscard]] double permutation_skewness(PointsView rows, double unit = 1);

/// P(T >= value) for T of a gamma law that is shifted to this mean, variance and skewness > 0; 1 where the
/// variance is 0.
[[nodiscard]] double upper_tail(double value, const Moments& moments, double skewness);

/// Q(shape, x) = Gamma(shape, x) / Gamma(shape), shape > 0: the upper tail of the gamma law. Relative error
/// below 1e-10 down to 1e-300.
[[nodiscard]] double gamma_tail(double shape, double x);

}  // namespace motmot
