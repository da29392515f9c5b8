/// What stands beside a robust value: a bracket that is proved, a value without the rows that look like
/// outliers, a lower bound that holds whatever the outliers are, an error bar for what is left of them,
/// and words for the case that these disagree.
///
/// phi_x and phi_y are the values of a fitted critic on the rows of x and of y, in the units of the points.
/// Everything is a function of its arguments (the seed among them), whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/data.hpp"
#include "motmot/theory.hpp"

namespace motmot {

// ---------------------------------------------------------------------------------------- bracket

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
  /// Chance, over the draw of blocks, that `upper` is none: 0 unless n m passed max_distances.
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

/// The same for blocks that are given; options.k_x and k_y are not read.
[[nodiscard]] Bracket bracket(PointsView x, PointsView y, const Blocks& blocks_x, const Blocks& blocks_y,
                              std::span<const double> phi_x, std::span<const double> phi_y,
                              const BracketOptions& options);

// ------------------------------------------------------------------------------------------- trim

struct TrimOptions {
  double phi_cut = 4;  ///< rows with |phi - median| above this many robust sd (1.4826 MAD) are dropped, > 0
  /// Also rows whose median distance to their own sample has a robust z above this; 0: not looked at.
  /// 10 was picked on the prototype's scenarios. It sees outliers that phi does not (behind the other
  /// sample), and cuts small modes of the inliers.
  double distance_cut = 0;
  std::size_t threads = 0;  ///< for the distances; the exact solve runs on one
};

struct TrimmedRows {
  std::vector<std::uint32_t> dropped;  ///< ascending
  std::size_t above = 0;               ///< of these, how many by phi > median
  std::size_t below = 0;               ///< and by phi < median; the rest went by distance
  double median = 0;                   ///< of phi
  double sd = 0;                       ///< 1.4826 MAD of phi; 0 drops nothing by phi: most values are equal
};

/// Which rows of one sample the cuts drop: never half of them by phi. O(n), and n * min(n, 300)
/// distances where distance_cut is set (to every row, or to 300 spread evenly over the sample).
[[nodiscard]] TrimmedRows trim_rows(PointsView points, std::span<const double> phi,
                                    const TrimOptions& options = {});

/// The rows that are not in `dropped` (ascending), in their order.
[[nodiscard]] Points kept_rows(PointsView points, std::span<const std::uint32_t> dropped);

struct Trim {
  double value = 0;  ///< exact W1 of the rows kept
  TrimmedRows x, y;
};

/// Exact W1 without the rows that look like outliers. Near exact where these lie apart; 4-10 % off for
/// multimodal or skewed inliers or outliers among them: to be read beside the robust value.
[[nodiscard]] Trim trimmed_w1(PointsView x, PointsView y, std::span<const double> phi_x,
                              std::span<const double> phi_y, const TrimOptions& options = {});

// ---------------------------------------------------------------------------------------- partial

/// A number that the inliers' W1 is not below, whatever the outliers are, if at most the shares tau_x and
/// tau_y are outliers: partial transport, less its duality gap, less what rounding may have done.
/// Stopped by progress, it is what was proved so far.
[[nodiscard]] double partial_bound(PointsView x, PointsView y, double tau_x, double tau_y,
                                   const Progress& progress = {});

/// The same from a critic alone, without a transport problem: a mean of phi over X that leaves out the share
/// tau_x of the largest values, less one over Y that leaves out the share tau_y of the smallest. Valid for
/// every phi with phi(x_i) - phi(y_j) <= |x_i - y_j| (weak duality), and no larger than partial_bound(). O(n
/// + m).
[[nodiscard]] double partial_bound_from(std::span<const double> phi_x, std::span<const double> phi_y,
                                        double tau_x, double tau_y);

// ------------------------------------------------------------------------------------ block means

struct BlockDrawOptions {
  Estimator estimator = Estimator::mom;
  Scheme scheme = Scheme::shuffle;
  std::size_t k_x = 1, k_y = 1;  ///< blocks
  std::size_t b_x = 1, b_y = 1;  ///< rows per block, for swor and pairs
  std::uint64_t seed = 0;
};

/// The block means of one draw of blocks, and the blocks that carry the median.
struct BlockDraw {
  std::vector<double> x, y;  ///< a_k and b_l
  MedianPair median;
};

/// Means of a fitted phi over the blocks of the given draw: those that Distance::value is a mean over (exact,
/// lipschitz), whose draws count from 0. O(n + m).
[[nodiscard]] BlockDraw draw_block_means(std::span<const double> phi_x, std::span<const double> phi_y,
                                         const BlockDrawOptions& options, std::uint64_t draw = 0);

// -------------------------------------------------------------------------------------- error bar

struct ErrorBarOptions {
  Estimator estimator = Estimator::mom;
  std::size_t k_x = 1;           ///< blocks of X that the value used
  std::size_t k_y = 1;           ///< of Y; equal to k_x for mou_diag
  double tau_x = 0.1;            ///< assumed share of outliers in X, in [0, 1/2)
  double tau_y = 0.1;            ///< in Y
  std::size_t partitions = 100;  ///< whose block means are pooled, >= 1
  std::uint64_t seed = 0;
  std::size_t threads = 0;
};

/// What outliers may have done to a value, and a guess at what they did.
struct ErrorBar {
  /// How far the value may be from the mean of phi over the inliers (the W1 of the inliers, when phi is
  /// their critic): contamination + skew. None when p >= 1/2, for then the value may be anything.
  std::optional<double> bar{};
  /// Whatever the outliers do, the median of the clean block means is within this of the median of all, with
  /// the share of outliers at the upper 95 % limit of what chance tau gives n rows: the quantiles of
  /// quantile_error_bar(), of the differences of block means for mou and mou-diag.
  double contamination = 0;
  /// |mean - median| of the block means of the rows kept: what a median misses when they are skewed.
  double skew = 0;
  double p = 0;  ///< dirty_chance() for the tau given
  /// The mean of phi over the rows kept, X less Y: the value without the shift that outlying rows explain,
  /// whichever side they lie on, and without the skew. None when p >= 1/2, or when more rows were dropped
  /// than tau allows for: then they are not the outliers.
  std::optional<double> corrected{};
};

/// From the block means of a fitted phi over many partitions. trim says which rows are kept (use
/// distance_cut = 10 for what was measured). O(partitions (n + m) log(n + m)).
[[nodiscard]] ErrorBar contamination_error_bar(std::span<const double> phi_x, std::span<const double> phi_y,
                                               const TrimmedRows& trim_x, const TrimmedRows& trim_y,
                                               const ErrorBarOptions& options);

/// The most rows of n that may be dropped before something else than a share tau of outliers must be the
/// reason: tau n, three sd of its own, and 5 % of heavy tails.
[[nodiscard]] double most_dropped(std::size_t n, double tau);

// ----------------------------------------------------------------------------------- disagreement

/// The share of the variance of the values that splitting them in two at the best place explains: 2/pi = 0.64
/// for a Gaussian, 3/4 for a uniform law, towards 1 for two modes apart. O(n log n). 0 for fewer than 3
/// values or when all are equal. Each part holds at least a tenth of the values.
[[nodiscard]] double two_mode_share(std::span<const double> values);

/// What disagreements() weighs up. Unset: not computed.
struct Evidence {
  double value = 0;
  std::optional<double> bar{};
  std::optional<double> trim{};
  std::optional<double> partial{};        ///< partial_bound()
  std::optional<double> doubled_value{};  ///< of the same phi with half as many blocks
  double two_modes_x = 0;                 ///< two_mode_share() of phi over each sample, within 4 robust sd
  double two_modes_y = 0;
  std::size_t n = 0, m = 0;
  std::size_t dropped_x = 0, dropped_y = 0;  ///< by phi alone
  double tau_x = 0, tau_y = 0;
};

/// The evidence that a fitted phi gives: value, doubled_value, two_modes, dropped rows. trim, partial and bar
/// are the caller's to add.
[[nodiscard]] Evidence gather_evidence(std::span<const double> phi_x, std::span<const double> phi_y,
                                       const TrimmedRows& trim_x, const TrimmedRows& trim_y,
                                       const ErrorBarOptions& options);

/// One sentence for each thing that does not fit together, and what it suggests (inliers in several modes,
/// outliers among the inliers, tau too small); empty when all is well.
[[nodiscard]] std::vector<std::string> disagreements(const Evidence& evidence);

// -------------------------------------------------------------------------------------- tau, unknown

/// What one value of tau gave.
struct TauProbe {
  double value = 0;  ///< robust W1 with that tau for both samples
  /// Rows that look like outliers to the critic fitted with that tau.
  std::size_t dropped_x = 0;
  std::size_t dropped_y = 0;
};

struct TauPathOptions {
  std::size_t n = 0, m = 0;                                       ///< rows
  std::vector<double> path{0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2};  ///< ascending, in [0, 1/2)
  /// A value is on the plateau when the next one is within this share of it (the bias law moves it a little).
  double tolerance = 0.05;
};

struct TauChoice {
  double tau_x = 0;
  double tau_y = 0;
  bool sure = false;             ///< both signs agree: rows dropped, and the plateau
  std::string how;               ///< one sentence
  std::vector<double> tau;       ///< those that were tried, ascending
  std::vector<TauProbe> probes;  ///< what they gave
};

/// Chooses tau from the data: `probe` is asked for taus of the path, from the largest down, and no more often
/// than needed. Two signs are compared: the share of rows that look like outliers to the most robust
/// critic, with room for chance, and the smallest tau from which the value no longer moves.
[[nodiscard]] TauChoice choose_tau(const std::function<TauProbe(double tau)>& probe,
                                   const TauPathOptions& options);

}  // namespace motmot
