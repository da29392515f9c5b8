#include "motmot/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using test::gaussian;

Frame frame_of(const Points& points) {
  Frame frame{.columns = std::vector<Column>(points.cols())};
  for (std::size_t j = 0; j < points.cols(); ++j) {
    frame.columns[j].name = "c" + std::to_string(j + 1);
    for (std::size_t i = 0; i < points.rows(); ++i) frame.columns[j].numbers.push_back(points(i, j));
  }
  return frame;
}

TEST(SlicedW1, IsW1OnALine) {
  for_each_seed(30, [](Rng& rng) {
    const Points x = gaussian(rng, 1 + rng.below(20), 1), y = gaussian(rng, 1 + rng.below(20), 1, 1);
    EXPECT_NEAR(sliced_w1(x, y), transport(x, y).cost, 1e-12);
  });
}

// Along a direction u a shift by v is |u v|, whose mean over the circle is 2 |v| / pi.
TEST(SlicedW1, OfAShiftInThePlaneIsTwoOverPiOfIt) {
  Rng rng(1, Purpose::test);
  const Points x = gaussian(rng, 50, 2);
  Points y = x;
  for (std::size_t i = 0; i < y.rows(); ++i) y(i, 1) += 3;
  EXPECT_NEAR(sliced_w1(x, y, 4000, 5), 3 * 2 / M_PI, 0.05);
  EXPECT_LE(sliced_w1(x, y), transport(x, y).cost);
  EXPECT_EQ(sliced_w1(x, x), 0);
}

TEST(Compare, HasTheSameValuesForAnyNumberOfThreads) {
  Rng rng(2, Purpose::test);
  const Frame x = frame_of(gaussian(rng, 60, 2)), y = frame_of(gaussian(rng, 50, 2, 1));
  const Comparison one = compare(x, y, {.stress = true, .threads = 1});
  for (const std::size_t threads : {2u, 3u}) {
    const Comparison other = compare(x, y, {.stress = true, .threads = threads});
    ASSERT_EQ(one.methods.size(), 8u);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(one.methods[k].value, other.methods[k].value);
      for (std::size_t s = 0; s < 3; ++s)
        EXPECT_EQ(one.methods[k].stress[s].value, other.methods[k].stress[s].value);
    }
  }
}

// Counts: partial transport takes the few that differ for wrong, and rounding alone is left of its bound.
TEST(Compare, WhatRoundingLeavesOfZeroIsZeroAndIsNotMoved) {
  Rng rng(4, Purpose::test);
  const auto counts = [&](std::size_t n, double largest) {
    Points points(n, 1);
    for (std::size_t i = 0; i < n; ++i) points(i, 0) = std::floor(largest * rng.uniform() * rng.uniform());
    return frame_of(points);
  };
  const Comparison c = compare(counts(500, 8), counts(600, 9.2), {.stress = true});
  for (const MethodResult& method : c.methods) {
    EXPECT_TRUE(method.value == 0 || method.value > 1e-9) << name(method.method) << " " << method.value;
    for (const Stressed& stressed : method.stress) {
      EXPECT_TRUE(stressed.value == 0 || stressed.value > 1e-9) << name(method.method);
      EXPECT_EQ(stressed.movement.has_value(), method.value > 0) << name(method.method);
      EXPECT_LT(stressed.movement.value_or(0), 1e6);
    }
  }
  const auto partial = std::ranges::find(c.methods, Method::partial, &MethodResult::method);
  ASSERT_EQ(partial->value, 0);
  const std::string said = text(c), line = said.substr(said.find("  partial"));
  EXPECT_EQ(std::ranges::count(line.substr(0, line.find('\n')), '-'), 3) << line;
}

TEST(Compare, DirtRuinsWhatTrustsEveryRowAndNotTheAnswer) {
  Rng rng(3, Purpose::test);
  const Frame x = frame_of(gaussian(rng, 100, 2)), y = frame_of(gaussian(rng, 100, 2, 2));
  const Comparison c = compare(x, y, {.stress = true});
  ASSERT_EQ(c.planted.size(), 3u);
  EXPECT_EQ(c.planted[0].what, "c1 typed as -999");
  EXPECT_EQ(c.planted[0].rows, 10u);
  for (const MethodResult& method : c.methods) {
    const bool trusts = method.method == Method::plain || method.method == Method::sliced;
    EXPECT_TRUE(!trusts || *method.stress[0].movement > 5) << name(method.method);
    for (const Stressed& stressed : method.stress) {
      EXPECT_TRUE(method.method != Method::company || std::abs(*stressed.movement) < 0.1)
          << name(stressed.dirt);
    }
  }
}

TEST(Compare, SentinelsLieOutsideOfTheData) {
  Rng rng(4, Purpose::test);
  Points wide = gaussian(rng, 40, 1);
  for (std::size_t i = 0; i < 40; ++i) wide(i, 0) *= 2000;
  const Comparison c = compare(frame_of(wide), frame_of(wide), {.tau = 0.2, .stress = true});
  EXPECT_EQ(c.planted[0].what, "c1 typed as -99999");
}

TEST(Compare, ComplainsInOneSentence) {
  const Frame x = frame_of(Points({1, 2, 3, 4, 5}, 1));
  EXPECT_EQ(error_of([&] { (void)compare(x, x, {.tau = 0.6}); }), "tau must lie in [0, 1/2), got 0.6");
  EXPECT_EQ(
      error_of([&] { (void)compare(x, x, {.tau = 0.1, .stress = true}); }),
      "--stress has no room: at most 0 of the 5 rows of X may be wrong, and 0 stand alone already; a larger "
      "--tau makes some");
}

}  // namespace
}  // namespace motmot
