#include "answer/copies.hpp"

#include <algorithm>
#include <iterator>

namespace motmot {

bool one_row_repeats(const Twins& twins) {
  return twins.largest > 1 && twins.rows - twins.largest <= twins.group.size() / 20;
}

std::vector<std::uint32_t> copies_of_a_row(PointsView points, PointsView other) {
  const Twins twins = find_twins(points);
  const std::size_t fewest = std::max<std::size_t>(4, points.n / 100);
  if (points.d == 1 || twins.largest < fewest || !one_row_repeats(twins)) return {};
  for (std::size_t j = 0; j < other.n; ++j)
    if (std::ranges::equal(other.row(j), points.row(twins.first))) return {};
  std::vector<std::uint32_t> copies;
  for (std::uint32_t i = twins.first + 1; i < points.n; ++i)
    if (twins.group[i] == twins.first) copies.push_back(i);
  return copies;
}

std::vector<std::uint32_t> with_copies(const std::vector<std::uint32_t>& left_out,
                                       const std::vector<std::uint32_t>& copies, std::size_t most) {
  std::vector<std::uint32_t> both;
  std::ranges::set_union(left_out, copies, std::back_inserter(both));
  return both.size() <= most ? both : left_out;
}

Company with_copies(Company company, const std::vector<std::uint32_t>& copies, std::size_t most) {
  company.left_out = with_copies(company.left_out, copies, most);
  std::vector<std::uint32_t>& rows = company.by_remoteness;
  std::stable_partition(rows.begin(), rows.end(),
                        [&](std::uint32_t row) { return std::ranges::binary_search(company.left_out, row); });
  return company;
}

}  // namespace motmot
