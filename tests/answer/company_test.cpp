// The default answer through the front door: value, interval, noise, readings, units, warnings.
#include <cmath>
#include <numeric>

#include "answer/sides.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/inference.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

double inlier_w1(const ToySample& s) {
  return transport(without(s.x, s.outliers_x), without(s.y, s.outliers_y)).cost;
}

bool warns(const Distance& w, WarningCode code) {
  return std::ranges::any_of(w.warnings, [&](const Warning& warning) { return warning.code == code; });
}

Points gaussian_rows(std::uint64_t seed, std::size_t n, std::size_t d, double shift = 0) {
  Rng rng(seed, Purpose::test);
  return gaussian(rng, n, d, shift);
}

// Seeds that had no part in choosing the rule; 3 of each toy.
TEST(CompanyAnswer, IsTheInliersDistanceOnTheToysAndItsIntervalHoldsIt) {
  for (const Toy toy : {Toy::d1, Toy::d2, Toy::far, Toy::behind, Toy::inside, Toy::both, Toy::shape,
                        Toy::skewed, Toy::bimodal, Toy::shares})
    for (std::uint64_t seed = 900; seed < 903; ++seed) {
      const ToySample s = generate({.toy = toy, .n = 300, .m = 300, .seed = seed});
      const double truth = inlier_w1(s);
      const Distance w = distance(s.x, s.y, {.permutations = 0});
      EXPECT_NEAR(w.value, truth, 0.02 * truth) << name(toy) << ' ' << seed;
      EXPECT_LE(w.interval->low, truth * (1 + 1e-9)) << name(toy) << ' ' << seed;
      EXPECT_GE(w.interval->high, truth * (1 - 0.02)) << name(toy) << ' ' << seed;
      EXPECT_LE(*w.partial, truth * (1 + 1e-9)) << name(toy) << ' ' << seed;
      EXPECT_NEAR(*w.plain, transport(s.x, s.y).cost, 1e-9 * *w.plain);
      EXPECT_LE(w.left_out.x.size(), 30u);
    }
}

TEST(CompanyAnswer, IsPlainW1WhereNothingMayGo) {
  const ToySample s = generate({.toy = Toy::far, .n = 120, .m = 100, .seed = 3});
  const Distance w = distance(s.x, s.y, {.tau = {0, 0}, .permutations = 0});
  EXPECT_NEAR(w.value, transport(s.x, s.y).cost, 1e-9 * w.value);
  EXPECT_TRUE(w.left_out.x.empty() && w.left_out.y.empty());
  EXPECT_NEAR(w.interval->low, w.value, 1e-9 * w.value);
  EXPECT_NEAR(w.interval->high, w.value, 1e-9 * w.value);
}

TEST(CompanyAnswer, ExchangingTheSamplesChangesNoBitAndTurnsSigns) {
  const ToySample s = generate({.toy = Toy::both, .n = 150, .m = 120, .tau_x = 0.05, .seed = 6});
  DistanceOptions options{.tau = {0.1, 0.06}, .keep_rows = true};
  const Distance there = distance(s.x, s.y, options);
  std::swap(options.tau.x, options.tau.y);
  const Distance back = distance(s.y, s.x, options);
  EXPECT_EQ(back.value, there.value);
  EXPECT_EQ(back.interval, there.interval);
  EXPECT_EQ(back.p_value, there.p_value);
  EXPECT_EQ(back.needed, there.needed);
  EXPECT_EQ(back.left_out.x, there.left_out.y);
  EXPECT_EQ(back.columns[1].moved, -there.columns[1].moved);
  EXPECT_EQ(back.columns[1].share, there.columns[1].share);
  EXPECT_EQ(back.rows.x.score, there.rows.y.score);
  EXPECT_EQ(back.rows.x.phi[3], -there.rows.y.phi[3]);
  EXPECT_EQ(back.profile.back().x, there.profile.back().y);
}

TEST(CompanyAnswer, HasTheSameBitsForAnyNumberOfThreads) {
  const ToySample s = generate({.toy = Toy::shares, .n = 120, .m = 90, .d = 3, .tau_x = 0.05, .seed = 8});
  DistanceOptions options{.keep_rows = true, .seed = 1, .threads = 1};
  const Distance one = distance(s.x, s.y, options);
  for (const std::size_t threads : {2, 3, 7}) {
    options.threads = threads;
    const Distance many = distance(s.x, s.y, options);
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.interval, one.interval);
    EXPECT_EQ(many.floor->permuted, one.floor->permuted);
    EXPECT_EQ(many.p_value, one.p_value);
    EXPECT_EQ(many.population->value, one.population->value);
    EXPECT_EQ(many.needed, one.needed);
    EXPECT_EQ(many.rows.x.phi, one.rows.x.phi);
    EXPECT_EQ(many.columns[0].share, one.columns[0].share);
  }
}

// A wrong group that is as compact as a real one: nobody can tell, so both numbers are given.
TEST(CompanyAnswer, GivesBothReadingsOfRowsThatLieTogether) {
  const ToySample s = generate({.toy = Toy::inside, .n = 300, .m = 300, .seed = 901});
  const Distance w = distance(s.x, s.y, {.permutations = 0});
  ASSERT_EQ(w.readings.size(), 1u);
  EXPECT_EQ(w.readings[0].sample, Sample::x);
  EXPECT_NEAR(w.readings[0].if_real, *w.plain, 0.05 * *w.plain);
  EXPECT_EQ(w.readings[0].if_wrong, w.value);
  EXPECT_GT(w.readings[0].near_other, 20u);
  const ToySample scattered = generate({.toy = Toy::d1, .n = 300, .m = 300, .seed = 901});
  EXPECT_TRUE(distance(scattered.x, scattered.y, {.permutations = 0}).readings.empty());
}

TEST(CompanyAnswer, ProfileBeginsWithAllRowsAndEndsWithTheShareTau) {
  const ToySample s = generate({.toy = Toy::d1, .n = 200, .m = 100, .seed = 2});
  const Distance w = distance(s.x, s.y, {.permutations = 0});
  EXPECT_EQ(w.profile.front().x, 0u);
  EXPECT_EQ(w.profile.front().value, *w.plain);
  EXPECT_EQ(w.profile.back().x, 20u);
  EXPECT_EQ(w.profile.back().y, 10u);
}

// Below ten rows nobody knows which are remote, and the first ones of a file are not.
TEST(CompanyAnswer, ProfileTakesNoRowsOfASampleThatIsTooSmallToTell) {
  const Points x = gaussian_rows(3, 8, 2), y = gaussian_rows(4, 40, 2);
  const Distance w = distance(x, y, {.tau = {0.4, 0.1}, .permutations = 0});
  EXPECT_EQ(w.profile.back().x, 0u);
  EXPECT_EQ(w.profile.back().y, 4u);
}

TEST(CompanyAnswer, TellsADifferenceFromNoneAndNamesItsColumn) {
  const Points x = gaussian_rows(1, 150, 4), same = gaussian_rows(2, 150, 4);
  Points moved = same;
  for (std::size_t i = 0; i < moved.rows(); ++i) moved(i, 2) += 1;
  const Distance none = distance(x, same), some = distance(x, moved);
  EXPECT_EQ(none.verdict, Verdict::not_distinguishable);
  EXPECT_FALSE(none.needed.has_value());
  EXPECT_FALSE(none.columns[0].share.has_value());
  EXPECT_EQ(some.verdict, Verdict::differ);
  EXPECT_GT(*some.columns[2].share, 0.8);
  EXPECT_NEAR(some.columns[2].moved, 1, 0.3);
  EXPECT_GT(*some.needed, 0);
  EXPECT_LT(some.population->value, some.value);
  EXPECT_NEAR(some.population->value, 1, 0.35);
}

// Age moves by ten years beside an income that does not move.
TEST(CompanyAnswer, ScalesColumnsAndSaysWhichOneRules) {
  Points x = gaussian_rows(3, 200, 2), y = gaussian_rows(4, 200, 2);
  for (std::size_t i = 0; i < 200; ++i) {
    x(i, 0) = 40 + 8 * x(i, 0), y(i, 0) = 50 + 8 * y(i, 0);
    x(i, 1) = 5e4 + 8e3 * x(i, 1), y(i, 1) = 5e4 + 8e3 * y(i, 1);
  }
  const Distance raw = distance(x, y, {.column_names = {"age", "income"}});
  EXPECT_TRUE(warns(raw, WarningCode::units));
  const Distance robust = distance(x, y, {.scale = "robust", .column_names = {"age", "income"}});
  EXPECT_FALSE(warns(robust, WarningCode::units));
  EXPECT_EQ(robust.verdict, Verdict::differ);
  EXPECT_GT(*robust.columns[0].share, 0.9);
  EXPECT_NEAR(robust.columns[0].moved, 10, 2.5);
  EXPECT_NEAR(robust.columns[0].unit, 8, 1.5);
  // The potential takes rows as they are in the file.
  const std::vector<double> phi_x = (*robust.phi)(x), phi_y = (*robust.phi)(y);
  const double gap = std::accumulate(phi_x.begin(), phi_x.end(), 0.0) / 200 -
                     std::accumulate(phi_y.begin(), phi_y.end(), 0.0) / 200;
  EXPECT_NEAR(gap, robust.value, 0.01 * robust.value);
  EXPECT_EQ(Critic::from_json(robust.phi->to_json())(x), phi_x);
  const Distance given = distance(x, y, {.scale = "income=1000,age=2", .column_names = {"age", "income"}});
  EXPECT_EQ(given.columns[0].unit, 2);
  EXPECT_EQ(given.columns[1].unit, 1000);
}

TEST(CompanyAnswer, LeavesOutColumnsWithOneValueAndSaysSo) {
  Points x = gaussian_rows(5, 60, 2), y = gaussian_rows(6, 60, 2);
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = y(i, 1) = 7;
  const Distance w = distance(x, y, {.scale = "robust", .permutations = 0});
  EXPECT_TRUE(warns(w, WarningCode::constant_columns));
  Points first_x = x, first_y = y;
  for (std::size_t i = 0; i < 60; ++i) first_x(i, 1) = first_y(i, 1) = 0;
  EXPECT_NEAR(w.value * w.columns[0].unit, distance(first_x, first_y, {.permutations = 0}).value, 1e-9);
  EXPECT_EQ(w.columns[1].unit, 0);
}

TEST(CompanyAnswer, TakesWhatAColumnOfConstantsMovedByAsItsUnit) {
  Points x = gaussian_rows(5, 60, 2), y = gaussian_rows(6, 40, 2);
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = 19;
  for (std::size_t i = 0; i < 40; ++i) y(i, 1) = 2000;
  const Distance w = distance(x, y, {.scale = "robust"}), back = distance(y, x, {.scale = "robust"});
  EXPECT_EQ(w.verdict, Verdict::differ);
  EXPECT_GE(w.value, 1 - 1e-9);
  EXPECT_EQ(w.columns[1].unit, 1981);
  EXPECT_NEAR(w.columns[1].moved, 1981, 1e-9);
  EXPECT_GT(*w.columns[1].share, 0.5);
  ASSERT_TRUE(warns(w, WarningCode::constants_apart));
  EXPECT_EQ(w.warnings.front().text,
            "c2 is 19 in all rows of X and 2000 in all rows of Y, which alone tells them apart; --exclude "
            "'c2' compares the rest");
  EXPECT_EQ(back.value, w.value);
  EXPECT_NEAR(back.columns[1].moved, -1981, 1e-9);
  EXPECT_TRUE(warns(back, WarningCode::constants_apart));
  EXPECT_FALSE(warns(w, WarningCode::constant_columns));
  EXPECT_FALSE(
      warns(distance(gaussian_rows(7, 60, 2), y, {.permutations = 0}), WarningCode::constants_apart));
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = 7;
  for (std::size_t i = 0; i < 40; ++i) y(i, 1) = 9;
  EXPECT_FALSE(warns(distance(x, y, {.permutations = 0}), WarningCode::units))
      << "the shift of c2 counts too";
}

// One wrong cell neither hides that the others are all another value, nor does rounding make such a value.
TEST(CompanyAnswer, KnowsConstantsByNearlyAllRows) {
  Points x = gaussian_rows(5, 60, 2), y = gaussian_rows(6, 60, 2);
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = 19, y(i, 1) = 20;
  x(7, 1) = 1900;
  EXPECT_EQ(distance(x, y, {.scale = "robust", .permutations = 0}).columns[1].unit, 1);
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = 0.1 + 0.2, y(i, 1) = 0.3;
  EXPECT_EQ(distance(x, y, {.scale = "robust", .permutations = 0}).columns[1].unit, 0);
  for (std::size_t i = 0; i < 60; ++i) x(i, 1) = i < 2 ? 5 : 0, y(i, 1) = i < 2 ? 3 : 0;
  EXPECT_NEAR(distance(x, y, {.scale = "robust", .permutations = 0}).columns[1].unit, 4, 1e-9)
      << "counts that are mostly 0 have the unit that they had";
}

TEST(CompanyAnswer, SaysWhereAllRowsButAFewHaveOneValue) {
  Points x = gaussian_rows(5, 200, 2), y = gaussian_rows(6, 200, 2);
  for (std::size_t i = 0; i < 200; ++i) x(i, 1) = y(i, 1) = 19;
  y(11, 1) = 1900;
  const Distance w = distance(x, y, {.scale = "robust", .permutations = 0});
  ASSERT_TRUE(warns(w, WarningCode::odd_values));
  EXPECT_EQ(
      w.warnings.front().text,
      "c2 has one value in all rows but 1 row of Y (1900): that hardly moves the distance; motmot outliers "
      "lists such rows");
  EXPECT_FALSE(warns(distance(x, y, {.permutations = 0}), WarningCode::odd_values)) << "left out";
  for (std::size_t i = 0; i < 200; ++i) x(i, 1) = y(i, 1) = 0;
  y(11, 1) = 1;
  EXPECT_FALSE(warns(distance(x, y, {.scale = "robust", .permutations = 0}), WarningCode::odd_values))
      << "a flag";
}

// -999 in a fifth of the rows is nearly all of the distance and widens no spread.
TEST(CompanyAnswer, DoesNotSayThatOneColumnRulesWhereTheSharesNameAnother) {
  Points x = gaussian_rows(5, 300, 2), y = gaussian_rows(6, 300, 2);
  for (std::size_t i = 0; i < 300; ++i) x(i, 1) *= 10, y(i, 1) *= 10;
  for (std::size_t i = 0; i < 300; i += 5) y(i, 0) = -999;
  const Distance w = distance(x, y);
  ASSERT_EQ(w.verdict, Verdict::differ);
  EXPECT_GT(*w.columns[0].share, 0.9);
  EXPECT_FALSE(warns(w, WarningCode::units));
  const auto tau = std::ranges::find(w.warnings, WarningCode::tau_small, &Warning::code);
  ASSERT_NE(tau, w.warnings.end());
  EXPECT_TRUE(
      tau->text.ends_with("(--tau 0.2). All have c1 = -999, far outside the others: --na -999 "
                          "(with --missing level) if that means missing"))
      << tau->text;
  for (std::size_t i = 0; i < 300; i += 5) y(i, 0) = 0;
  EXPECT_TRUE(warns(distance(x, y), WarningCode::units));
  for (std::size_t i = 0; i < 300; ++i) x(i, 0) = y(i, 0) = 7;
  EXPECT_FALSE(warns(distance(x, y), WarningCode::units)) << "nothing to weigh the other column against";
}

TEST(CompanyAnswer, MovesNothingWhereValuesStandInAnotherOrder) {
  test::for_each_seed(20, [](Rng& rng) {
    Points x(100, 2), y(100, 2);
    const std::vector<double> values = test::normals(rng, 100);
    for (std::size_t i = 0; i < 100; ++i) {
      x(i, 0) = y(99 - i, 0) = 1e-12 * values[i];  // of any size
      x(i, 1) = y(99 - i, 1) = 1e6 * values[i];
    }
    Distance w = distance(x, y, {.tau = {0, 0}, .permutations = 0});
    EXPECT_EQ(w.columns[0].moved, 0);
    EXPECT_EQ(w.columns[1].moved, 0);
    for (std::size_t i = 0; i < 100; ++i) y(i, 0) += 1e-15;
    w = distance(x, y, {.tau = {0, 0}, .scale = "robust", .permutations = 0});
    EXPECT_NEAR(w.columns[0].moved, 1e-15, 1e-20);
  });
}

TEST(CompanyAnswer, WarnsInTheDecimalsOfTheAnswer) {
  Points x = gaussian_rows(5, 300, 1), y = gaussian_rows(6, 300, 1);
  for (std::size_t i = 0; i < 300; ++i) x(i, 0) = 1e5 * x(i, 0), y(i, 0) = 1e5 * y(i, 0);
  for (std::size_t i = 0; i < 300; i += 5) y(i, 0) = -1e6 - static_cast<double>(i);
  for (const Warning& warning : distance(x, y).warnings)
    EXPECT_EQ(warning.text.find("e+"), std::string::npos) << warning.text;
}

TEST(CompanyAnswer, RefusesScalesThatCannotBe) {
  const Points x = gaussian_rows(7, 20, 2);
  const auto complaint = [&](const std::string& scale) {
    return error_of([&] { (void)distance(x, x, {.scale = scale, .column_names = {"a", "b"}}); });
  };
  EXPECT_EQ(complaint("mad"), "scale must be none, robust or COLUMN=NUMBER,...; got 'mad'");
  EXPECT_EQ(complaint("c=2"), "scale names the column 'c', which the data do not have");
  EXPECT_EQ(complaint("a=0"), "the scale of column 'a' must be a positive number, got '0'");
  EXPECT_EQ(complaint("a=2x"), "the scale of column 'a' must be a positive number, got '2x'");
  EXPECT_EQ(complaint(""), "scale must be none, robust or COLUMN=NUMBER,...; got ''");
}

TEST(CompanyAnswer, RefusesCriticsAndWeights) {
  const Points x = gaussian_rows(7, 20, 2);
  EXPECT_EQ(error_of([&] { (void)distance(x, x, {.critic = CriticKind::clipped}); }),
            "estimator company takes exact transport; critic clipped is for the estimators with blocks (mom, "
            "mou, mou-diag)");
}

TEST(CompanyAnswer, TauAutoIsNeverZeroAndNeverCertified) {
  for (const double tau : {0.0, 0.08}) {
    const ToySample s = generate({.toy = Toy::far, .n = 300, .m = 300, .tau_x = tau, .seed = 905});
    const Distance w = distance(s.x, s.y, {.tau_auto = true, .permutations = 0});
    EXPECT_GE(w.tau_x, 0.02);
    EXPECT_GE(w.tau_x, tau);
    EXPECT_FALSE(w.interval_certified.has_value());
    EXPECT_FALSE(w.asked.why_tau.empty());
    EXPECT_NEAR(w.value, inlier_w1(s), 0.01 * w.value);
  }
  const ToySample s = generate({.toy = Toy::far, .n = 100, .m = 100, .seed = 905});
  EXPECT_EQ(distance(s.x, s.y, {.permutations = 0}).interval_certified, CertifiedEnd::lower);
}

TEST(CompanyAnswer, SaysWhyTauAutoTakesNoGroupForWrongRows) {
  Points x = gaussian_rows(33, 200, 2), y = gaussian_rows(34, 200, 2);
  const auto why = [&] { return distance(x, y, {.tau_auto = true, .permutations = 0}).asked.why_tau; };
  EXPECT_EQ(why(), "no row stands apart, and 2 % is the least");
  for (std::size_t i = 0; i < 30; ++i) x(i, 0) += 20;
  const std::string group = "more than 10 % of a sample stand apart and are taken for a group of its own";
  EXPECT_EQ(why(), group + ", and 2 % is the least");
  for (std::size_t i = 0; i < 5; ++i) y(i, 0) -= 20;
  EXPECT_EQ(why(), "5 rows of Y stand apart: twice their share, at least 2 %; " + group);
}

TEST(CompanyAnswer, SaysSoWhenMoreRowsStandApartThanTauAllows) {
  const ToySample s = generate({.toy = Toy::d1, .n = 300, .m = 300, .tau_x = 0.2, .seed = 906});
  const Distance small = distance(s.x, s.y, {.permutations = 0});
  EXPECT_TRUE(warns(small, WarningCode::tau_small));
  EXPECT_FALSE(warns(small, WarningCode::remote_rows)) << "one sentence says it already";
  const Distance enough = distance(s.x, s.y, {.tau = {0.2, 0.2}, .permutations = 0});
  EXPECT_FALSE(warns(enough, WarningCode::tau_small));
  EXPECT_NEAR(enough.value, inlier_w1(s), 0.02 * enough.value);
}

// 24 of 200 rows of X are wrong and 36 of Y, of which X may have 10 and Y 40: only X's share is too small.
TEST(CompanyAnswer, NeverProposesASmallerShareThanWasGiven) {
  Points x = gaussian_rows(31, 200, 2), y = gaussian_rows(32, 200, 2);
  for (std::size_t i = 0; i < 24; ++i)
    for (double& value : x.row(i)) value += 20;
  for (std::size_t i = 0; i < 36; ++i) y(i, 0) -= 25;
  const auto about_tau = [](const Distance& w) {
    const auto found = std::ranges::find(w.warnings, WarningCode::tau_small, &Warning::code);
    return found == w.warnings.end() ? std::string() : found->text;
  };
  const Distance enough = distance(x, y, {.tau = {0.15, 0.2}, .permutations = 0});
  EXPECT_LT(enough.value, 0.5);
  EXPECT_EQ(about_tau(enough), "");
  const std::string of_x = about_tau(distance(x, y, {.tau = {0.05, 0.2}, .permutations = 0})),
                    of_y = about_tau(distance(y, x, {.tau = {0.2, 0.05}, .permutations = 0}));
  EXPECT_TRUE(
      of_x.starts_with("24 rows of X and 36 of Y stand apart if up to 15 % of X and 20 % of Y may be"))
      << of_x;
  EXPECT_TRUE(of_x.ends_with("(--tau-x 0.15 --tau-y 0.2)")) << of_x;
  EXPECT_TRUE(of_y.ends_with("(--tau-x 0.2 --tau-y 0.15)")) << of_y;
}

/// Rows of gamma(2) in the plane, times a number: a body with a tail, and no gap.
Points skewed_rows(std::uint64_t seed, std::size_t n, double times) {
  Rng rng(seed, Purpose::test);
  std::vector<double> values(2 * n);
  for (double& value : values) value = -times * std::log(rng.open_uniform() * rng.open_uniform());
  return {std::move(values), 2};
}

// A tail has more rows wherever tau allows more: 4 of these 60 pairs are warned about, and 21 were while any
// two taus with about as many rows counted.
TEST(CompanyAnswer, DoesNotTakeATailForWrongRowsBeyondTau) {
  std::size_t warned = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    warned += warns(
        distance(skewed_rows(2 * seed, 100, 1), skewed_rows(2 * seed + 1, 40, 1.4), {.permutations = 0}),
        WarningCode::tau_small);
  EXPECT_LE(warned, 8u);
}

// Wrong rows that touch the others: no gap, but the profile shows them.
TEST(CompanyAnswer, SaysSoWhenRemoteRowsCarryTheDistance) {
  Points x = gaussian_rows(11, 300, 2);
  const Points y = gaussian_rows(13, 300, 2);  // with seed 12 there are rows that chance put far away
  EXPECT_FALSE(warns(distance(x, y, {.permutations = 0}), WarningCode::remote_rows));
  for (std::size_t i = 0; i < 24; ++i) x(i, 0) += 4;
  const Distance w = distance(x, y, {.permutations = 0});
  EXPECT_LT(w.left_out.x.size(), 12u);
  EXPECT_TRUE(warns(w, WarningCode::remote_rows)) << w.value << ' ' << w.profile.back().value;
}

// Too few rows to be sure of: both numbers are given. Of 20 pairs, with and without such
// rows.
TEST(CompanyAnswer, SaysSoWhenRowsFarFromTheOtherSampleCarryTheDistance) {
  const std::string words =
      "that lie where the other sample has none are left out; chance may have put them there";
  const auto pairs_told = [&](double away) {
    std::size_t told = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Points x = gaussian_rows(100 + seed, 60, 3);
      const Points y = gaussian_rows(200 + seed, 60, 3);
      for (std::size_t i = 0; i < 5; ++i) x(i, 0) += away;
      const Distance w = distance(x, y, {.permutations = 0});
      if (std::ranges::none_of(w.warnings,
                               [&](const Warning& one) { return one.text.find(words) != std::string::npos; }))
        continue;
      ++told;
      EXPECT_TRUE(w.left_out.x.empty() && w.left_out.y.empty());
      EXPECT_EQ(w.interval_certified, CertifiedEnd::lower);
    }
    return told;
  };
  EXPECT_LE(pairs_told(0), 2u);
  EXPECT_GE(pairs_told(4), 4u);
}

// A fifth of the rows, twice what tau allows: told in some pairs, in hardly any without such rows; then
// nothing is certified.
TEST(CompanyAnswer, SaysSoWhenMoreRowsThanTauAllowsLieFarFromTheOtherSample) {
  const auto pairs_told = [](double away) {
    std::size_t told = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Points x = gaussian_rows(300 + seed, 40, 3);
      const Points y = gaussian_rows(400 + seed, 40, 3);
      for (std::size_t i = 0; i < 8; ++i) x(i, 0) += away;
      const Distance w = distance(x, y, {.permutations = 0});
      const bool is_told = std::ranges::any_of(w.warnings, [](const Warning& warning) {
        return warning.text.find("they are more than may be wrong, so they were kept") != std::string::npos;
      });
      told += is_told;
      if (is_told) {
        EXPECT_FALSE(w.interval_certified.has_value());
      }
    }
    return told;
  };
  EXPECT_LE(pairs_told(0), 2u);
  EXPECT_GE(pairs_told(4), 4u);
}

TEST(CompanyAnswer, LeavesCopiesOfARowOutAndGivesBothReadings) {
  Points x = gaussian_rows(14, 100, 3);
  const Points y = gaussian_rows(15, 100, 3, 0.5), clean = x;
  for (std::size_t i = 41; i < 49; ++i)
    for (std::size_t k = 0; k < 3; ++k) x(i, k) = x(40, k);
  const Distance w = distance(x, y, {.permutations = 0});
  const std::vector<std::uint32_t> copies{41, 42, 43, 44, 45, 46, 47, 48};
  EXPECT_EQ(w.left_out.x, copies);
  EXPECT_NEAR(w.value, transport(without(clean, copies), y).cost, 1e-9 * w.value);
  ASSERT_EQ(w.readings.size(), 1u);
  EXPECT_TRUE(w.readings[0].copies);
  EXPECT_EQ(w.readings[0].rows, 8u);
  EXPECT_NEAR(w.readings[0].if_real, *w.plain, 1e-9 * w.value);
  EXPECT_EQ(w.readings[0].if_wrong, w.value);
  const Distance back = distance(y, x, {.permutations = 0});
  EXPECT_EQ(back.left_out.y, copies);
  EXPECT_EQ(back.readings.at(0).sample, Sample::y);
  // More of them than may be wrong stay.
  EXPECT_TRUE(distance(x, y, {.tau = {0.05, 0.05}, .permutations = 0}).left_out.x.empty());
}

TEST(CompanyAnswer, CountsAndNamesIdenticalRows) {
  Points x = gaussian_rows(14, 200, 3);
  const Points y = gaussian_rows(15, 200, 3);
  EXPECT_FALSE(warns(distance(x, y, {.permutations = 0}), WarningCode::identical_rows));
  for (std::size_t i = 50; i < 70; ++i)
    for (double& value : x.row(i)) value = 0;
  const Distance w = distance(x, y, {.permutations = 0});
  ASSERT_TRUE(warns(w, WarningCode::identical_rows));
  EXPECT_NE(w.warnings.front().text.find("20 rows of X are (0, 0, 0), other rows do not repeat"),
            std::string::npos)
      << w.warnings.front().text;
}

TEST(CompanyAnswer, ShowsARowThatRepeatsInTheUnitsOfTheData) {
  Points x = gaussian_rows(27, 100, 3), y = gaussian_rows(28, 100, 3);
  for (Points* sample : {&x, &y})
    for (std::size_t i = 0; i < 100; ++i) {
      sample->row(i)[0] = 35000 + 9000 * sample->row(i)[0];
      sample->row(i)[1] = 7;  // no spread at all: not compared by --scale robust
      sample->row(i)[2] = 40 + 12 * sample->row(i)[2];
    }
  for (std::size_t i = 20; i < 32; ++i) x(i, 0) = 40000, x(i, 2) = 33;
  for (const std::string scale : {"none", "robust", "c1=1000"}) {
    const Distance w = distance(x, y, {.scale = scale, .permutations = 0});
    const auto found = std::ranges::find(w.warnings, WarningCode::identical_rows, &Warning::code);
    ASSERT_NE(found, w.warnings.end()) << scale;
    const std::string row = scale == "robust" ? "(40000, 33)," : "(40000, 7, 33),";
    EXPECT_NE(found->text.find("12 rows of X are " + row), std::string::npos) << found->text;
  }
}

TEST(CompanyAnswer, MeetsEdgesWithASentenceOrARightNumber) {
  const Points five = gaussian_rows(16, 5, 2), one = gaussian_rows(17, 1, 2),
               fifty = gaussian_rows(18, 50, 2);
  EXPECT_TRUE(warns(distance(five, fifty), WarningCode::few_rows));
  EXPECT_TRUE(warns(distance(fifty, fifty, {.tau = {0.01, 0.01}}), WarningCode::nothing_can_go));
  EXPECT_FALSE(warns(distance(fifty, fifty), WarningCode::nothing_can_go));
  const Distance same = distance(fifty, fifty);
  EXPECT_EQ(same.value, 0);
  EXPECT_EQ(same.verdict, Verdict::not_distinguishable);
  EXPECT_EQ(same.p_value, 1);
  EXPECT_NEAR(distance(one, fifty).value, transport(one, fifty).cost, 1e-9);
  EXPECT_TRUE(same.warnings.empty()) << same.warnings.front().text;
  const Points twice = gaussian_rows(21, 150, 2);
  const Distance equals = distance(twice, twice, {.permutations = 0});
  EXPECT_GT(equals.interval->high, 0.1) << "other rows of either may be wrong";
  const Points equal(std::vector<double>(60, 2.5), 2);
  const Distance nothing = distance(equal, equal);
  EXPECT_EQ(nothing.value, 0);
  EXPECT_EQ(nothing.p_value, 1);
  const Points wide = gaussian_rows(19, 12, 40), wider = gaussian_rows(20, 15, 40);
  EXPECT_NEAR(distance(wide, wider).value, transport(wide, wider).cost, 1e-9);
}

TEST(CompanyAnswer, ProposesAShareThatAllowsARow) {
  for (const std::size_t n : {10, 11, 12, 13, 30, 64, 100, 300, 999, 1000}) {
    const Distance w = distance(gaussian_rows(25, n, 1), gaussian_rows(26, n, 1),
                                {.tau = {0.5 / static_cast<double>(n), 0}, .permutations = 0});
    const auto found = std::ranges::find(w.warnings, WarningCode::nothing_can_go, &Warning::code);
    ASSERT_NE(found, w.warnings.end()) << n;
    const double tau = std::stod(found->text.substr(found->text.find("--tau ") + 6));
    EXPECT_EQ(share_of(tau, n), 1u) << found->text;
  }
}

TEST(CompanyAnswer, SaysSoWhereNoDistanceWouldBeADifference) {
  const Points near = gaussian_rows(22, 3, 1), far = gaussian_rows(23, 3, 1, 1000),
               four = gaussian_rows(24, 4, 1, 1000), fifty = gaussian_rows(18, 50, 1);
  const auto warned = [](const Distance& w) {
    return std::ranges::any_of(
        w.warnings, [](const Warning& one) { return one.text.find("for a verdict") != std::string::npos; });
  };
  EXPECT_TRUE(warned(distance(near, far)));
  EXPECT_FALSE(warned(distance(near, four)));        // 1 of 35 deals
  for (std::uint64_t seed = 0; seed < 20; ++seed) {  // of 19 deals some show nobody else on Y's side
    const Distance w =
        distance(gaussian_rows(40 + seed, 18, 2), gaussian_rows(70 + seed, 1, 2, 100), {.seed = seed});
    EXPECT_TRUE(warned(w));
    EXPECT_EQ(w.verdict, Verdict::not_distinguishable) << seed;
    EXPECT_GE(std::min({*w.p_value, *w.floor->w1_p_value, w.floor->energy_p_value, *w.floor->kernel_p_value}),
              1.0 / 19);
  }
  EXPECT_TRUE(warned(distance(fifty, fifty, {.permutations = 18})));
  EXPECT_FALSE(warned(distance(fifty, fifty, {.permutations = 19})));
}

TEST(CompanyAnswer, StopsAtOnceWithAFiniteFlaggedAnswer) {
  const ToySample s = generate({.n = 400, .m = 400, .seed = 5});
  const Distance w = distance(s.x, s.y, {.threads = 1, .progress = [](double) { return false; }});
  EXPECT_TRUE(w.run.stopped);
  EXPECT_TRUE(warns(w, WarningCode::stopped));
  EXPECT_NE(text(w).find("Y (400 rows) are at most "), std::string::npos) << text(w);
  EXPECT_EQ(text(w).find("No row stands alone"), std::string::npos) << "that is not known";
  EXPECT_TRUE(std::isfinite(w.value));
  EXPECT_FALSE(w.p_value.has_value());
  EXPECT_FALSE(w.interval_certified.has_value());
}

TEST(UsedRows, AreASubsampleWhereExactTransportIsTooLarge) {
  const Points large(std::vector<double>(15'000, 1.0), 1), small(std::vector<double>(14'000, 2.0), 1);
  Company all{.by_remoteness = std::vector<std::uint32_t>(15'000)};
  std::iota(all.by_remoteness.begin(), all.by_remoteness.end(), 0u);
  Company fewer{.by_remoteness = std::vector<std::uint32_t>(14'000)};
  std::iota(fewer.by_remoteness.begin(), fewer.by_remoteness.end(), 0u);
  all.left_out = {0, 5, 14'999};
  const Sides used = used_rows({{}, large, small}, {all, fewer}, {0.1, 0.1}, 1);
  EXPECT_EQ(used.x.points.rows(), 10'000u);
  EXPECT_EQ(used.y.points.rows(), 10'000u);
  EXPECT_EQ(used.x.by_remoteness.size(), 10'000u);
  EXPECT_EQ(used.x.may_go, 1000u);
  EXPECT_LE(used.x.left_out.size(), 3u);
  for (const std::uint32_t place : used.x.left_out)
    EXPECT_TRUE(std::ranges::binary_search(all.left_out, used.x.rows[place]));
}

}  // namespace
}  // namespace motmot::test
