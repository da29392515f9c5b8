#include "data/robust_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/statistics.hpp"
#include "data/radix_medians.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using test::gaussian;

// The definition, by sorting, in long double.
RobustScale plain_robust_scale(PointsView x, PointsView y) {
  const auto median = [](std::vector<long double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  };
  std::vector<std::vector<long double>> rows;
  for (std::size_t i = 0; i < x.rows(); ++i) rows.emplace_back(x.row(i).begin(), x.row(i).end());
  for (std::size_t i = 0; i < y.rows(); ++i) rows.emplace_back(y.row(i).begin(), y.row(i).end());
  RobustScale result;
  for (std::size_t j = 0; j < x.cols(); ++j) {
    std::vector<long double> column;
    for (const auto& row : rows) column.push_back(row[j]);
    result.centre.push_back(static_cast<double>(median(column)));
  }
  std::vector<long double> distances;
  for (const auto& row : rows) {
    long double sum = 0;
    for (std::size_t j = 0; j < x.cols(); ++j)
      sum += (row[j] - result.centre[j]) * (row[j] - result.centre[j]);
    distances.push_back(std::sqrt(sum));
  }
  result.scale = static_cast<double>(median(distances));
  return result;
}

TEST(RobustScale, AgreesWithItsDefinitionFromTinyToHuge) {
  for_each_seed(300, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(20);
    Points x = gaussian(rng, rng.below(30), d);
    Points y = gaussian(rng, 1 + rng.below(30), d, 2);
    const double unit = std::array{1.0, 1e16, 1e-12, 1e300, 1e-300, 5e307}[rng.below(6)];
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < points->rows(); ++i)
        for (double& value : points->row(i)) value *= unit / 4;
    const RobustScale fast = robust_scale(x, y);
    const RobustScale plain = plain_robust_scale(x, y);
    EXPECT_EQ(fast.centre, plain.centre);
    EXPECT_NEAR(fast.scale / plain.scale, 1, 1e-14);
  });
}

TEST(RobustScale, DoesNotFollowOutliers) {
  for_each_seed(50, [](Rng& rng) {
    const Points clean = gaussian(rng, 200, 3);
    Points dirty = clean;
    for (std::size_t i = 0; i < 60; ++i)
      for (double& value : dirty.row(i)) value = std::array{1e300, 1e16, -1e308}[rng.below(3)];
    const RobustScale scale = robust_scale(dirty, clean);
    EXPECT_GT(scale.scale, 0.5);
    EXPECT_LT(scale.scale, 5);
    for (const double centre : scale.centre) EXPECT_LT(std::abs(centre), 1);
    for (const double value : scaled(dirty, scale).values()) EXPECT_TRUE(std::isfinite(value));
  });
}

TEST(RobustScale, KeepsTheDigitsOfTimestamps) {
  Rng rng(1, Purpose::test);
  Points x = gaussian(rng, 101, 1);
  for (std::size_t i = 0; i < x.rows(); ++i) x(i, 0) += 1.7e9;
  const RobustScale scale = robust_scale(x, x);
  const Points z = scaled(x, scale);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double back = static_cast<double>(static_cast<float>(z(i, 0))) * scale.scale + scale.centre[0];
    EXPECT_NEAR(back, x(i, 0), 1e-6);  // float32 alone would be off by 64
  }
}

TEST(RobustScale, FallsBackWhenMostRowsCoincide) {
  const auto scale_of = [](std::vector<double> values) {
    return robust_scale(Points(values, 1), Points(0, 1)).scale;
  };
  EXPECT_EQ(scale_of({1, 1, 1, 1, 1, 3, 9}), 2);
  EXPECT_EQ(scale_of({1, 1, 1}), 1);
  EXPECT_EQ(scale_of({0, 0, 0, 0, 5e-324}), 5e-324);
  EXPECT_EQ(scale_of({0, 0, -0.0, 0, -0.0}), 1);
  const double max = std::numeric_limits<double>::max();  // a row further away than any double counts as max
  EXPECT_EQ(robust_scale(Points({0, 0, 0, 0, 0, 0, max, max}, 2), Points(0, 2)).scale, max);
}

TEST(RobustScale, StaysFiniteAtTheEdgeOfTheRange) {
  const double max = std::numeric_limits<double>::max();
  const Points x({-max, max, max, max, -max, 0}, 2);
  const RobustScale scale = robust_scale(x, x);
  EXPECT_TRUE(std::isfinite(scale.scale));
  for (const double value : scaled(x, scale).values()) EXPECT_TRUE(std::isfinite(value));
  const Points far({max, -max}, 1);
  EXPECT_EQ(scaled(far, {.centre = {-max}, .scale = 1}).values(), (std::vector<double>{max, 0}));
  EXPECT_EQ(scaled(far, {.centre = {0}, .scale = 1e-300}).values(), (std::vector<double>{max, -max}));
  EXPECT_EQ(scaled(far, {.centre = {-max}, .scale = max}).values(), (std::vector<double>{2, 0}));
}

// Denormals, both zeros, offsets, the edge of the range, and any mixture of them.
TEST(RobustScale, KeepsEveryFiniteSampleFinite) {
  for_each_seed(2000, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(4);
    const double max = std::numeric_limits<double>::max();
    const double offset = std::array{0.0, 1.7e9, 1e16, -1e300, 1e308}[rng.below(5)];
    const double unit = std::array{1.0, 1e-12, 1e-300, 1e-320, 1e300, 4e307}[rng.below(6)];
    const bool mixed = rng.below(2) == 0;
    const auto value = [&]() -> double {
      if (mixed && rng.below(3) == 0)
        return std::array{0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, max, -max, 2.2e-308}[rng.below(9)];
      return std::clamp(offset + unit * rng.normal(), -max, max);
    };
    Points x(rng.below(8), d);
    Points y(1 + rng.below(8), d);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < points->rows(); ++i)
        for (double& coordinate : points->row(i)) coordinate = value();
    const RobustScale by = robust_scale(x, y);
    EXPECT_TRUE(std::isfinite(by.scale) && by.scale > 0) << by.scale;
    for (const double centre : by.centre) EXPECT_TRUE(std::isfinite(centre));
    for (const Points* points : {&x, &y}) {
      for (const double z : scaled(*points, by).values()) EXPECT_TRUE(std::isfinite(z));
    }
  });
}

// Powers of two scale without rounding, so that the scaled sample is the same but for the last bit.
TEST(RobustScale, CancelsTheUnitOfTheData) {
  for_each_seed(200, [](Rng& rng) {
    const Points x = gaussian(rng, 1 + rng.below(20), 3);
    const Points y = gaussian(rng, 1 + rng.below(20), 3, 2);
    const double unit = std::array{0x1p1000, 0x1p-900, 0x1p60, -0x1p3}[rng.below(4)];
    const auto in_units = [&](const Points& points) {
      Points other = points;
      for (std::size_t i = 0; i < other.rows(); ++i)
        for (double& value : other.row(i)) value *= unit;
      return other;
    };
    const RobustScale by = robust_scale(x, y);
    const RobustScale other = robust_scale(in_units(x), in_units(y));
    EXPECT_NEAR(other.scale / by.scale / std::abs(unit), 1, 1e-15);
    const Points z = scaled(x, by);
    const Points other_z = scaled(in_units(x), other);
    for (std::size_t k = 0; k < z.values().size(); ++k)
      EXPECT_NEAR(other_z.values()[k], std::copysign(1, unit) * z.values()[k],
                  1e-15 * std::abs(z.values()[k]));
  });
}

TEST(RobustScale, RefusesWhatHasNoMedian) {
  const Points x({1, 2}, 2);
  EXPECT_EQ(error_of([&] { static_cast<void>(robust_scale(x, Points(1, 1))); }),
            "x has 2 columns and y has 1; they must agree");
  EXPECT_EQ(error_of([&] { static_cast<void>(robust_scale(Points(0, 2), Points(0, 2))); }),
            "a robust scale needs at least one row");
  EXPECT_EQ(error_of([&] {
              static_cast<void>(robust_scale(x, Points({1, std::nan("")}, 2)));
            }),
            "row 1, column 2 of y is nan; values must be finite");
  EXPECT_EQ(error_of([&] { static_cast<void>(scaled(x, {.centre = {0}})); }),
            "points of dimension 2 cannot be scaled by a centre of dimension 1");
}

// The plain twin is median_of() of each column.
TEST(RadixMedians, AreTheMediansOfTheColumns) {
  test::for_each_seed(40, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(60), m = rng.below(60), d = 1 + rng.below(70);
    const auto value = [&] {
      switch (rng.below(5)) {
        case 0:
          return static_cast<double>(rng.below(3)) - 1;  // ties, zeros
        case 1:
          return rng.normal() * 1e300;
        case 2:
          return rng.normal() * 1e-310;  // below the normal numbers
        default:
          return rng.normal();
      }
    };
    Points x(n, d), y(m, d);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < points->rows(); ++i)
        for (std::size_t j = 0; j < d; ++j) (*points)(i, j) = value();
    const std::vector<double> medians = radix_medians(x, y);
    for (std::size_t j = 0; j < d; ++j) {
      std::vector<double> column;
      for (const Points* points : {&x, &y})
        for (std::size_t i = 0; i < points->rows(); ++i) column.push_back((*points)(i, j));
      EXPECT_EQ(medians[j], median_of(column));
    }
  });
}

}  // namespace
}  // namespace motmot
