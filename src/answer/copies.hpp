/// One row many times over, where rows do not repeat otherwise: a default value, or copies of a row.
#pragma once

#include "inference/company.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot {

/// Whether the largest group of identical rows is an exception: all other rows that have a twin are no more
/// than one in twenty.
[[nodiscard]] bool one_row_repeats(const Twins& twins);

/// All rows of that group but the first, ascending; empty unless there are max(4, n / 100) in the group, in
/// two columns or more (in one column values repeat in honest data, too), and none of the other sample's rows
/// is the same.
[[nodiscard]] std::vector<std::uint32_t> copies_of_a_row(PointsView points, PointsView other);

/// The rows left out and the copies, ascending, where these are no more than `most` together; otherwise the
/// rows left out.
[[nodiscard]] std::vector<std::uint32_t> with_copies(const std::vector<std::uint32_t>& left_out,
                                                     const std::vector<std::uint32_t>& copies,
                                                     std::size_t most);

/// The same of a sample: the copies come first in its order of remoteness.
[[nodiscard]] Company with_copies(Company company, const std::vector<std::uint32_t>& copies,
                                  std::size_t most);

}  // namespace motmot
