#include "base/random.hpp"

#include <numeric>

#include "base/normal.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

// Known answer of Philox4x32-10 from Random123's own test vectors: counter and key all zero.
TEST(Rng, IsPhiloxAndNothingElse) {
  const auto block = r123::Philox4x32{}({{0, 0, 0, 0}}, {{0, 0}});
  EXPECT_EQ(block[0], 0x6627e8d5u);
  EXPECT_EQ(block[3], 0x9b00dbd8u);
}

TEST(Rng, StreamsAreFunctionsOfSeedPurposeAndStep) {
  const auto first = [](std::uint64_t seed, Purpose purpose, std::uint64_t step) {
    Rng rng(seed, purpose, step);
    return rng.bits64();
  };
  EXPECT_EQ(first(1, Purpose::test, 5), first(1, Purpose::test, 5));
  EXPECT_NE(first(1, Purpose::test, 5), first(2, Purpose::test, 5));
  EXPECT_NE(first(1, Purpose::test, 5), first(1, Purpose::test, 6));
  EXPECT_NE(first(1, Purpose::test, 5), first(1, Purpose::weights, 5));
  EXPECT_NE(first(1, Purpose::test, 0), first(1 + (1ull << 40), Purpose::test, 0));
  EXPECT_NE(first(1, Purpose::test, 0), first(1, Purpose::test, 1ull << 40));
}

TEST(Rng, BelowStaysBelowAndIsUniform) {
  // Chi-square with 9 degrees of freedom; 27.9 is exceeded with chance 0.001. The seed is fixed.
  Rng rng(3, Purpose::test);
  std::vector<double> counts(10);
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) ++counts.at(rng.below(10));
  double chi2 = 0;
  for (const double count : counts) chi2 += (count - draws / 10.0) * (count - draws / 10.0) / (draws / 10.0);
  EXPECT_LT(chi2, 27.9);
}

TEST(Rng, NormalsHaveTheRightQuantiles) {
  // Each share has standard error below 0.0016; the tolerance is 4 of them.
  Rng rng(4, Purpose::test);
  const std::vector<double> z = test::normals(rng, 100000);
  for (const double q : {-2.0, -1.0, 0.0, 0.5, 1.5}) {
    const auto below = std::count_if(z.begin(), z.end(), [q](double value) { return value < q; });
    EXPECT_NEAR(static_cast<double>(below) / 100000, normal_cdf(q), 0.0064) << q;
  }
}

TEST(Normal, QuantileInvertsTheDistributionFunction) {
  for (double p = 1e-300; p < 0.5; p *= 3) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-11) << p;
    EXPECT_EQ(normal_quantile(1 - p), -normal_quantile(1 - (1 - p))) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
}

}  // namespace
}  // namespace motmot
