#include <algorithm>
#include <array>
#include <numeric>

#include "neighbours/neighbours.hpp"

namespace motmot {

namespace {

/// By the first column, then the second, ...; identical rows by their numbers.
std::vector<std::uint32_t> order_by_coordinates(PointsView points) {
  std::vector<std::uint32_t> order(points.n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    const auto p = points.row(i), q = points.row(j);
    const auto [here, there] = std::ranges::mismatch(p, q);
    return here == p.end() ? i < j : *here < *there;
  });
  return order;
}

}  // namespace

std::vector<std::uint32_t> spread_rows(PointsView points, std::size_t count) {
  count = std::min(count, points.n);
  const std::vector<std::uint32_t> order = order_by_coordinates(points);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(order[(2 * i + 1) * points.n / (2 * count)]);
  std::ranges::sort(rows);
  return rows;
}

Twins find_twins(PointsView points) {
  const auto same = [&](std::uint32_t i, std::uint32_t j) {
    return std::ranges::equal(points.row(i), points.row(j));
  };
  const std::vector<std::uint32_t> order = order_by_coordinates(points);
  Twins twins;
  twins.group.resize(points.n);
  for (std::size_t from = 0, to = 0; from < points.n; from = to) {
    const std::uint32_t first = order[from];  // the smallest number of its group
    for (to = from; to < points.n && same(first, order[to]); ++to) twins.group[order[to]] = first;
    const std::size_t size = to - from;
    if (size > 1) twins.rows += size;
    if (size > twins.largest || (size == twins.largest && (from == 0 || first < twins.first))) {
      twins.largest = size;
      twins.first = first;
    }
  }
  return twins;
}

std::vector<double> nearest_distinct(PointsView points, const Twins& twins, Team& team,
                                     const Progress& progress) {
  std::vector<double> distinct;
  std::vector<std::uint32_t> place(points.n);  // of the first row of each group among the distinct rows
  for (std::uint32_t i = 0; i < points.n; ++i) {
    if (twins.group[i] != i) continue;
    place[i] = static_cast<std::uint32_t>(distinct.size() / points.d);
    distinct.insert(distinct.end(), points.row(i).begin(), points.row(i).end());
  }
  const PointsView view{distinct.data(), distinct.size() / points.d, points.d};
  if (view.n == 1) return std::vector<double>(points.n);
  constexpr std::array<std::size_t, 1> next{1};
  const auto found = kth_distances(view, next, team, progress);
  if (found.empty()) return {};
  std::vector<double> nearest(points.n);
  for (std::size_t i = 0; i < points.n; ++i) nearest[i] = found.front()[place[twins.group[i]]];
  return nearest;
}

}  // namespace motmot
