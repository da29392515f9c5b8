#include "base/statistics.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/euclidean.hpp"
#include "base/random.hpp"

namespace motmot {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

TEST(Statistics, AgreeWithSortingAndCounting) {
  Rng rng(1, Purpose::toy_x);
  for (std::size_t n = 1; n <= 40; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = rng.below(3) == 0 ? 1.0 : rng.normal();
    std::vector<double> sorted = values, copy = values;
    std::ranges::sort(sorted);
    EXPECT_EQ(upper_median(copy), sorted[n / 2]);
    EXPECT_EQ(median_of(values), (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
    EXPECT_DOUBLE_EQ(median_of(values), sorted_quantile(sorted, 0.5));
    EXPECT_EQ(sorted_quantile(sorted, 0), sorted.front());
    EXPECT_EQ(sorted_quantile(sorted, 1), sorted.back());
  }
  const std::vector<double> values{1, 2, 4, 9};
  EXPECT_EQ(mean_of(values), 4);
  EXPECT_DOUBLE_EQ(sd_of(values, 4), std::sqrt(38.0 / 3));
  EXPECT_EQ(sd_of(std::vector{3.0}, 3), 0);
  EXPECT_DOUBLE_EQ(robust_sd(values, 3), 1.4826022185056018 * 1.5);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.5), 3);
  EXPECT_NEAR(upper_share(0.1, 900), 0.1 + 0.01645, 1e-15);
}

TEST(Statistics, MedianOfTwoHugeValuesDoesNotOverflow) {
  EXPECT_EQ(median_of({largest, largest}), largest);
  EXPECT_EQ(median_of({-largest, largest}), 0);
}

TEST(Euclidean, AgreesWithHypotWhereverSquaresLeaveTheRange) {
  for (const double unit : {1.0, 1e-150, 1e-160, 1e-300, 1e-310, 1e140, 1e155, 1e300}) {
    const std::vector<double> p{3 * unit, 0}, q{0, 4 * unit};
    EXPECT_NEAR(euclidean(p, q) / unit, std::hypot(p[0] - q[0], p[1] - q[1]) / unit, 1e-12) << unit;
  }
  EXPECT_EQ(euclidean(std::vector{tiny}, std::vector{0.0}), tiny);
  EXPECT_EQ(euclidean(std::vector{1e308}, std::vector{5e307}), 5e307);
  EXPECT_EQ(euclidean(std::vector{2.0, 1e308}, std::vector{2.0, 1e308}), 0);
}

TEST(Euclidean, IsTheLargestDoubleForADistanceBeyondIt) {
  EXPECT_EQ(euclidean(std::vector{largest}, std::vector{-largest}), largest);
  EXPECT_EQ(euclidean(std::vector(9, 1e308), std::vector(9, -1e308)), largest);
}

}  // namespace
}  // namespace motmot
