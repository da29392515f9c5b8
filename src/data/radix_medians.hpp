/// Medians of columns that are too long to be copied.
#pragma once

#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// The median of each column over the rows of x and y taken together: what median_of() gives, from four
/// passes over the rows and 1 MB a column (64 columns at a time), however many rows there are. No NaN.
[[nodiscard]] std::vector<double> radix_medians(PointsView x, PointsView y);

}  // namespace motmot
