#include "study/rate.hpp"

#include "motmot/transport.hpp"
#include "study/claim_tools.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

RateOptions tiny_rate() {
  RateOptions o;
  o.laws = {RateLaw::shift};
  o.d = {1, 2};
  o.n = {40, 80};
  o.tau = {0, 0.05};
  o.estimators = {Estimator::plain, Estimator::mom, Estimator::mou_diag};
  o.rules = {BlockRule::prop4, BlockRule::gan};
  o.repetitions = 3;
  o.threads = 1;
  return o;
}

TEST(RateLaws, HaveTheDistanceThatIsSaidOfThem) {
  for (const RateLaw law : {RateLaw::same, RateLaw::shift, RateLaw::spread})
    for (const std::size_t d : {1, 2}) {
      const PerSample<Points> s = rate_samples(law, d, 1500, 0, 1);
      EXPECT_NEAR(transport(s.x, s.y).cost, law_w1(law, d), 0.08) << name(law) << ' ' << d;
    }
}

TEST(RateLaws, StayInABallOfTheirDiameterAndOutliersFarOutside) {
  for (const RateLaw law : {RateLaw::same, RateLaw::shift, RateLaw::spread}) {
    const PerSample<Points> s = rate_samples(law, 3, 200, 7, 2);
    for (std::size_t i = 0; i < 200; ++i) {
      EXPECT_EQ(std::abs(s.x(i, 0)) > 90, i < 7);
      EXPECT_EQ(std::abs(s.y(i, 0)) > 90, i < 7);
      if (i >= 7) {
        EXPECT_LE(std::abs(s.y(i, 0)), law_diameter(law));
      }
    }
  }
}

TEST(Outlying, FollowsAssumptionThree) {
  const Outlying falling{true, 0.5}, fixed{false, 0.05};
  EXPECT_EQ(falling.count(100), 10u);
  EXPECT_EQ(falling.count(20'000), 141u);
  EXPECT_EQ(fixed.count(20'000), 1000u);
}

TEST(RateFit, FindsTheExponentOfAPowerOfN) {
  std::vector<RatePoint> points;
  for (const std::size_t n : {100, 1000, 10'000}) {
    RatePoint point{.n = n};
    const double error = 3 * std::pow(static_cast<double>(n), -0.4);
    point.errors = {0.9 * error, error, 1.1 * error};
    point.mean = error;
    points.push_back(point);
  }
  const RateFit fit = fit_rate(points, 0);
  EXPECT_NEAR(fit.slope, -0.4, 1e-9);
  EXPECT_LT(fit.low, -0.4);
  EXPECT_GT(fit.high, -0.4);
  EXPECT_GT(fit.low, -0.5);
}

TEST(RateStudy, IsTheSameForAnyThreadsAndGoesOnWhereItStopped) {
  const test::TempDir folder;
  RateOptions o = tiny_rate();
  const RateResult whole = run_rate(o);
  ASSERT_TRUE(whole.complete());
  o.folder = (folder / "cells").string();
  std::size_t asked = 0;
  o.progress = [&](double) { return ++asked < 200; };
  EXPECT_FALSE(run_rate(o).complete());
  o.progress = {};
  o.threads = 3;
  const RateResult again = run_rate(o);
  EXPECT_GT(again.cells_reused, 0u);
  ASSERT_EQ(again.curves.size(), whole.curves.size());
  for (std::size_t c = 0; c < whole.curves.size(); ++c) {
    for (std::size_t p = 0; p < o.n.size(); ++p)
      EXPECT_EQ(again.curves[c].points[p].errors, whole.curves[c].points[p].errors);
    EXPECT_EQ(again.curves[c].fit->low, whole.curves[c].fit->low);
  }
}

TEST(RateStudy, HasExponentsAndBoundsWhereTheTheoremSpeaks) {
  const RateResult r = run_rate(tiny_rate());
  for (const RateCurve& c : r.curves) {
    // In one column alpha = 1/2 is beyond d / (d + 2), up to which mou-diag is covered.
    const bool speaks = c.line.rule == BlockRule::prop4 && c.line.outliers.falling &&
                        (c.line.estimator == Estimator::mom || c.line.d == 2);
    EXPECT_EQ(c.exponent.has_value(), speaks);
    if (!speaks) continue;
    const double by_columns = 1 / (static_cast<double>(c.line.d) + 2);
    EXPECT_DOUBLE_EQ(*c.exponent, std::min(by_columns, 0.125));
    EXPECT_DOUBLE_EQ(*c.printed_exponent, std::min(by_columns, 0.25));
  }
  const auto claims = check_rate_claims(r);
  EXPECT_GE(claims.size(), 4u);
  for (const Claim& claim : claims) EXPECT_FALSE(claim.why.empty()) << claim.quote;
}

TEST(RateStudy, RefusesWhatItCannotRun) {
  RateOptions o = tiny_rate();
  o.n = {80, 40};
  EXPECT_EQ(test::error_of([&] { (void)run_rate(o); }), "the numbers of rows must rise");
  o.n = {40};
  o.alpha = {0.9};
  EXPECT_NE(test::error_of([&] { (void)run_rate(o); }).find("a quarter or more"), std::string::npos);
}

TEST(SchemesStudy, ComparesEverySchemeThatAnEstimatorHas) {
  SchemesOptions o = quick_schemes();
  o.n = 60;
  o.blocks = {9};
  o.repetitions = 2;
  o.threads = 1;
  const SchemesResult r = run_schemes(o);
  ASSERT_TRUE(r.complete());
  std::size_t pairs = 0;
  for (const SchemeSummary& s : r.summary) {
    EXPECT_TRUE(std::isfinite(s.error));
    EXPECT_EQ(s.over_draws == 0, s.scheme == Scheme::partition) << name(s.scheme);
    pairs += s.scheme == Scheme::pairs ? 1 : 0;
  }
  EXPECT_EQ(pairs, 3u);
  EXPECT_EQ(r.summary.size(), 3u * (2 + 3) + 3u);
  EXPECT_EQ(check_schemes_claims(r).size(), 2u);
}

}  // namespace
}  // namespace motmot
