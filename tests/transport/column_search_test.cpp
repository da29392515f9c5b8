// Whoever looks for the columns below a bound finds what a pass over all pairs in double finds.
#include "costs/column_search.hpp"

#include <algorithm>
#include <numeric>

#include "costs/lines.hpp"
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

// A box with one column, as the last one has where the columns are one more than boxes hold, knows no second
// smallest: there is no limit then to the boxes that may have it, but the number of boxes is one.
TEST(Scanner, FindsInBoxesWhatItFindsInRows) {
  for_each_seed(100, [](Rng& rng) {
    const std::size_t d = 2 + rng.below(2);
    const std::size_t m = solver::Scanner::box_size * (1 + rng.below(40)) + 1 + rng.below(2) * rng.below(31);
    const Points x = gaussian(rng, 40, d), y = gaussian(rng, m, d);
    std::vector<std::uint32_t> rows(x.rows()), cols(m);
    std::iota(rows.begin(), rows.end(), 0u);
    std::iota(cols.begin(), cols.end(), 0u);
    Geometry geometry;
    geometry.build(x, y, rows, solver::neighbour_order(y, cols));
    solver::Scanner boxes, all;
    boxes.bind(geometry, solver::Storage::boxes, 0);
    all.bind(geometry, solver::Storage::rows, 0);
    std::vector<double> v = normals(rng, m);
    for (std::size_t j = 0; j < m; ++j) v[j] = 0.1 * v[j] - geometry.y().norm[j] - 100;
    v[m - 1] += 2;  // most rows look there first
    solver::Prices prices;
    prices.reset(geometry, v);
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const kernels::TwoSmallest in_boxes = boxes.two_smallest(i, prices),
                                 in_rows = all.two_smallest(i, prices);
      EXPECT_LT(in_boxes.at, m);
      EXPECT_NEAR(in_boxes.first, in_rows.first, 1e-4);
      EXPECT_NEAR(in_boxes.second, in_rows.second, 1e-4);
    }
  });
}

TEST(ColumnSearch, FindsWhatAPassOverAllPairsFinds) {
  expect_what_a_pass_over_all_pairs_finds<2>();
  expect_what_a_pass_over_all_pairs_finds<3>();
}

// Refined costs are those of before but for what depends on the row and on the column; float32 misses none of
// them that is below a bound, though many are far smaller than the unit that it had for the distances.
TEST(ColumnSearch, FindsAmongRefinedCostsWhatAPassOverAllPairsFinds) {
  for_each_seed(60, [](Rng& rng) {
    const std::size_t n = 20 + rng.below(150), m = 20 + rng.below(150), d = 1 + rng.below(4);
    Points x = gaussian(rng, n, d), y = gaussian(rng, m, d);
    const double stretch = std::pow(10.0, rng.uniform(0, 8));
    for (std::size_t i = 0; i < n; ++i) x(i, 0) *= stretch;
    for (std::size_t j = 0; j < m; ++j) y(j, 0) *= stretch;
    std::vector<std::uint32_t> rows(n), cols(m);
    std::iota(rows.begin(), rows.end(), 0u);
    std::iota(cols.begin(), cols.end(), 0u);
    Geometry geometry;
    geometry.build(x, y, rows, cols, rng.below(2) == 0, rng.below(2) == 0);
    if (geometry.is_wild()) return;
    const Geometry before = geometry;
    std::vector<double> v(geometry.cols(), 0.0);
    for (std::size_t j = 0; j < m; ++j) v[j] = geometry.scale() * 0.1 * rng.normal() - geometry.y().norm[j];
    geometry.refine(v);
    solver::Scanner scanner;
    scanner.bind(geometry, solver::Storage::stored, 0);
    solver::FlatSearch search(geometry, scanner);
    std::vector<double> more = normals(rng, geometry.cols());
    for (double& value : more) value *= 1e-6 * geometry.scale();
    search.set(more);
    for (std::size_t i = 0; i < geometry.rows(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t j = 0; j < geometry.cols(); ++j) {
        EXPECT_GE(geometry.cost(i, j), -1e-14 * (before.x().largest + before.y().largest));
        least = std::min(least, geometry.cost(i, j) - more[j]);
      }
      for (const double room : {0.0, 1e-9, 1e-6, 1e-2, 1e3})
        expect_all_below(geometry, more, search, i, least + room * geometry.scale());
    }
    std::vector<double> u(geometry.rows(), 0.0), w(geometry.cols(), 0.0);
    geometry.coarsen(u, w);
    EXPECT_FALSE(geometry.refined());
    for (std::size_t j = 0; j < w.size(); ++j)
      EXPECT_NEAR(w[j], v[j], 1e-14 * (before.y().largest + std::abs(v[j])));
    for (std::uint32_t i = 0; i < geometry.rows(); ++i)
      for (std::uint32_t j = 0; j < geometry.cols(); ++j) {
        EXPECT_EQ(geometry.cost(i, j), before.cost(i, j));
        EXPECT_GE(before.cost(i, j) - u[i] - w[j], -1e-13 * (before.x().largest + before.y().largest));
      }
  });
}

// One number beside a flag is on lines, one column that rules is close to lines, the plane is neither.
TEST(Surroundings, TellLinesFromPlanes) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 400 + rng.below(2000);
    const auto look = [&](const auto& change) {
      Points points = gaussian(rng, n, 2);
      for (std::size_t i = 0; i < n; ++i) change(points, i);
      std::vector<std::uint32_t> all(n);
      std::iota(all.begin(), all.end(), 0u);
      Geometry geometry;
      geometry.build(points, points, all, all);
      return solver::surroundings(geometry);
    };
    const auto flags = look([](Points& points, std::size_t i) { points(i, 1) = points(i, 1) > 0 ? 1 : 0; });
    EXPECT_NEAR(flags.dimension, 1, 0.3);
    EXPECT_LT(flags.thickness, 1e-12);
    const auto units = look([](Points& points, std::size_t i) { points(i, 0) *= 1e4; });
    EXPECT_NEAR(units.dimension, 1, 0.3);
    EXPECT_GT(units.thickness, 1e-6);
    const auto plane = look([](Points&, std::size_t) {});
    EXPECT_NEAR(plane.dimension, 2, 0.55);
    EXPECT_GT(plane.thickness, 0.1);
  });
}

}  // namespace
}  // namespace motmot::test
