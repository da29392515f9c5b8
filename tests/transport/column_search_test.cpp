// Whoever looks for the columns below a bound finds what a pass over all pairs in double finds.
#include "costs/column_search.hpp"

#include <algorithm>
#include <numeric>

#include "support/support.hpp"
#include "transport/rays.hpp"

namespace motmot::test {
namespace {

using solver::ColumnSearch;
using solver::Geometry;

/// Below the bound: all, or more than enough and the smallest among them.
void expect_all_below(const Geometry& geometry, std::span<const double> v, ColumnSearch& search,
                      std::size_t i, double bound) {
  std::vector<std::uint32_t> found(search.below(i, bound).begin(), search.below(i, bound).end());
  std::ranges::sort(found);
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end()) << "a column twice";
  std::vector<std::pair<double, std::uint32_t>> values;
  for (std::uint32_t j = 0; j < geometry.cols(); ++j) values.emplace_back(geometry.cost(i, j) - v[j], j);
  std::ranges::sort(values);
  std::size_t missed = 0, seen = 0;
  for (const auto& [value, j] : values) {
    if (value > bound) break;
    const bool here = std::ranges::binary_search(found, j);
    // Equal ones may stand for each other.
    if (!here && seen + missed < kernels::ray_list && value < values[kernels::ray_list].first - 1e-12)
      ++missed;
    if (here) ++seen;
  }
  EXPECT_EQ(missed, 0u);
}

template <std::size_t d>
void expect_what_a_pass_over_all_pairs_finds() {
  for_each_seed(60, [](Rng& rng) {
    const Points x = points_of_kind(rng, 30 + rng.below(200), d, rng.below(kinds_of_points));
    const Points y = points_of_kind(rng, 30 + rng.below(200), d, rng.below(kinds_of_points));
    std::vector<std::uint32_t> rows(x.rows()), cols(y.rows());
    std::iota(rows.begin(), rows.end(), 0u);
    std::iota(cols.begin(), cols.end(), 0u);
    Geometry geometry;
    geometry.build(x, y, rows, cols, rng.below(2) == 0, rng.below(2) == 0);
    solver::Scanner scanner;
    scanner.bind(geometry, solver::Storage::rows, 0);
    std::vector<solver::FlowEntry> flows;
    for (std::uint32_t k = 0; k < 100; ++k)
      flows.push_back({rng.below(static_cast<std::uint32_t>(geometry.rows())),
                       rng.below(static_cast<std::uint32_t>(geometry.cols())), 1 + rng.below(9)});
    std::vector<double> v = normals(rng, geometry.cols());
    for (std::size_t j = 0; j < y.rows(); ++j) v[j] = 0.1 * v[j] - geometry.y().norm[j];
    solver::FlatSearch flat(geometry, scanner);
    solver::TreeSearch<d> tree(geometry);
    tree.build(flows);
    for (ColumnSearch* search : {static_cast<ColumnSearch*>(&flat), static_cast<ColumnSearch*>(&tree)}) {
      search->set(v);
      for (std::size_t i = 0; i < geometry.rows(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t j = 0; j < geometry.cols(); ++j)
          least = std::min(least, geometry.cost(i, j) - v[j]);
        for (const double room : {0.0, 0.01, 1e3})
          expect_all_below(geometry, v, *search, i, least + room * geometry.scale());
      }
    }
  });
}

TEST(ColumnSearch, FindsWhatAPassOverAllPairsFinds) {
  expect_what_a_pass_over_all_pairs_finds<2>();
  expect_what_a_pass_over_all_pairs_finds<3>();
}

}  // namespace
}  // namespace motmot::test
