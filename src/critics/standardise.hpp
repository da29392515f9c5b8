#pragma once

#include <span>
#include <vector>

#include "base/threads.hpp"
#include "critics/feature_major.hpp"

namespace motmot {

/// Where the data lie and how wide they spread. Rows come in as (row - centre) / scale, and those farther
/// than `radius` from the origin are drawn back to the sphere of that radius. The projection on a ball is
/// 1-Lipschitz (and so is that on the cube of half-width 1e150 before it, without which squares overflow), so
/// a critic of the projected rows is as certified as one of the rows, and float32 never overflows; an outlier
/// at a million times the scale is as far from every median as one at 1e300.
struct Standard {
  std::vector<double> centre{};  ///< d numbers; none means the origin
  double scale = 1;

  static constexpr double radius = 1e6;

  /// The row as the network sees it; `to` has as many places.
  void apply(std::span<const double> row, std::span<double> to) const noexcept;
};

/// The listed rows of x, then those of y, in float32.
FeatureMajor standardised(const Standard& standard, PointsView x, std::span<const std::uint32_t> rows_x,
                          PointsView y, std::span<const std::uint32_t> rows_y, Team& team);

/// All rows of x, then all of y.
FeatureMajor standardised(const Standard& standard, PointsView x, PointsView y, Team& team);

}  // namespace motmot
