/// One direction through many columns, in which a group of wrong rows that distances do not show stands
/// apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Two samples along one line, one column each, in units of their own.
struct AlongLine {
  Points own{};
  Points other{};
};

/// Along the direction in which `own` is wider than `other` by most: the leading eigenvector of the
/// difference of their covariances, by Lanczos' method on at most 2000 rows of each. What the samples have in
/// common cancels out; the share t of the rows at a distance a from the rest adds t (1 - t) a^2, which stands
/// out of sampling noise, about 2 sqrt(d (1/n + 1/m)) in units of the columns' variance, long before it
/// changes distances between rows. Any finite coordinates; shifting and scaling both samples changes nothing.
[[nodiscard]] AlongLine along_widest_line(PointsView own, PointsView other);

/// The rows of `own` that stand apart at one end of the line, ascending: at most `most` of them, at least
/// three. A gap between positions (score_gap.hpp) that rows of `other` do not fill is only the first test,
/// because a line that was chosen by the data sets some rows apart that have nothing else in common; the
/// second is that they vouch for one another: seen from the mean of the rest, each lies at least half as far
/// as the mean of the others in its direction. None where the other sample has such a part, too: a mode of
/// both.
[[nodiscard]] std::vector<std::uint32_t> group_along(const AlongLine& line, PointsView own, std::size_t most);

}  // namespace motmot
