/// What outliers may have done to a value, from the block means of a fitted phi, and words for the case that
/// the values beside it disagree. phi_x and phi_y are the critic's values on the rows, in the data's units.
#pragma once

#include <optional>
#include <string>

#include "inference/trim.hpp"
#include "motmot/blocks.hpp"
#include "motmot/theory.hpp"

namespace motmot {

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

/// From the block means of a fitted phi over many partitions. `trimmed` says which rows are left out (use
/// distance_cut = 10 for what was measured). O(partitions (n + m) log(n + m)).
[[nodiscard]] ErrorBar contamination_error_bar(std::span<const double> phi_x, std::span<const double> phi_y,
                                               const PerSample<TrimmedRows>& trimmed,
                                               const ErrorBarOptions& options);

/// The most rows of n that may be dropped before something else than a share tau of outliers must be the
/// reason: tau n, three sd of its own, and 5 % of heavy tails.
[[nodiscard]] double most_dropped(std::size_t n, double tau);

/// The share of the variance of the values that splitting them in two at the best place explains: 2/pi = 0.64
/// for a Gaussian, 3/4 for a uniform law, towards 1 for two modes apart. O(n log n). 0 for fewer than 3
/// values or when all are equal. Each part holds at least a tenth of the values.
[[nodiscard]] double two_mode_share(std::span<const double> values);

/// The numbers that are printed, and so compared. Unset: not computed.
struct Compared {
  double value = 0;
  std::optional<double> bar{}, trim{}, partial{};
};

/// What disagreements() weighs up.
struct Evidence {
  Compared printed{};
  std::optional<double> moved{};     ///< by the value of the same phi with half as many blocks
  PerSample<double> two_modes{};     ///< two_mode_share() of phi over each sample, within 4 robust sd
  PerSample<std::size_t> dropped{};  ///< rows, by phi alone
  PerSample<std::size_t> rows{};
  PerSample<double> tau{};
};

/// The evidence that a fitted phi gives about the numbers printed.
[[nodiscard]] Evidence gather_evidence(std::span<const double> phi_x, std::span<const double> phi_y,
                                       const PerSample<TrimmedRows>& trimmed, const ErrorBarOptions& options,
                                       const Compared& printed);

/// One sentence for each thing that does not fit together, and what it suggests (inliers in several modes,
/// outliers among the inliers, tau too small); empty when all is well. `names`: of the samples.
[[nodiscard]] std::vector<std::string> disagreements(const Evidence& evidence,
                                                     const PerSample<char>& names = {'X', 'Y'});

}  // namespace motmot
