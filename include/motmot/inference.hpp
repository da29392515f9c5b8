/// What holds of a robust value for certain: a bracket that is proved, and a lower bound of the inliers'
/// distance that holds whatever the outliers are. Everything is a function of its arguments (the seed among
/// them), whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/data.hpp"

namespace motmot {

struct BracketOptions {
  Estimator estimator = Estimator::mom;
  std::size_t k_x = 1;  ///< odd, 1 <= k_x <= n
  std::size_t k_y = 1;  ///< odd; equal to k_x for mou_diag. plain takes one block each, whatever stands here
  std::uint64_t seed = 0;
  std::size_t threads = 0;  ///< 0: all cores
  /// Exact solves spent on the lower end are about effort * 5e6 / (n m), at least 20, at most 800; 0: none.
  double effort = 1;
  /// Distances that the upper end may look at. K_X K_Y block problems look at n m of them (mou-diag: at
  /// n m / K); beyond the limit mom and mou draw some of the blocks, see Bracket::failure_chance.
  std::size_t max_distances = std::size_t{1} << 25;
};

/// lower <= sup over 1-Lipschitz phi of the estimator's value on one fixed partition <= upper.
/// It brackets that functional, which is optimistic (its phi may know the partition), and not the
/// distance of the laws; the estimate itself, a mean over partitions, may lie outside.
struct Bracket {
  double lower = 0;
  double upper = 0;
  /// The value of the given phi on this partition; without a phi, lower.
  double fixed_partition_value = 0;
  /// Chance, over the draw of blocks, that `upper` is not a bound: 0 unless n m passed max_distances.
  double failure_chance = 0;
  std::size_t block_problems = 0;  ///< W1 between blocks that were solved for the upper end
  std::size_t solves = 0;          ///< exact W1 between the samples that were solved for the lower end
};

/// The bracket on the partition that the seed draws. phi may be left out (both empty).
///   upper: mou-diag med_k W1(X_k, Y_k); mou med_{k,l} W1(X_k, Y_l); mom the smaller of med_k med_l and
///          med_l med_k of W1(X_k, Y_l): a majority of blocks of X has a row of W1 of which a majority is
///          no smaller than med a - med b.
///   lower: the best of the upper McShane extension of phi from Y, which is 1-Lipschitz whatever phi is,
///          and of Frank-Wolfe ascents from it and from other starts.
/// Cost: n m distances and K_X K_Y small problems; O(m (n + m)) for the extension; memory for m (n + m)
/// distances if that is below 2^23, beyond which nothing but phi itself is tried. Throws on even K.
[[nodiscard]] Bracket bracket(PointsView x, PointsView y, std::span<const double> phi_x,
                              std::span<const double> phi_y, const BracketOptions& options);

/// A number that the inliers' W1 is not below, whatever the outliers are, if at most the shares tau_x and
/// tau_y are outliers: partial transport, less its duality gap, less what rounding may have done.
/// Stopped by progress, it is what was proved so far.
[[nodiscard]] double partial_bound(PointsView x, PointsView y, double tau_x, double tau_y,
                                   const Progress& progress = {});

}  // namespace motmot
