/// The robust centre and scale that make float32 safe.
#pragma once

#include <vector>

#include "motmot/communicator.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Where a pair of samples lies and how wide it spreads, whatever up to half of the rows hold.
struct RobustScale {
  std::vector<double> centre{};  ///< d medians
  double scale = 1;              ///< > 0 and finite
};

/// The Euclidean distance of every row from a point.
[[nodiscard]] std::vector<double> distances_from(PointsView points, std::span<const double> centre);

/// Coordinate-wise medians of the rows of x and y taken together, and the median over these rows of
/// the Euclidean distance to them. When more than half of the rows coincide, that distance is 0 and
/// the smallest positive one stands in; 1 if there is none. A median of an even number of values is
/// the midpoint of the middle two. Coordinates of any finite size are safe: nothing overflows.
/// Expected cost O((n + m) d), memory O(n + m) beside the data, which is gone through some five times. Needs
/// finite values (Errc::numeric), equal dimensions and at least one row (Errc::invalid_argument).
[[nodiscard]] RobustScale robust_scale(PointsView x, PointsView y);

/// All: the same bits from the parts of the samples that the ranks hold.
[[nodiscard]] RobustScale robust_scale(const SamplePart& x, const SamplePart& y, Communicator& ranks);

/// (x - centre) / scale. W1 of scaled samples is W1 / scale. A value beyond the range of a double
/// becomes the largest finite one.
[[nodiscard]] Points scaled(PointsView x, const RobustScale& by);

}  // namespace motmot
