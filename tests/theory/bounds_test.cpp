#include <numbers>

#include "support/support.hpp"
#include "theory/theory.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;

bool mentions(const Bound& bound, const std::string& what) {
  return std::ranges::any_of(bound.notes,
                             [&](const std::string& note) { return note.find(what) != note.npos; });
}

TEST(Gamma, WorksByHand) {
  EXPECT_EQ(gamma_factor(0), 1);
  EXPECT_NEAR(gamma_factor(0.125), std::sqrt(2.0), 1e-15);  // sqrt(1.5) / sqrt(0.75)
  EXPECT_NEAR(gamma_factor(0.02), std::sqrt(1.2 / 0.96), 1e-15);
  EXPECT_TRUE(std::isinf(gamma_factor(0.5)));
}

TEST(Prop5, WorksByHand) {
  // tau = 0.125, diam = 3: C_2 = 12 sqrt 2, C_1 = 2 + C_2 / 2; n = 256, d = 2: n^(-1/4) = 1/4.
  // ln(1/delta) = 4 n sqrt(2 tau) = 2 n, as 0.05 is not admitted: the second term is C_2 sqrt 2 = 24.
  const BoundOptions options{.d = 2, .diameter = 3, .c_l = 0.5};
  const double c2 = 12 * std::numbers::sqrt2;
  const Bound bound = prop5_one_sample(256, 0.125, options);
  EXPECT_NEAR(bound.value.value(), (2 + c2 / 2) / 4 + 24, 1e-12);
  EXPECT_NEAR(bound.log_delta.value(), -512, 1e-12);
  EXPECT_TRUE(bound.vacuous);
  EXPECT_TRUE(mentions(bound, "not admitted"));
  EXPECT_TRUE(mentions(bound, "vacuous"));
  const Bound diag = prop5_mou_diag(256, 256, 0.1, 0.025, options);
  EXPECT_NEAR(diag.value.value(), 2 * *bound.value, 1e-12);
}

TEST(Prop5, TakesTheDeltaAskedWhenItIsAdmitted) {
  const BoundOptions options{.diameter = 1, .c_l = 0.01, .delta = 0.05};
  const Bound clean = prop5_one_sample(10000, 0, options);
  EXPECT_NEAR(clean.log_delta.value(), std::log(0.05), 1e-15);
  EXPECT_NEAR(clean.value.value(), 2.04 / 10 + 4 * std::sqrt(std::log(20) / 10000), 1e-12);
  EXPECT_FALSE(clean.vacuous);
  EXPECT_TRUE(mentions(clean, "K = 1"));
  const Bound both = prop5_mom(10000, 10000, 0, 0, options);
  EXPECT_NEAR(both.value.value(), 2 * (2.04 / 10 + 4 * std::sqrt(std::log(40) / 10000)), 1e-12);
  EXPECT_NEAR(both.log_delta.value(), std::log(0.05), 1e-12);
}

TEST(Prop5, GrowsWithTauAndFallsWithN) {
  for_each_seed(500, [](Rng& rng) {
    const std::size_t n = 2 + rng.below(100000);
    const double tau = rng.uniform(0, 0.4);
    const BoundOptions options{
        .d = 1 + rng.below(20), .diameter = rng.uniform(0.1, 100), .c_l = rng.uniform(0, 5)};
    const double here = prop5_one_sample(n, tau, options).value.value();
    EXPECT_LT(here, prop5_one_sample(n, tau + 0.05, options).value.value());
    EXPECT_GT(here, prop5_one_sample(2 * n, tau, options).value.value());
    EXPECT_NEAR(prop5_mom(n, n, tau, tau, options).value.value() / (2 * here), 1, 0.5);
  });
}

TEST(Prop5, SaysWhatItDoesNotCover) {
  const Bound unequal = prop5_mou_diag(100, 200, 0.1, 0.1);
  EXPECT_FALSE(unequal.value);
  EXPECT_TRUE(mentions(unequal, "n = m (100 and 200)"));
  EXPECT_FALSE(prop5_mou_diag(100, 100, 0.3, 0.3).value);
  EXPECT_EQ(error_of([] { (void)prop5_one_sample(100, 0.5); }), "tau must lie in [0, 0.5), got 0.5");
  EXPECT_EQ(error_of([] { (void)prop5_one_sample(100, 0.1, {.delta = 1}); }),
            "delta must lie in (0, 1), got 1");
  for (const double delta : {1.5, 2.0})  // and not the half that each sample gets
    EXPECT_EQ(error_of([&] { (void)prop5_mom(100, 100, 0.1, 0.1, {.delta = delta}); }),
              "delta must lie in (0, 1), got " + std::string(delta == 2 ? "2" : "1.5"));
  EXPECT_NE(error_of([] { (void)prop5_one_sample(100, 0.1, {.diameter = 0}); }), "");
}

TEST(Theorem6, WorksByHand) {
  // tau = 0.125: (2/tau)^(1/4) = 2, Gamma = sqrt 2; diam = 1: C_2 = 4 sqrt 2, C_1 = 2 + C_2.
  const BoundOptions options{.d = 2, .diameter = 1, .c_l = 1, .alpha_o = 0.0, .c_o = 6.0};
  const double c2 = 4 * std::numbers::sqrt2;
  const Kappas k = kappas(0.125, 6, options);
  EXPECT_NEAR(k.kappa1, 2 + c2, 1e-12);
  EXPECT_NEAR(k.kappa2, 24 * c2, 1e-12);
  EXPECT_NEAR(k.kappa3, std::sqrt(std::numbers::pi) * c2 / 2, 1e-12);
  EXPECT_NEAR(k.kappa_prime(), 2 * (k.kappa1 + k.kappa3) + 2 * std::numbers::sqrt2 * k.kappa2, 1e-12);
  // n = 256: n_O = 32 <= 36, n^(1/4) = 4, n^(1/2) = 16.
  const Bound bound = theorem6_one_sample(256, 0.125, options);
  EXPECT_NEAR(bound.value.value(), k.kappa1 / 4 + (k.kappa2 + k.kappa3) / 16, 1e-12);
  EXPECT_TRUE(bound.vacuous);
  EXPECT_NEAR(theorem6_mou_diag(256, 256, 0.125, 0, options).value.value(), k.kappa_prime() / 4, 1e-12);
}

TEST(Theorem6, ChoosesTheSmallestConstantsWhenNoneAreGiven) {
  for_each_seed(200, [](Rng& rng) {
    const std::size_t n = 100 + rng.below(10000);
    const double tau = rng.uniform(0.01, 0.2);
    const BoundOptions open{.d = 1 + rng.below(5)};
    BoundOptions given = open;
    given.alpha_o = rng.uniform(0, 0.99 * static_cast<double>(open.d) / static_cast<double>(open.d + 2));
    const Bound best = theorem6_one_sample(n, tau, open);
    const Bound other = theorem6_one_sample(n, tau, given);
    ASSERT_EQ(best.value.has_value(), other.value.has_value());
    if (best.value) {
      EXPECT_LE(*best.value, *other.value * (1 + 1e-12));
    }
    const Bound best_diag = theorem6_mou_diag(n, n, tau, tau, open);
    const Bound other_diag = theorem6_mou_diag(n, n, tau, tau, given);
    if (best_diag.value) {
      EXPECT_LE(*best_diag.value, *other_diag.value * (1 + 1e-12));
    }
  });
}

TEST(Theorem6, SaysWhatItDoesNotCover) {
  EXPECT_TRUE(mentions(theorem6_one_sample(500, 0), "tau must be positive"));
  EXPECT_TRUE(mentions(theorem6_mom(500, 500, 0.1, 0), "Y is not"));
  EXPECT_FALSE(theorem6_mom(500, 500, 0.1, 0).value);
  EXPECT_TRUE(mentions(theorem6_one_sample(500, 0.1, {.alpha_o = 0.5, .c_o = 1.0}), "Assumption 3"));
  EXPECT_TRUE(mentions(theorem6_one_sample(500, 0.1, {.alpha_o = 0.5, .beta = 0.4}), "beta > alpha_O"));
  EXPECT_TRUE(mentions(theorem6_mou_diag(500, 500, 0.1, 0.1, {.beta = 0.9}), "beta = 1 only"));
  EXPECT_TRUE(mentions(theorem6_mou_diag(500, 500, 0, 0), "tau must be positive"));
  // d = 50, C_L = 10: n^(1/52) >= 24.8 takes 10^72 rows.
  const Bound few = theorem6_one_sample(500, 0.001, {.d = 50, .c_l = 10});
  EXPECT_FALSE(few.value);
  EXPECT_TRUE(mentions(few, "it takes n >= "));
}

}  // namespace
}  // namespace motmot
