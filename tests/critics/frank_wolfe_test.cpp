#include <numeric>

#include "critics/exact_cases.hpp"
#include "critics/exact_problem.hpp"
#include "critics/min_plus.hpp"

namespace motmot {
namespace {

using test::Case;
using test::Dirt;
using test::fit;
using test::make_case;
using test::task_for;

constexpr Estimator block_estimators[] = {Estimator::mom, Estimator::mou_diag, Estimator::mou};

TEST(ExactFit, IsExactTransportWhenThereIsOneBlock) {
  for (const Dirt dirt : {Dirt::none, Dirt::uniform, Dirt::far}) {
    const Case c = make_case(1, 60, 3, true, dirt, 0.1);
    const double cost = transport(c.x, c.y).cost;
    for (const Estimator estimator :
         {Estimator::plain, Estimator::mom, Estimator::mou_diag, Estimator::mou}) {
      ExactTask task = task_for(c, estimator, 60);
      const ExactFit one = fit(task);
      EXPECT_EQ(one.value, cost);
      EXPECT_EQ(one.sd, 0);
      EXPECT_TRUE(one.settled);
    }
  }
}

TEST(ExactFit, HasTheSameBitsForAnyTeam) {
  const Case c = make_case(2, 140, 2, true, Dirt::uniform, 0.05);
  for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor, Scheme::pairs}) {
    for (const Estimator estimator : block_estimators) {
      if (scheme == Scheme::pairs && estimator != Estimator::mou) continue;
      ExactTask task = task_for(c, estimator, 3);
      task.plan.scheme = scheme;
      task.read_out = 20;
      const ExactFit one = fit(task);
      EXPECT_GT(one.value, 0.5) << name(scheme);
      const bool all = scheme == Scheme::shuffle && estimator == Estimator::mom;
      for (const std::size_t threads :
           all ? std::vector<std::size_t>{2, 3, 7} : std::vector<std::size_t>{3}) {
        const ExactFit many = fit(task, threads);
        EXPECT_EQ(many.value, one.value) << name(scheme) << ' ' << name(estimator) << ' ' << threads;
        EXPECT_EQ(many.sd, one.sd);
        EXPECT_EQ(many.phi_x, one.phi_x);
        EXPECT_EQ(many.g, one.g);
        EXPECT_EQ(many.w_x, one.w_x);
      }
    }
  }
}

ExactStart start_of_partial(const Case& c, double tau) {
  Transport partial = partial_transport(within_reach(c.x), within_reach(c.y), tau, tau);
  for (double& value : partial.v) value = -value;
  return {.phi_y = std::move(partial.v), .plan = std::move(partial.plan)};
}

// The start decides how long it takes; what is found is as good, and has the same bits for any team.
TEST(ExactFit, FindsAsMuchFromPartialTransportAsFromALine) {
  std::size_t solves_from_line = 0, solves_from_partial = 0;
  for (const Dirt dirt : {Dirt::uniform, Dirt::uniform_in_both, Dirt::far, Dirt::huge_in_y})
    for (const bool shift : {true, false}) {
      const Case c = make_case(3, 200, 2, shift, dirt, 0.1);
      ExactTask task = task_for(c, Estimator::mom, 2);
      const ExactFit line = fit(task);
      const ExactStart start = start_of_partial(c, 0.1);
      task.start = &start;
      const ExactFit partial = fit(task);
      EXPECT_GT(partial.value, 0.985 * line.value) << static_cast<int>(dirt) << shift;
      solves_from_line += line.solves;
      solves_from_partial += partial.solves - 1;  // the start's own is made anyway, for the lower bound
      const ExactFit three = fit(task, 3);
      EXPECT_EQ(three.value, partial.value);
      EXPECT_EQ(three.g, partial.g);
    }
  EXPECT_LE(solves_from_partial, solves_from_line);
}

TEST(ExactFit, GivesAOneLipschitzFunctionAndWeightsThatSumToOne) {
  test::for_each_seed(5, [](Rng& rng) {
    const Case c = make_case(rng(), 90, 2, true, Dirt::uniform_in_both, 0.1);
    const ExactFit f = fit(task_for(c, Estimator::mom, 2));
    const auto check = [](PointsView p, const std::vector<double>& u, PointsView q,
                          const std::vector<double>& v) {
      for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t j = 0; j < q.rows(); ++j)
          ASSERT_LE(std::abs(u[i] - v[j]), std::hypot(p(i, 0) - q(j, 0), p(i, 1) - q(j, 1)) + 1e-9);
    };
    check(c.x, f.phi_x, c.x, f.phi_x);
    check(c.x, f.phi_x, c.y, f.phi_y);
    check(c.y, f.phi_y, c.y, f.phi_y);
    EXPECT_NEAR(std::accumulate(f.w_x.begin(), f.w_x.end(), 0.0), 1, 1e-9);
    EXPECT_NEAR(std::accumulate(f.w_y.begin(), f.w_y.end(), 0.0), 1, 1e-9);
  });
}

Case moved(const Case& c, double factor, double shift) {
  const auto of = [&](const Points& p) {
    std::vector<double> values = p.values();
    for (double& value : values) value = factor * value + shift;
    return Points(std::move(values), p.cols());
  };
  return {of(c.x), of(c.y), {}, {}};
}

// Powers of two change no rounding; a shift by one does, and Adam's float32 with it.
TEST(ExactFit, FollowsScaleAndTranslation) {
  for (const bool shape : {false, true}) {
    const Case c = make_case(3, 150, 2, shape, Dirt::uniform, 0.1);
    const double value = fit(task_for(c, Estimator::mom, 2)).value;
    EXPECT_NEAR(fit(task_for(moved(c, 4, 0), Estimator::mom, 2)).value, 4 * value, 1e-6 * value);
    EXPECT_NEAR(fit(task_for(moved(c, 1, 1), Estimator::mom, 2)).value, value, (shape ? 0.02 : 1e-6) * value);
  }
}

TEST(ExactFit, IsSymmetricUpToTheChoiceOfExtension) {
  const Case c = make_case(4, 300, 2, false, Dirt::none, 0);
  const Case swapped{c.y, c.x, {}, {}};
  const double value = fit(task_for(c, Estimator::mom, 2)).value;
  EXPECT_NEAR(fit(task_for(swapped, Estimator::mom, 2)).value, value, 5e-3 * value);
}

TEST(ExactFit, DependsOnTheOrderOfTheRowsByChanceOnly) {
  Case c = make_case(5, 300, 2, false, Dirt::uniform, 0.1);
  const double value = fit(task_for(c, Estimator::mom, 2)).value;
  Points reversed(c.x.rows(), 2);
  for (std::size_t i = 0; i < c.x.rows(); ++i)
    std::ranges::copy(c.x.row(i), reversed.row(c.x.rows() - 1 - i).begin());
  c.x = reversed;
  EXPECT_NEAR(fit(task_for(c, Estimator::mom, 2)).value, value, 5e-3 * value);
}

TEST(ExactFit, StopsWhenItIsTold) {
  const Case c = make_case(6, 200, 2, true, Dirt::uniform, 0.1);
  Team team(1);
  const ExactFit f = fit_exact(task_for(c, Estimator::mom, 2), team, [](double) { return false; });
  EXPECT_TRUE(f.stopped);
  EXPECT_FALSE(f.settled);
  EXPECT_TRUE(std::isfinite(f.value));
}

TEST(ExactFit, TakesSamplesOfAnySizes) {
  for (const auto& [n, m] : {std::pair{1, 1}, {1, 5}, {2, 3}, {7, 2}, {30, 45}}) {
    Rng rng(7, Purpose::test);
    const Points x = test::gaussian(rng, static_cast<std::size_t>(n), 2),
                 y = test::gaussian(rng, static_cast<std::size_t>(m), 2, 3);
    for (const Estimator estimator : {Estimator::mom, Estimator::mou}) {
      const ExactFit f = fit(task_for({x, y, {}, {}}, estimator, 1));
      EXPECT_TRUE(std::isfinite(f.value)) << n << ' ' << m;
    }
  }
}

// Any plan bounds the gap from above, and one made from the optimal plan for nearly the same weights well.
TEST(GapBound, IsAboveTheGapAndCloseForSimilarWeights) {
  test::for_each_seed(20, [](Rng& rng) {
    const Case c = make_case(rng(), 80, 2, false, Dirt::none, 0);
    const auto weights = [&](std::size_t n, double noise) {
      std::vector<double> w(n);
      for (double& value : w) value = 1 + noise * rng.uniform(-1, 1);
      const double sum = std::accumulate(w.begin(), w.end(), 0.0);
      for (double& value : w) value /= sum;
      return w;
    };
    const Transport old = transport(c.x, c.y);
    Phi phi{old.u, old.v};
    for (double& value : phi.y) value = -value;
    for (const double noise : {0.0, 0.05, 0.9}) {
      const RowWeights w{weights(80, noise), weights(80, noise)};
      double gap = transport(c.x, c.y, w.x, w.y).cost;
      for (std::size_t i = 0; i < 80; ++i) gap -= w.x[i] * phi.x[i] - w.y[i] * phi.y[i];
      const double bound = gap_bound(c.x, c.y, old.plan, w, phi);
      EXPECT_GE(bound, gap - 1e-12);
      if (noise < 0.1) {
        EXPECT_LE(bound, noise * 0.1 + 1e-9);
      }
    }
  });
}

}  // namespace
}  // namespace motmot
