/// What outliers may have done to a value, from the block means of a fitted phi. phi_x and phi_y are the
/// critic's values on the rows, in the data's units.
#pragma once

#include <optional>

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

/// What outliers may have done to a value.
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
};

/// From the block means of a fitted phi over many partitions. `trimmed` says which rows are left out (use
/// distance_cut = 10 for what was measured). O(partitions (n + m) log(n + m)).
[[nodiscard]] ErrorBar contamination_error_bar(std::span<const double> phi_x, std::span<const double> phi_y,
                                               const PerSample<TrimmedRows>& trimmed,
                                               const ErrorBarOptions& options);

}  // namespace motmot
