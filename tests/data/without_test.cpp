#include "data/without.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/support.hpp"

namespace motmot::test {
namespace {

TEST(Without, KeepsTheOtherRowsInTheirOrder) {
  for_each_seed(200, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(12), d = 1 + rng.below(3);
    Points points(n, d);
    std::vector<std::uint32_t> dropped;
    std::vector<double> expected;
    for (std::size_t i = 0; i < n; ++i) {
      for (double& value : points.row(i)) value = rng.normal();
      if (rng.below(3) == 0) dropped.push_back(static_cast<std::uint32_t>(i));
      else expected.insert(expected.end(), points.row(i).begin(), points.row(i).end());
    }
    const Points kept = without(points, dropped);
    EXPECT_EQ(kept.rows(), n - dropped.size());
    EXPECT_EQ(kept.values(), expected);
    const std::vector<std::uint32_t> rows = rows_without(n, dropped);
    ASSERT_EQ(rows.size(), kept.rows());
    for (std::size_t k = 0; k < rows.size(); ++k)
      EXPECT_TRUE(std::ranges::equal(points.row(rows[k]), kept.row(k)));
  });
}

}  // namespace
}  // namespace motmot::test
