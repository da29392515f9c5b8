#include "critics/model.hpp"
#include "motmot/answer.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

struct Samples {
  Points x, y;
};

/// N(0, I) against N(5, I) in the plane, n and m rows.
Samples shifted(std::uint64_t seed, std::size_t n, std::size_t m) {
  Rng rng(seed, Purpose::test);
  Points x = test::gaussian(rng, n, 2);
  return {std::move(x), test::gaussian(rng, m, 2, 5)};
}

void contaminate(Points& points, std::size_t rows, double where) {
  for (std::size_t i = 0; i < rows; ++i) points(i, 0) = points(i, 1) = where;
}

DistanceOptions quick(Estimator estimator, std::size_t k, std::size_t steps = 400) {
  return {.estimator = estimator,
          .critic = CriticKind::clipped,
          .blocks = {k, k},
          .ascent = {.hidden = {16}, .steps = steps, .rate = 1e-3, .clip = 0.1, .trace = true},
          .seed = 5,
          .threads = 1};
}

constexpr Estimator block_estimators[] = {Estimator::mom, Estimator::mou, Estimator::mou_diag};

TEST(RobustW1, IsOneEstimatorWhenThereIsOneBlock) {
  const auto [x, y] = shifted(1, 40, 31);
  const Distance plain = distance(x, y, quick(Estimator::plain, 1));
  EXPECT_GT(plain.value, 0);
  for (const Estimator estimator : block_estimators)
    EXPECT_EQ(distance(x, y, quick(estimator, 1)).run.trace, plain.run.trace) << name(estimator);
}

TEST(RobustW1, HasTheSameBitsForAnyNumberOfThreads) {
  const auto [x, y] = shifted(2, 610, 500);
  for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor, Scheme::pairs}) {
    for (const Estimator estimator : block_estimators) {
      if (scheme == Scheme::pairs && estimator != Estimator::mou) continue;
      for (const std::size_t k : {std::size_t{1}, std::size_t{30}}) {
        DistanceOptions options = quick(estimator, k, 40);
        options.scheme = scheme;
        if (scheme == Scheme::swor && k > 1) options.block_size.x = options.block_size.y = 3;
        const Distance one = distance(x, y, options);
        for (const std::size_t threads : {2, 3, 7}) {
          options.threads = threads;
          const Distance many = distance(x, y, options);
          EXPECT_EQ(many.run.trace, one.run.trace)
              << name(scheme) << ' ' << name(estimator) << ' ' << threads;
          EXPECT_EQ((*many.phi)(x), (*one.phi)(x));
        }
      }
    }
  }
}

// The clipped value is the distance times an unknown constant, so each run is compared with the clean run
// at the same settings. 20 far outliers of 200 rows, K = 99: 40 % of the blocks at most are dirty.
TEST(RobustW1, WithstandsOutliersInXInYAndInBothForAllEstimators) {
  const auto [x, y] = shifted(3, 200, 200);
  for (const Estimator estimator : block_estimators) {
    const DistanceOptions options = quick(estimator, 99, 1500);
    const double clean = distance(x, y, options).value;
    for (const int where : {1, 2, 3}) {
      Samples dirty{x, y};
      if (where & 1) contaminate(dirty.x, where == 3 ? 10 : 20, -300);
      if (where & 2) contaminate(dirty.y, where == 3 ? 10 : 20, 400);
      const double robust = distance(dirty.x, dirty.y, options).value;
      EXPECT_NEAR(robust / clean, 1, 0.35) << name(estimator) << " outliers in " << where;
      const double plain = distance(dirty.x, dirty.y, quick(Estimator::plain, 1, 1500)).value;
      EXPECT_GT(plain / clean, 3) << "the contamination is too mild to show anything";
    }
  }
}

TEST(RobustW1, TakesDifferentNumbersOfRowsAndBlocks) {
  const auto [x, y] = shifted(4, 90, 41);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou}) {
    DistanceOptions options = quick(estimator, 15);
    options.blocks.y = 8;
    const Distance result = distance(x, y, options);
    EXPECT_EQ(result.neighbours.paper->block_size.x, 6u);
    EXPECT_EQ(result.neighbours.paper->block_size.y, 5u);
    EXPECT_GT(result.value, 0);
  }
}

TEST(RobustW1, ValueIsTheMeanOfTheTail) {
  const auto [x, y] = shifted(5, 60, 60);
  const Distance result = distance(x, y, quick(Estimator::mom, 7));
  double sum = 0;
  for (std::size_t i = 300; i < 400; ++i) sum += result.run.trace[i];
  EXPECT_NEAR(result.value, sum / 100, 1e-12);
  EXPECT_EQ(result.neighbours.paper->steps, 400u);
}

TEST(RobustW1, DefaultsToFiveHundredEpochs) {
  const auto [x, y] = shifted(6, 20, 20);
  EXPECT_EQ(distance(x, y,
                     {.estimator = Estimator::mom,
                      .critic = CriticKind::clipped,
                      .blocks = {3, 5},
                      .ascent = {.hidden = {4}}})
                .neighbours.paper->steps,
            2500u);
}

TEST(RobustW1, StopsWhenProgressSaysSo) {
  const auto [x, y] = shifted(7, 50, 50);
  DistanceOptions options = quick(Estimator::mom, 5, 1000000);
  options.ascent.trace = false;
  options.progress = [](double done) { return done > 1; };
  const Distance result = distance(x, y, options);
  EXPECT_TRUE(result.run.stopped);
  EXPECT_LT(result.neighbours.paper->steps, 1000000u);
}

TEST(RobustW1, KeepsAnExplicitKAndWarnsWhenItIsTooSmall) {
  const auto [x, y] = shifted(8, 500, 500);
  DistanceOptions options = quick(Estimator::mom, 70, 10);
  const Distance result = distance(x, y, options);
  EXPECT_EQ(result.neighbours.paper->blocks.x, 70u);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings.front().text.find("chance 0.522: dirty blocks are the majority"),
            std::string::npos)
      << result.warnings.front().text;
}

TEST(RobustW1, ComplainsBeforeAnyWork) {
  const auto [x, y] = shifted(9, 10, 12);
  const auto complaint = [&](DistanceOptions options) {
    return test::error_of([&, &x = x, &y = y] { (void)distance(x, y, options); });
  };
  EXPECT_EQ(complaint({.estimator = Estimator::mom, .blocks = {11, 11}}),
            "need K_X <= n, got K_X = 11, n = 10");
  EXPECT_EQ(complaint({.estimator = Estimator::mom, .blocks = {5, 13}}),
            "need K_Y <= m, got K_Y = 13, m = 12");
  EXPECT_EQ(complaint({.estimator = Estimator::mou_diag, .blocks = {3, 5}}),
            "estimator mou-diag needs K_X = K_Y, got 3 and 5");
  EXPECT_EQ(complaint({.estimator = Estimator::mom, .scheme = Scheme::pairs}),
            "scheme pairs is for estimator mou, got mom");
  EXPECT_EQ(complaint({.tau = {0.5, 0}}), "tau_x must lie in [0, 0.5), got 0.5");
  EXPECT_EQ(complaint({.estimator = Estimator::mom, .block_size = {3, 0}}),
            "block sizes are free in scheme swor only, got scheme shuffle");
  EXPECT_EQ(complaint({.ascent = {.hidden = {0}}}), "a hidden layer needs 1 to 65536 units, got 0");
  Points bad = x;
  bad(3, 1) = std::nan("");
  EXPECT_EQ(test::error_of([&, &y = y] { (void)distance(bad, y); }),
            "row 4, column 2 of X is nan; every value must be finite");
  EXPECT_EQ(test::error_of([&, &x = x] { (void)distance(x, Points(5, 3)); }),
            "X and Y must have the same number of columns, got 2 and 3");
  EXPECT_EQ(test::error_of([&, &x = x] { (void)distance(x, Points(0, 2)); }), "Y is empty");
}

}  // namespace
}  // namespace motmot
