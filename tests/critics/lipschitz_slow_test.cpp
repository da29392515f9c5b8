// Analytic cases: what the critic finds against distances known in closed form, with fixed seeds. Shifts need
// an affine critic and are tight; elsewhere a network of this size loses some percent of the distance.
#include <numbers>

#include "critics/lipschitz.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

LipschitzFit fit(const Points& x, const Points& y, std::size_t k, Standard standard, std::uint64_t seed) {
  Team team(1);
  return fit_lipschitz({.x = whole(x),
                        .y = whole(y),
                        .standard = std::move(standard),
                        .plan = {.k_x = k, .k_y = k, .b_x = x.rows() / k, .b_y = y.rows() / k},
                        .steps = 500,
                        .seed = seed},
                       team, {});
}

TEST(LipschitzSlow, FindsAShiftOfGaussiansWithin3PercentInAnyDimension) {
  for (const std::size_t d : {2u, 10u, 50u}) {
    Rng rng_x(d, Purpose::toy_x), rng_y(d, Purpose::toy_y);
    const Points x = test::gaussian(rng_x, 1000, d), y = test::gaussian(rng_y, 1000, d, 5);
    const double truth = std::sqrt(25.0 * static_cast<double>(d));
    const LipschitzFit result = fit(x, y, 121, {std::vector<double>(d, 2.5), truth / 2}, 1);
    EXPECT_NEAR(result.value, truth, 0.03 * truth) << "d = " << d;
    EXPECT_LE(result.lipschitz, 1 + 1e-6);
  }
}

// The same shift with 5 % of X uniform on [-50, 50]^d, B = 3. The bias law of the median bounds what is left.
TEST(LipschitzSlow, FindsAShiftAmongOutliers) {
  for (const std::size_t d : {2u, 10u, 50u}) {
    Rng rng_x(d, Purpose::toy_x), rng_y(d, Purpose::toy_y);
    Points x = test::gaussian(rng_x, 1000, d);
    const Points y = test::gaussian(rng_y, 1000, d, std::sqrt(50.0 / static_cast<double>(d)));
    for (std::size_t i = 0; i < 50; ++i)
      for (double& value : x.row(i)) value = rng_x.uniform(-50, 50);
    const LipschitzFit result = fit(x, y, 333, {.centre = {}, .scale = 5}, 1);
    EXPECT_NEAR(result.value, std::sqrt(50.0), 0.05 * std::sqrt(50.0)) << "d = " << d;
  }
}

// N(0, 1) against N(0, 4) on the line: the critic is -|x|, W1 = E|Z| = sqrt(2 / pi).
TEST(LipschitzSlow, FindsTheAbsoluteValueOnTheLine) {
  Rng rng_x(1, Purpose::toy_x), rng_y(1, Purpose::toy_y);
  const Points x = test::gaussian(rng_x, 2000, 1);
  std::vector<double> wide = test::normals(rng_y, 2000);
  for (double& value : wide) value *= 2;
  const double truth = std::sqrt(2 / std::numbers::pi);
  EXPECT_NEAR(fit(x, Points(wide, 1), 101, {}, 1).value, truth, 0.05 * truth);
}

// N(0, I) against N(0, 4 I): the critic is -|x|, W1 = E|Z| = 1.2533, 3.0843.
TEST(LipschitzSlow, FindsAChangeOfScale) {
  for (const auto& [d, truth] : {std::pair{2u, 1.2533}, {10u, 3.0843}}) {
    Rng rng_x(d, Purpose::toy_x), rng_y(d, Purpose::toy_y);
    const Points x = test::gaussian(rng_x, 2000, d);
    std::vector<double> wide = test::normals(rng_y, 2000 * d);
    for (double& value : wide) value *= 2;
    const LipschitzFit result = fit(x, Points(wide, d), 101, {.centre = {}, .scale = std::sqrt(d)}, 1);
    EXPECT_NEAR(result.value, truth, 0.06 * truth) << "d = " << d;
  }
}

// Three cones (Anil, Lucas and Grosse, 2019, Section 5.1): X sits on the points (-2, 0), (0, 0), (2, 0), Y on
// the circles of radius 1 around them. No point of a centre is nearer than 1 to any circle and each mass can
// move to its own, so W1 = 1; the critic is minus the distance to the nearest centre.
TEST(LipschitzSlow, FindsThreeCones) {
  Rng rng_x(1, Purpose::toy_x), rng_y(1, Purpose::toy_y);
  Points x(1500, 2), y(1500, 2);
  for (std::size_t i = 0; i < 1500; ++i) {
    const double angle = rng_y.uniform(0, 2 * std::numbers::pi);
    x(i, 0) = 2.0 * (i % 3) - 2;
    y(i, 0) = x(i, 0) + std::cos(angle);
    y(i, 1) = std::sin(angle);
  }
  const LipschitzFit result = fit(x, y, 11, {.centre = {}, .scale = 2}, 1);
  EXPECT_NEAR(result.value, 1, 0.08);
}

// Mini-blocks are blocks: a critic fitted on them has the value of one that saw all blocks at every step.
TEST(LipschitzSlow, FitsMiniBlocksAsWellAsAllBlocks) {
  Rng rng_x(9, Purpose::toy_x), rng_y(9, Purpose::toy_y);
  const Points x = test::gaussian(rng_x, 8000, 3);
  std::vector<double> wide = test::normals(rng_y, 8000 * 3);
  for (double& value : wide) value *= 2;
  const Points y(wide, 3);
  LipschitzTask task;
  task.x = whole(x);
  task.y = whole(y);
  task.plan = {.k_x = 1001, .k_y = 1001, .b_x = 7, .b_y = 7};
  task.hidden = {32, 32};
  task.steps = 500;
  Team team(1);
  const double all = fit_lipschitz(task, team, {}).value;
  task.mini_above = 2000;
  task.mini_rows = 1000;
  EXPECT_TRUE(step_plan(task, task.plan).mini);
  EXPECT_NEAR(fit_lipschitz(task, team, {}).value, all, 0.01 * all);
}

}  // namespace
}  // namespace motmot
