#include "matrix/arrange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "base/euclidean.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;
using test::gaussian;
using test::uniforms;

std::vector<double> distances_of(const Points& points) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t j = 0; j < points.rows(); ++j)
      distances.push_back(euclidean(points.row(i), points.row(j)));
  return distances;
}

std::vector<std::size_t> members(std::span<const Merge> merges, std::size_t n, std::size_t name) {
  if (name < n) return {name};
  std::vector<std::size_t> all = members(merges, n, merges[name - n].first);
  for (const std::size_t k : members(merges, n, merges[name - n].second)) all.push_back(k);
  return all;
}

TEST(AverageLinkage, HeightsAreMeanDistancesAndRise) {
  for_each_seed(30, [](Rng& rng) {
    const std::size_t n = 2 + rng.below(12);
    const std::vector<double> distances = distances_of(gaussian(rng, n, 2));
    const std::vector<Merge> merges = average_linkage(distances, n);
    ASSERT_EQ(merges.size(), n - 1);
    double last = 0;
    for (const Merge& merge : merges) {
      const auto a = members(merges, n, merge.first), b = members(merges, n, merge.second);
      double mean = 0;
      for (const std::size_t i : a)
        for (const std::size_t j : b) mean += distances[i * n + j] / static_cast<double>(a.size() * b.size());
      EXPECT_NEAR(merge.height, mean, 1e-12);
      EXPECT_EQ(merge.size, a.size() + b.size());
      EXPECT_GE(merge.height, last - 1e-12);
      last = merge.height;
    }
    const std::vector<std::size_t> order = leaf_order(merges, n);
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), n);
    for (std::size_t k = 0; k < merges.size(); ++k) {  // no branches cross: a cluster is a run of the order
      std::set<std::size_t> places;
      for (const std::size_t i : members(merges, n, n + k))
        places.insert(static_cast<std::size_t>(std::ranges::find(order, i) - order.begin()));
      EXPECT_EQ(*places.rbegin() - *places.begin() + 1, places.size());
    }
  });
}

TEST(PlaneMap, KeepsDistancesOfPointsInThePlane) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 3 + rng.below(20);
    const std::vector<double> distances = distances_of(gaussian(rng, n, 2));
    const PlaneMap map = plane_map(distances, n);
    EXPECT_NEAR(map.share, 1, 1e-9);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(std::hypot(map.points[i].x - map.points[j].x, map.points[i].y - map.points[j].y),
                    distances[i * n + j], 1e-7);
  });
}

TEST(PlaneMap, SamplesThatCoincideLieInOnePlace) {
  const PlaneMap map = plane_map(std::vector<double>(9, 0.0), 3);
  for (const MapPoint& point : map.points) EXPECT_EQ(std::hypot(point.x, point.y), 0);
}

/// The definition: reject the largest k with p_(k) <= k alpha / m; q is the least alpha that rejects.
double plain_false_share(const std::vector<double>& p, std::size_t which) {
  double least = 1;
  for (const double level : p) {
    if (level < p[which]) continue;
    const auto at_most = std::ranges::count_if(p, [&](double other) { return other <= level; });
    least = std::min(least, level * static_cast<double>(p.size()) / static_cast<double>(at_most));
  }
  return least;
}

TEST(FalseShares, AgreeWithTheDefinition) {
  for_each_seed(50, [](Rng& rng) {
    std::vector<double> p = uniforms(rng, 1 + rng.below(30), 0, 1);
    for (double& value : p) value = std::round(20 * value * value) / 20;  // with ties
    const std::vector<double> q = false_shares(p);
    for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(q[k], plain_false_share(p, k), 1e-15);
  });
}

}  // namespace
}  // namespace motmot
