// What the exact critic gives on contaminated samples, against exact W1 of the inliers. The bias law (DESIGN
// section 4) predicts for blocks of B = 2 rows and tau = 0.1 a shift of 0.21 sigma_phi per contaminated
// sample (x sqrt 2 for mou and mou_diag), sigma_phi <= 1 here, upwards when outliers lie above the median.
#include "critics/exact_cases.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

using test::Case;
using test::Dirt;
using test::fit;
using test::make_case;
using test::task_for;

/// Mean of value - W1(inliers) over seeds 1 .. 4 at n = m = 300.
double mean_bias(std::size_t d, bool shape, Dirt dirt, Estimator estimator) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Case c = make_case(seed, 300, d, shape, dirt, 0.1);
    sum += fit(task_for(c, estimator, 2, seed)).value - transport(c.inliers_x, c.inliers_y).cost;
  }
  return sum / 4;
}

TEST(ExactAccuracy, FollowsTheBiasLawOnShifts) {
  for (const std::size_t d : {2u, 10u}) {
    for (const Dirt dirt : {Dirt::uniform, Dirt::cluster, Dirt::far}) {
      EXPECT_NEAR(mean_bias(d, false, dirt, Estimator::mom), 0.20, 0.06)
          << d << ' ' << static_cast<int>(dirt);
      EXPECT_NEAR(mean_bias(d, false, dirt, Estimator::mou), 0.28, 0.08)
          << d << ' ' << static_cast<int>(dirt);
      EXPECT_NEAR(mean_bias(d, false, dirt, Estimator::mou_diag), 0.28, 0.08)
          << d << ' ' << static_cast<int>(dirt);
    }
  }
}

TEST(ExactAccuracy, StaysNearTheInliersWhenYOrBothAreDirty) {
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
    EXPECT_LE(std::abs(mean_bias(2, false, Dirt::huge_in_y, estimator)), 0.35) << name(estimator);
    EXPECT_LE(std::abs(mean_bias(2, false, Dirt::uniform_in_both, estimator)), 0.45) << name(estimator);
  }
}

TEST(ExactAccuracy, FollowsTheBiasLawOnShapes) {
  for (const std::size_t d : {2u, 10u})
    for (const Dirt dirt : {Dirt::uniform, Dirt::far})
      EXPECT_NEAR(mean_bias(d, true, dirt, Estimator::mom), 0.12, 0.08) << d << ' ' << static_cast<int>(dirt);
}

TEST(ExactAccuracy, IsTheSameByAdamAndByFrankWolfe) {
  for (const bool shape : {false, true})
    for (const std::size_t d : {2u, 10u}) {
      const Case c = make_case(11, 400, d, shape, Dirt::uniform, 0.1);
      ExactTask task = task_for(c, Estimator::mom, 2);
      task.path = ExactPath::frank_wolfe;
      const double value = fit(task).value;
      task.path = ExactPath::adam;
      EXPECT_NEAR(fit(task).value, value, 0.01 * value) << shape << ' ' << d;
      task.stored_costs = 0;  // costs on the way
      EXPECT_NEAR(fit(task).value, value, 0.01 * value) << shape << ' ' << d;
    }
}

TEST(ExactAccuracy, IsTheSameByAdamAndByFrankWolfeWhenYHasAbsurdRows) {
  const Case c = make_case(12, 400, 2, false, Dirt::huge_in_y, 0.1);
  ExactTask task = task_for(c, Estimator::mom, 2);
  task.path = ExactPath::frank_wolfe;
  const double value = fit(task).value;
  task.path = ExactPath::adam;
  EXPECT_NEAR(fit(task).value, value, 0.01 * value);
  task.stored_costs = 0;
  EXPECT_NEAR(fit(task).value, value, 0.01 * value);
}

}  // namespace
}  // namespace motmot
