// Values in the data's own units: exact and lipschitz critics through the front door.
#include <numbers>
#include <numeric>

#include "motmot/answer.hpp"
#include "motmot/data.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

ToySample toy(Toy which, double tau, std::uint64_t seed, std::size_t n = 200) {
  return generate({.toy = which, .n = n, .m = n, .tau_x = tau, .seed = seed});
}

/// Exact W1 of the rows that are no outliers: what a robust value is judged by.
double inlier_w1(const ToySample& sample) {
  const auto inliers = [](const Points& points, const std::vector<std::uint32_t>& outliers) {
    std::vector<double> kept;
    for (std::uint32_t i = 0; i < points.rows(); ++i)
      if (!std::ranges::binary_search(outliers, i))
        kept.insert(kept.end(), points.row(i).begin(), points.row(i).end());
    return Points(std::move(kept), points.cols());
  };
  return transport(inliers(sample.x, sample.outliers_x), inliers(sample.y, sample.outliers_y)).cost;
}

const DistanceOptions robust{
    .estimator = Estimator::mom, .critic = CriticKind::exact, .seed = 3, .threads = 2};

TEST(DataUnits, OneBlockIsTheExactDistance) {
  const ToySample s = toy(Toy::shape, 0.1, 1, 90);
  const double exact = transport(s.x, s.y).cost;
  EXPECT_NEAR(distance(s.x, s.y, {.estimator = Estimator::plain}).value, exact, 1e-9 * exact);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
    const Distance one =
        distance(s.x, s.y, {.estimator = estimator, .critic = CriticKind::exact, .blocks = {1, 1}});
    EXPECT_NEAR(one.value, exact, 1e-9 * exact) << name(estimator);
  }
}

// 10 seeds of 200 rows each: the bar must hold the inliers' distance in 90 % of runs, so 8 of 10 or more has
// chance 0.93 even at exactly 90 %; the seeds are fixed.
TEST(DataUnits, ErrorBarHoldsTheInliersDistance) {
  for (const Toy which : {Toy::d1, Toy::d2, Toy::far, Toy::behind}) {
    int held = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const ToySample s = toy(which, 0.1, seed);
      const Distance w = distance(s.x, s.y, robust);
      ASSERT_TRUE(w.neighbours.paper->error_bar.has_value());
      held += std::abs(w.value - inlier_w1(s)) <= *w.neighbours.paper->error_bar;
    }
    EXPECT_GE(held, 8) << name(which);
  }
}

TEST(DataUnits, PartialIsALowerBound) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const ToySample s = toy(Toy::far, 0.1, seed);
    const Distance w = distance(s.x, s.y, robust);
    const double inliers = inlier_w1(s);
    EXPECT_LE(*w.partial, inliers * (1 + 1e-9));
    EXPECT_GT(*w.plain, 5 * inliers) << "the contamination is too mild to show anything";
    EXPECT_EQ(w.neighbours.paper->target, Target::empirical);
  }
}

TEST(DataUnits, FollowsTranslationAndScaleOfTheData) {
  const ToySample s = toy(Toy::d1, 0.1, 4, 100);
  const double value = distance(s.x, s.y, robust).value;
  for (const double unit : {1e-12, 1e16, 1e290}) {
    Points x = s.x, y = s.y;
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < points->rows(); ++i)
        for (double& v : points->row(i)) v *= unit;
    EXPECT_NEAR(distance(x, y, robust).value / unit / value, 1, 1e-5) << unit;
  }
  Points x = s.x, y = s.y;
  for (Points* points : {&x, &y})
    for (std::size_t i = 0; i < points->rows(); ++i)
      for (double& v : points->row(i)) v += 1.7e9;
  EXPECT_NEAR(distance(x, y, robust).value / value, 1, 1e-5);
}

TEST(DataUnits, ExchangingTheSamplesChangesNoBit) {
  for (const Toy which : {Toy::both, Toy::shape, Toy::shares}) {
    const ToySample s = generate({.toy = which, .n = 150, .m = 120, .tau_x = 0.05, .seed = 6});
    for (const Estimator estimator :
         {Estimator::plain, Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
      DistanceOptions options{.estimator = estimator, .tau = {0.1, 0.02}, .certify = true, .keep_rows = true};
      const Distance there = distance(s.x, s.y, options);
      std::swap(options.tau.x, options.tau.y);
      const Distance back = distance(s.y, s.x, options);
      EXPECT_EQ(back.value, there.value) << name(which) << ' ' << name(estimator);
      EXPECT_EQ(back.interval, there.interval);
      EXPECT_EQ(back.neighbours.paper->lower, there.neighbours.paper->lower);
      EXPECT_EQ(back.neighbours.paper->blocks.x, there.neighbours.paper->blocks.y);
      EXPECT_EQ(back.rows.x.phi[3], -there.rows.y.phi[3]);
      EXPECT_EQ((*back.phi)(s.x)[5], -(*there.phi)(s.x)[5]);
    }
  }
}

// Each sample first in turn, so that one of the two runs has them exchanged.
TEST(DataUnits, TheCriticSeparatesTheSamplesInTheOrderGiven) {
  const ToySample s = toy(Toy::d1, 0, 3, 60);
  for (const bool swapped : {false, true}) {
    const Points &x = swapped ? s.y : s.x, &y = swapped ? s.x : s.y;
    const Distance w = distance(x, y, {.estimator = Estimator::plain, .keep_rows = true});
    const auto mean = [](const std::vector<double>& v) {
      return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
    };
    EXPECT_NEAR(mean(w.rows.x.phi) - mean(w.rows.y.phi), w.value, 1e-9);
    EXPECT_NEAR(mean((*w.phi)(x)) - mean((*w.phi)(y)), w.value, 1e-6);
    EXPECT_NEAR(mean(Critic::from_json(w.phi->to_json())(x)), mean((*w.phi)(x)), 1e-12);
  }
}

// 24 of 40 such pairs had a negative value once.
TEST(DataUnits, AreNeverNegative) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ToySample s = toy(Toy::d1, 0.1, seed, 40);
    const Distance w = distance(s.x, s.x, {.estimator = Estimator::mom, .seed = seed});
    EXPECT_GE(w.value, 0) << seed;
    EXPECT_GE(w.interval->low, 0) << seed;
  }
}

TEST(DataUnits, RotationChangesLittle) {
  const ToySample s = toy(Toy::shape, 0.05, 7);
  const auto turned = [](const Points& points) {
    Points result = points;
    const double c = std::cos(0.7), d = std::sin(0.7);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      result(i, 0) = c * points(i, 0) - d * points(i, 1);
      result(i, 1) = d * points(i, 0) + c * points(i, 1);
    }
    return result;
  };
  const double value = distance(s.x, s.y, robust).value;
  EXPECT_NEAR(distance(turned(s.x), turned(s.y), robust).value / value, 1, 0.02);
}

TEST(DataUnits, HaveTheSameBitsForAnyNumberOfThreads) {
  const ToySample s = generate({.toy = Toy::both, .n = 120, .m = 90, .d = 5, .tau_x = 0.05, .seed = 8});
  DistanceOptions options{.estimator = Estimator::mom,
                          .network = true,
                          .certify = true,
                          .keep_rows = true,
                          .ascent = {.steps = 30},
                          .seed = 1,
                          .threads = 1};
  const Distance one = distance(s.x, s.y, options);
  ASSERT_TRUE(one.neighbours.network.has_value());
  for (const std::size_t threads : {2, 3, 7}) {
    options.threads = threads;
    const Distance many = distance(s.x, s.y, options);
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.interval, one.interval);
    EXPECT_EQ(many.neighbours.paper->lower, one.neighbours.paper->lower);
    EXPECT_EQ(many.neighbours.paper->upper, one.neighbours.paper->upper);
    EXPECT_EQ(many.neighbours.network->value, one.neighbours.network->value);
    EXPECT_EQ(many.rows.x.phi, one.rows.x.phi);
  }
}

// Plain and partial transport are solved side by side, and the fit starts from one of them.
TEST(DataUnits, SideBySideProblemsHaveTheSameBitsForAnyNumberOfThreads) {
  const ToySample s = generate({.toy = Toy::shape, .n = 300, .m = 280, .d = 2, .tau_x = 0.1, .seed = 4});
  DistanceOptions options{
      .estimator = Estimator::mom, .critic = CriticKind::exact, .keep_rows = true, .seed = 1, .threads = 1};
  const Distance one = distance(s.x, s.y, options);
  ASSERT_TRUE(one.plain && one.partial);
  for (const std::size_t threads : {2, 3, 7}) {
    options.threads = threads;
    const Distance many = distance(s.x, s.y, options);
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.plain, one.plain);
    EXPECT_EQ(many.partial, one.partial);
    EXPECT_EQ(many.interval, one.interval);
    EXPECT_EQ(many.rows.x.phi, one.rows.x.phi);
  }
}

TEST(DataUnits, StopAtOnceWithWhatIsProved) {
  const ToySample s = generate({.toy = Toy::d1, .n = 400, .m = 400, .seed = 5});
  const Distance whole =
      distance(s.x, s.y, {.estimator = Estimator::mom, .critic = CriticKind::exact, .threads = 1});
  const Distance w = distance(
      s.x, s.y,
      {.estimator = Estimator::mom, .critic = CriticKind::exact, .threads = 1, .progress = [](double) {
         return false;
       }});
  EXPECT_TRUE(w.run.stopped);
  EXPECT_TRUE(std::isfinite(w.value));
  EXPECT_GE(w.value, w.partial.value_or(0));
  ASSERT_TRUE(w.partial);
  EXPECT_LE(*w.partial, *whole.partial * (1 + 1e-9));
}

TEST(DataUnits, CertificateBracketsItsPartition) {
  const ToySample s = toy(Toy::d1, 0.05, 9, 120);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
    DistanceOptions options = robust;
    options.estimator = estimator;
    options.certify = true;
    const Distance w = distance(s.x, s.y, options);
    ASSERT_TRUE(w.neighbours.paper->lower && w.neighbours.paper->upper);
    EXPECT_LE(*w.neighbours.paper->lower, *w.neighbours.paper->upper * (1 + 1e-9));
    EXPECT_LE(*w.neighbours.paper->fixed_partition_value, *w.neighbours.paper->lower * (1 + 1e-9));
  }
}

TEST(DataUnits, TheLipschitzCriticEstimatesTheLaws) {
  const ToySample s = generate({.toy = Toy::d1, .n = 600, .m = 600, .d = 10, .tau_x = 0.05, .seed = 1});
  const Distance w = distance(
      s.x, s.y,
      {.estimator = Estimator::mom, .critic = CriticKind::lipschitz, .tau = {0.05, 0.05}, .seed = 1});
  EXPECT_EQ(w.neighbours.paper->target, Target::population);
  EXPECT_NEAR(w.value / population_w1(Toy::d1, 10), 1, 0.05);
  EXPECT_LE(*w.neighbours.paper->lipschitz, 1 + 1e-6);
  ASSERT_TRUE(w.neighbours.paper->held_out.has_value());
}

TEST(DataUnits, SavedCriticsKeepTheirValues) {
  const ToySample s = toy(Toy::d1, 0.1, 2, 60);
  const test::TempDir folder;
  for (const CriticKind kind : {CriticKind::exact, CriticKind::lipschitz}) {
    const Distance w = distance(
        s.x, s.y, {.estimator = Estimator::mom, .critic = kind, .keep_rows = true, .ascent = {.steps = 20}});
    w.phi->save((folder / "c.json").string());
    const std::vector<double> again = Critic::load((folder / "c.json").string())(s.x);
    EXPECT_EQ(again, (*w.phi)(s.x));
    for (std::size_t i = 0; i < again.size(); ++i) EXPECT_NEAR(again[i], w.rows.x.phi[i], 1e-4) << name(kind);
  }
}

TEST(DataUnits, StopsAtTheTimeLimitWithAFlag) {
  const ToySample s = generate({.toy = Toy::shape, .n = 1500, .m = 1500, .d = 2, .seed = 1});
  const Distance w = distance(s.x, s.y,
                              {.estimator = Estimator::mom,
                               .critic = CriticKind::lipschitz,
                               .ascent = {.steps = 100000},
                               .time_limit = 0.3});
  EXPECT_TRUE(w.run.stopped);
  EXPECT_LT(w.neighbours.paper->steps, 100000u);
}

TEST(ChooseCritic, IsAFixedFunctionOfTheSize) {
  EXPECT_EQ(choose_critic(500, 500).critic, CriticKind::exact);
  EXPECT_EQ(choose_critic(1000000, 1000000).critic, CriticKind::lipschitz);
}

// It once trained a network from five columns on without being asked: 44 s instead of 0.6.
TEST(DataUnits, TrainNoNetworkUnlessAsked) {
  const ToySample s = generate({.n = 40, .m = 40, .d = 8, .seed = 1});
  EXPECT_FALSE(distance(s.x, s.y).neighbours.network);
  EXPECT_TRUE(distance(s.x, s.y, {.network = true, .ascent = {.steps = 5}}).neighbours.network);
}

TEST(DataUnits, RefuseWhatWouldOverflow) {
  const ToySample s = toy(Toy::d1, 0, 1, 10);
  Points x = s.x;
  x(2, 1) = 1e308;
  EXPECT_EQ(test::error_of([&] { (void)distance(x, s.y); }),
            "row 3, column 2 of X is 1e+308; beyond 1e300 distances overflow: choose a larger unit");
  x(2, 1) = -1e300;
  const Distance w = distance(x, s.y);
  EXPECT_TRUE(std::isfinite(w.value) && std::isfinite(*w.plain));
}

TEST(DataUnits, RefuseRunsThatCannotBe) {
  const ToySample s = toy(Toy::d1, 0, 1, 10);
  const auto complaint = [&](const DistanceOptions& options) {
    return test::error_of([&] { (void)distance(s.x, s.y, options); });
  };
  EXPECT_EQ(complaint({.read_out = 0}), "the value needs at least one draw of blocks, got read_out = 0");
  EXPECT_NE(complaint({.time_limit = -1}).find("got -1"), std::string::npos);
  EXPECT_NE(complaint({.time_limit = std::nan("")}).find("got nan"), std::string::npos);
}

TEST(DataUnits, RefusesWeightsForBlocks) {
  const ToySample s = toy(Toy::d1, 0, 1, 10);
  const std::vector<double> weights(10, 1.0);
  EXPECT_EQ(test::error_of([&] {
              (void)distance(s.x, s.y, {.weights = {weights, {}}});
            }),
            "row weights are for estimator plain: company counts rows and block means take none; got "
            "estimator company");
  const Distance w = distance(s.x, s.y, {.estimator = Estimator::plain, .weights = {weights, {}}});
  EXPECT_NEAR(w.value, transport(s.x, s.y).cost, 1e-12 * w.value);
}

}  // namespace
}  // namespace motmot
