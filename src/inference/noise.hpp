/// What chance alone gives: W1 and two more distances after the rows of both samples have been mixed and
/// dealt out again at the same sizes, and how often that is as large as what was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "inference/permuted.hpp"
#include "motmot/communicator.hpp"
#include "motmot/data.hpp"
#include "motmot/permutations.hpp"

namespace motmot {

struct NoiseOptions {
  /// Permutations of W1, whatever the size; 0: by the size, see permutation_noise().
  std::size_t permutations = 0;
  std::uint64_t seed = 0;
  Communicator* ranks = &alone();  ///< that the permutations of W1 are spread over; each has all rows
  PermutationSolver solve{};       ///< who does the permutations of W1 instead; empty: nobody
  double done = 0;                 ///< share of the whole run that lies behind, for its progress
  /// The samples that x and y were drawn from, where these are subsamples: above 2000 rows the p-value is of
  /// all of them.
  PerSample<PointsView> drawn_from{};
};

struct Noise {
  /// The one that decides: of the largest of W1, the energy distance and the kernel distance
  /// (inference/energy.hpp), each in units of its own spread, as far as they are known.
  double p_value = 1;
  std::optional<double> w1_p_value{};  ///< not above 2000 rows unless permutations were asked for
  double energy_p_value = 1;
  std::optional<double> kernel_p_value{};  ///< not in one column
  double level = 0;                        ///< mean of the permuted W1
  double sd = 0;                           ///< of a permuted W1 about it
  double value = 0;                        ///< the W1 of the same rows that it is compared with
  double quantile95 = 0;                   ///< of the permuted W1
  std::size_t permutations = 0;            ///< behind the p-value
  PerSample<std::size_t> rows{};           ///< of the energy distance: all, but for very large samples
  std::vector<double> permuted{};          ///< W1 after permuting
  std::vector<double> column_floor{};      ///< column_costs() of permuted plans, the mean of up to nine
};

/// The permutations of permutation_noise() with the same arguments. Those that it takes in any case can be
/// solved before it is called, beside other problems; it solves what is left.
[[nodiscard]] PermutedSolves permuted_solves(PointsView x, PointsView y, const NoiseOptions& options,
                                             Team& team);

/// Permutes the rows of x and y, whose exact W1 is observed_w1. Nothing when stopped.
///
/// p = (1 + c) / (B + 1) where c of B permutations reach what was observed; ties count, and so does what
/// rounding cannot tell from one. If the rows are exchangeable (no difference, no row left out by a rule that
/// looked at it), P(p <= 0.05) <= 0.05 exactly. No p is below least_p_value(). B by the size, a function of
/// n, m, d alone:
///   one column           999 up to 2 10^4 rows in all, beyond 99; W1 and energy, by sorting
///   n, m <= 2000         99, fewer above 1000 rows but at least 39. W1 is solved for each, on all rows.
///                        Stops after 24 or 49 when 5 of them reach the observed: p is above 0.1 then, so
///                        stopping never rejects and the level holds.
///   beyond               one solve at full size for the level (three in the plane, where it varies more);
///                        p without W1, from 999 permutations of blocks of rows.
[[nodiscard]] std::optional<Noise> permutation_noise(PointsView x, PointsView y, double observed_w1,
                                                     const NoiseOptions& options, PermutedSolves& permuted,
                                                     Team& team, Watch& watch);

/// What the p-value is if every way of dealing n + m rows is tried and only the one that was seen reaches
/// what was observed: 1 / C(n + m, n), twice that where n = m, since exchanging the samples changes nothing.
[[nodiscard]] double least_p_value(std::size_t n, std::size_t m);

/// (1 + c) / (B + 1); values that differ by less than `tie` count as equal.
[[nodiscard]] double permutation_p_value(double observed, std::span<const double> permuted, double tie);

/// The largest of several statistics at each place, each less its mean and divided by its sd over all places:
/// what was observed and what was permuted are treated alike, so the results are exchangeable if the
/// arguments are.
[[nodiscard]] std::vector<double> largest_of_standardised(std::span<const std::vector<double>> statistics);

/// The same three statistics of several pairs of samples, one value for each pair.
struct Statistics {
  std::vector<double> w1, energy, kernel;  ///< empty where one is not known, but for energy
};

/// largest_of_standardised() of W1 and of the logarithms of the others, which are squares of distances.
[[nodiscard]] std::vector<double> joint_statistic(const Statistics& all);

/// Of one standard deviation: what sums in float32 cannot tell apart, a tie for permutation_p_value().
inline constexpr double rounding_of_sd = 1e-3;

}  // namespace motmot
