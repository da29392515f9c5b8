/// Rows that look like outliers to a critic, and W1 without them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

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

}  // namespace motmot
