/// Parts of distance_page(). A part without content is one without a heading.
#pragma once

#include <vector>

#include "report/distance_page.hpp"

namespace motmot {

/// Rows of one sample that look like outliers.
struct Suspects {
  std::vector<std::uint32_t> rows{};  ///< ascending
  std::vector<double> z{};            ///< of phi, in robust sd from the median; 0 where that has no spread
};

/// The rows that trim left out, or would leave out where the estimate has no trim. None without critic
/// values.
Suspects suspects_of(PointsView points, const RowDiagnostics& rows);

Section ascent_part(const Distance& e);
Section blocks_part(const Distance& e);
Section data_part(const PageSample& x, const PageSample& y, const Suspects& suspects_x,
                  const Suspects& suspects_y);
Section suspects_part(const PageSample& x, const PageSample& y, const Suspects& suspects_x,
                      const Suspects& suspects_y);

}  // namespace motmot
