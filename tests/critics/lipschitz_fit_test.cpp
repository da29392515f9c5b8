#include <array>

#include "critics/lipschitz.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

struct Samples {
  Points x, y;
};

Samples shifted(std::uint64_t seed, std::size_t n, std::size_t m, std::size_t d, double shift) {
  Rng rng_x(seed, Purpose::toy_x), rng_y(seed, Purpose::toy_y);
  return {test::gaussian(rng_x, n, d), test::gaussian(rng_y, m, d, shift)};
}

BlockPlan plan_of(std::size_t n, std::size_t k_x, std::size_t m, std::size_t k_y) {
  return {.k_x = k_x, .k_y = k_y, .b_x = n / k_x, .b_y = m / k_y};
}

/// A small task that ends in a tenth of a second.
LipschitzTask small_task(const Samples& s) {
  return {.x = whole(s.x),
          .y = whole(s.y),
          .standard = {.centre = std::vector<double>(s.x.cols(), 1.0), .scale = 2},
          .plan = plan_of(s.x.rows(), 31, s.y.rows(), 31),
          .hidden = {16, 16},
          .steps = 150,
          .draws = 100,
          .seed = 5};
}

LipschitzFit fit(const LipschitzTask& task, std::size_t threads = 1) {
  Team team(threads);
  return fit_lipschitz(task, team, {});
}

TEST(FitLipschitz, FindsAShiftWithEveryEstimatorAndScheme) {
  const Samples s = shifted(1, 300, 260, 2, 3);
  const double truth = 3 * std::sqrt(2.0);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou_diag, Estimator::mou}) {
    for (const Scheme scheme : {Scheme::partition, Scheme::shuffle, Scheme::swor}) {
      LipschitzTask task = small_task(s);
      task.estimator = estimator;
      task.plan.scheme = scheme;
      EXPECT_NEAR(fit(task).value, truth, 0.05 * truth) << name(estimator) << ", " << name(scheme);
    }
  }
  LipschitzTask task = small_task(s);
  task.estimator = Estimator::mou;
  task.plan = {.scheme = Scheme::pairs, .k_x = 31, .k_y = 31, .b_x = 9, .b_y = 9};
  EXPECT_NEAR(fit(task).value, truth, 0.05 * truth);
  task.estimator = Estimator::plain;
  task.plan = plan_of(300, 1, 260, 1);
  EXPECT_NEAR(fit(task).value, truth, 0.05 * truth);
}

TEST(FitLipschitz, HasTheSameBitsForAnyNumberOfThreads) {
  const Samples s = shifted(2, 500, 430, 5, 1);
  for (const std::size_t above : {std::size_t{8192}, std::size_t{300}}) {
    LipschitzTask task = small_task(s);
    task.mini_above = above;
    task.mini_rows = 200;
    task.held_out = true;
    task.steps = 60;
    const LipschitzFit one = fit(task, 1);
    for (const std::size_t threads : {2u, 3u, 7u}) {
      const LipschitzFit many = fit(task, threads);
      EXPECT_EQ(many.value, one.value);
      EXPECT_EQ(many.held_out, one.held_out);
      EXPECT_TRUE(std::ranges::equal(many.network.weights(), one.network.weights()));
    }
  }
}

// Large samples are looked at where they lie, in memory or in a file. Same bits as with a copy.
TEST(FitLipschitz, HasTheSameBitsWithoutACopyOfTheSamples) {
  const Samples s = shifted(6, 900, 800, 5, 1);
  const test::TempDir folder;
  write_npy(folder / "x.npy", s.x);
  write_npy(folder / "y.npy", s.y);
  const MappedPoints x = map_points(folder / "x.npy"), y = map_points(folder / "y.npy");
  for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor}) {
    LipschitzTask task = small_task(s);
    task.plan.scheme = scheme;
    task.mini_above = 300;
    task.mini_rows = 200;
    task.held_out = true;
    task.steps = 60;
    const LipschitzFit copied = fit(task);
    task.copy_values = 0;
    const LipschitzFit in_place = fit(task, 3);
    task.x = whole(x);
    task.y = whole(y);
    const LipschitzFit mapped = fit(task, 2);
    for (const LipschitzFit* other : {&in_place, &mapped}) {
      EXPECT_EQ(other->value, copied.value) << name(scheme);
      EXPECT_EQ(other->held_out, copied.held_out);
      EXPECT_EQ(other->phi_x, copied.phi_x);
      EXPECT_TRUE(std::ranges::equal(other->network.weights(), copied.network.weights()));
    }
  }
}

TEST(FitLipschitz, IsNotMovedByFarOutliers) {
  const Samples clean = shifted(3, 400, 400, 3, 2);
  const double truth = 2 * std::sqrt(3.0);
  for (const double far : {1e3, 1e16, 1e300, 1.7e308}) {
    Samples s = clean;
    for (std::size_t i = 0; i < 12; ++i) {
      s.x(i, i % 3) = i % 2 == 0 ? far : -far;
      s.y(i, (i + 1) % 3) = far;
    }
    LipschitzTask task = small_task(s);
    task.plan = plan_of(400, 133, 400, 133);  // B = 3, one block in eleven dirty
    const LipschitzFit result = fit(task);
    EXPECT_NEAR(result.value, truth, 0.08 * truth) << "outliers at " << far;
    EXPECT_LE(result.lipschitz, 1 + 1e-6);
    EXPECT_TRUE(std::ranges::all_of(result.phi_x, [](double phi) { return std::isfinite(phi); }));
  }
}

TEST(FitLipschitz, IsFiniteEvenWhereOutliersRule) {
  Samples s = shifted(3, 60, 60, 2, 2);
  s.x(0, 0) = 1e300;
  LipschitzTask task = small_task(s);
  task.plan = plan_of(60, 1, 60, 1);
  EXPECT_TRUE(std::isfinite(fit(task).value));
}

TEST(FitLipschitz, ReadsAHeldOutValueOnOtherRows) {
  const Samples s = shifted(4, 400, 300, 5, 2);
  LipschitzTask task = small_task(s);
  task.steps = 300;
  task.held_out = true;
  const LipschitzFit result = fit(task);
  ASSERT_TRUE(result.held_out.has_value());
  EXPECT_NEAR(*result.held_out, 2 * std::sqrt(5.0), 0.2);
  // Equal laws: what a critic gains on its own rows it does not gain on others.
  const Samples same = shifted(4, 400, 300, 5, 0);
  task.x = whole(same.x);
  task.y = whole(same.y);
  const LipschitzFit nothing = fit(task);
  EXPECT_GT(nothing.value, 0.1);
  EXPECT_LT(*nothing.held_out, nothing.value / 2);
}

TEST(FitLipschitz, TakesSingleRows) {
  const Samples s = shifted(4, 1, 1, 2, 5);
  LipschitzTask task = small_task(s);
  task.plan = plan_of(1, 1, 1, 1);
  task.held_out = true;
  const LipschitzFit result = fit(task);
  const double truth = std::hypot(s.x(0, 0) - s.y(0, 0), s.x(0, 1) - s.y(0, 1));
  EXPECT_NEAR(result.value, truth, 0.01 * truth);
  EXPECT_FALSE(result.held_out.has_value());
  EXPECT_FALSE(result.stopped);
}

TEST(FitLipschitz, StopsWhenAsked) {
  const Samples s = shifted(5, 100, 100, 2, 1);
  LipschitzTask task = small_task(s);
  task.held_out = true;
  task.steps = 100000;
  Team team(1);
  const LipschitzFit result = fit_lipschitz(task, team, [](double) { return false; });
  EXPECT_TRUE(result.stopped);
  EXPECT_LT(result.steps, 100u);
  EXPECT_FALSE(result.held_out.has_value());
  EXPECT_LE(result.lipschitz, 1 + 1e-6);
}

TEST(FitLipschitz, GivesItsCriticTheValuesItReports) {
  const Samples s = shifted(6, 120, 100, 3, 1);
  LipschitzTask task = small_task(s);
  task.keep_trace = true;
  const LipschitzFit result = fit(task);
  const Critic critic = lipschitz_critic(result.network, task.standard);
  EXPECT_EQ(critic.kind(), "lipschitz");
  const std::vector<double> phi = critic(s.x);
  for (std::size_t i = 0; i < phi.size(); ++i) EXPECT_NEAR(phi[i], result.phi_x[i], 2e-5);
  EXPECT_EQ(result.phi_y.size(), 100u);
  EXPECT_EQ(result.trace.size(), result.steps);
  EXPECT_NEAR(result.trace.back(), result.value, 0.5);

  const test::TempDir folder;
  critic.save((folder / "critic.json").string());
  EXPECT_EQ(Critic::load((folder / "critic.json").string())(s.x), phi);
}

TEST(StepPlan, CapsTheRowsOfAStep) {
  const Samples s = shifted(7, 4, 4, 1, 0);
  LipschitzTask task = small_task(s);
  const auto step = [&](std::size_t k_x, std::size_t b_x, std::size_t k_y, std::size_t b_y) {
    const BlockPlan plan = step_plan(task, {.k_x = k_x, .k_y = k_y, .b_x = b_x, .b_y = b_y});
    return std::array{plan.k_x, plan.b_x, plan.k_y, plan.b_y, std::size_t{plan.mini}};
  };
  using Step = std::array<std::size_t, 5>;
  EXPECT_EQ(step(101, 8, 51, 16), (Step{101, 8, 51, 16, 0}));           // small: the plan itself
  EXPECT_EQ(step(333333, 3, 51, 16), (Step{1365, 3, 51, 16, 1}));       // many blocks: fewer of them
  EXPECT_EQ(step(3, 333333, 1, 1000000), (Step{3, 1365, 1, 4096, 1}));  // long blocks: shorter ones
  EXPECT_EQ(step(1001, 999, 101, 9900), (Step{31, 132, 31, 132, 1}));
  task.estimator = Estimator::mou_diag;
  EXPECT_EQ(step(99999, 10, 99999, 20), (Step{203, 10, 203, 20, 1}));
}

TEST(Standard, DrawsFarRowsBackToASphere) {
  const Standard standard{.centre = {1, 2}, .scale = 4};
  std::vector<double> to(2);
  standard.apply(std::vector<double>{5, -2}, to);
  EXPECT_EQ(to, (std::vector<double>{1, -1}));
  standard.apply(std::vector<double>{3e100, 4e100}, to);
  EXPECT_NEAR(to[0], 0.6 * Standard::radius, 1e-6);
  EXPECT_NEAR(to[1], 0.8 * Standard::radius, 1e-6);
  standard.apply(std::vector<double>{1.7e308, -1.7e308}, to);  // differences and squares overflow here
  EXPECT_NEAR(to[0], std::sqrt(0.5) * Standard::radius, 1e-6);
}

}  // namespace
}  // namespace motmot
