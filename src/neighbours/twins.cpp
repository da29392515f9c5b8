#include <algorithm>
#include <array>
#include <bit>
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

std::uint64_t hash_of(std::span<const double> row) {
  std::uint64_t hash = 0;
  for (const double value : row) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0x9e3779b97f4a7c15ull;  // -0.0 is 0
    hash ^= hash >> 32;
  }
  return hash;
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

// A table of the first rows by their hashes, at most half full. Rows of one hash are compared.
std::vector<std::uint32_t> first_identical(PointsView points) {
  constexpr std::uint32_t nobody = ~0u;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * points.n), nobody), first(points.n);
  for (std::uint32_t i = 0; i < points.n; ++i) {
    std::size_t at = hash_of(points.row(i)) & (table.size() - 1);
    while (table[at] != nobody && !std::ranges::equal(points.row(table[at]), points.row(i)))
      at = (at + 1) & (table.size() - 1);
    if (table[at] == nobody) table[at] = i;
    first[i] = table[at];
  }
  return first;
}

Twins find_twins(PointsView points) {
  Twins twins;
  twins.group = first_identical(points);
  std::vector<std::size_t> size(points.n, 0);
  for (const std::uint32_t first : twins.group) ++size[first];
  for (std::uint32_t i = 0; i < points.n; ++i) {
    if (size[i] > 1) twins.rows += size[i];
    if (size[i] <= twins.largest) continue;
    twins.largest = size[i];
    twins.first = i;
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
