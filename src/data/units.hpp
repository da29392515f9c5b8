/// What the columns of two samples are divided by before they are compared.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motmot/communicator.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// How wide values spread about the median of their own sample; the rule of robust_spreads(), for any number
/// of samples. They may be empty.
[[nodiscard]] double robust_spread(std::span<const std::vector<double>> samples);
/// Of one sample.
[[nodiscard]] inline double robust_spread(const std::vector<double>& sample) {
  return robust_spread(std::span(&sample, 1));
}

/// What a robust scale divides values by: their spread. Where nearly all values of each sample (19 in 20) are
/// one and the same, but not that of the others, it is how far these lie apart (of more than two samples: how
/// far typically from the middle one), so that two such samples are one unit apart, like two levels. Samples
/// may be empty; 0: there is one value in all of them.
[[nodiscard]] double robust_unit(std::span<const std::vector<double>> samples);

/// How wide each column spreads: 1.4826 MAD of both samples, each about its own median, so that a shift
/// between them does not count. Where that is 0, (q95 - q5) / 3.29 of the same deviations, then the median of
/// those that are not 0, then 0: the column has one value in each sample.
[[nodiscard]] std::vector<double> robust_spreads(PointsView x, PointsView y);

/// Each column's median in Y less its median in X.
[[nodiscard]] std::vector<double> median_shifts(PointsView x, PointsView y);

/// All: the same bits from the parts of the samples that the ranks hold.
[[nodiscard]] std::vector<double> robust_spreads(const SamplePart& x, const SamplePart& y,
                                                 Communicator& ranks);
[[nodiscard]] std::vector<double> median_shifts(const SamplePart& x, const SamplePart& y,
                                                Communicator& ranks);

/// 1, but for "age=10,income=5000" these numbers in these columns. Complains about anything else.
[[nodiscard]] std::vector<double> given_units(const std::string& scale, std::span<const std::string> names);

/// One number for each column: 1 for scale "none", robust_unit() for "robust" (0: left out, it has one
/// value), and for "age=10,income=5000" these numbers in these columns and 1 in the others. Complains about
/// anything else.
[[nodiscard]] std::vector<double> column_units(PointsView x, PointsView y, const std::string& scale,
                                               std::span<const std::string> names);

/// Every column divided by its unit; 0 where the unit is 0.
[[nodiscard]] Points in_units(PointsView points, std::span<const double> units);

/// c1, c2, ...
[[nodiscard]] std::vector<std::string> default_column_names(std::size_t d);

/// Whether the columns have names of their own, not their numbers (2, or c2) in a file or in an array.
[[nodiscard]] bool has_names(std::span<const std::string> columns);

}  // namespace motmot
