/// How the columns of a sample hang together, from most of its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Medians, spreads and correlations of the rows kept. Correlations are those of wrapped values (Raymaekers
/// and Rousseeuw, 2021): what is more than 1.5 robust units off counts less, what is 4 off not at all, so
/// that single wrong cells move them little. They are drawn towards 0 where rows are few.
class Relations {
 public:
  /// O(kept d^2 + d^3), d columns.
  Relations(PointsView points, std::span<const std::uint32_t> kept);

  /// The rows in coordinates of unit spread that do not hang together: their length is Mahalanobis' distance.
  [[nodiscard]] Points decorrelated(PointsView points) const;

  /// For each row what its value in column j is more than the other columns let expect, in units of `points`;
  /// the median over the rows kept is 0.
  [[nodiscard]] std::vector<double> residuals(PointsView points, std::size_t j) const;

 private:
  [[nodiscard]] std::vector<double> standard(std::span<const double> row) const;

  std::size_t d_;
  std::vector<std::uint32_t> kept_;
  std::vector<double> medians_, spreads_, means_;  ///< means: of wrapped values
  std::vector<double> factor_;                     ///< lower triangle C, C C' = the covariance
  std::vector<double> inverse_;                    ///< of the covariance
};

/// A cell's robust z as the correlations see it.
[[nodiscard]] double wrapped(double z);

}  // namespace motmot
