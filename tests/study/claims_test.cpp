#include <functional>

#include "study/claim_tools.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

/// A result whose mean deviation is what `deviation` says, on a reference of 1.
StudyResult synthetic_error(const std::function<double(Toy, double tau, std::size_t k)>& deviation) {
  StudyResult r{.options = full_study(Study::error)};
  r.options.repetitions = 1;
  r.options.estimators = {Estimator::mou_diag};
  for (const Toy data : r.options.data)
    for (const double tau : r.options.tau)
      for (const std::size_t k : r.options.blocks)
        r.summary.push_back({.data = data,
                             .tau = tau,
                             .method = "mou-diag",
                             .k = k,
                             .repetitions = 1,
                             .mean = deviation(data, tau, k),
                             .reference = 1});
  return r;
}

const Claim& claim_about(const std::vector<Claim>& claims, const std::string& words) {
  for (const Claim& claim : claims)
    if (claim.quote.find(words) != std::string::npos) return claim;
  ADD_FAILURE() << "no claim about " << words;
  return claims.front();
}

TEST(ErrorClaims, HoldWhenEnoughBlocksRemoveTheDeviation) {
  const auto claims =
      check_claims(synthetic_error([](Toy, double tau, std::size_t k) { return k >= 70 ? 0.0 : tau; }));
  EXPECT_EQ(claim_about(claims, "high enough").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "only 70 blocks").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "not necessary").verdict, Finding::holds);
}

TEST(ErrorClaims, FailWhenNothingHelps) {
  const auto claims = check_claims(synthetic_error([](Toy, double tau, std::size_t) { return 10 * tau; }));
  EXPECT_EQ(claim_about(claims, "high enough").verdict, Finding::does_not_hold);
  EXPECT_EQ(claim_about(claims, "only 70 blocks").verdict, Finding::does_not_hold);
  EXPECT_EQ(claim_about(claims, "not necessary").verdict, Finding::does_not_hold);
}

TEST(ErrorClaims, JudgeWhatIsClaimedOfD1AndSayWhatGoesBeyond) {
  const auto claims = check_claims(
      synthetic_error([](Toy data, double tau, std::size_t) { return data == Toy::d1 ? 0 : tau; }));
  std::vector<Claim> seventy;
  for (const Claim& claim : claims)
    if (claim.quote.find("Figure 2 (left), only 70 blocks") != std::string::npos) seventy.push_back(claim);
  ASSERT_EQ(seventy.size(), 2u);
  EXPECT_FALSE(seventy[0].beyond);
  EXPECT_EQ(seventy[0].verdict, Finding::holds);
  EXPECT_EQ(seventy[0].measured.find("d2"), std::string::npos);
  EXPECT_TRUE(seventy[1].beyond);
  EXPECT_EQ(seventy[1].verdict, Finding::does_not_hold);
  EXPECT_EQ(seventy[1].measured.find("d1"), std::string::npos);
}

TEST(ErrorClaims, SayWhyTheirThresholdAndHowManyRuns) {
  const StudyResult r = synthetic_error([](Toy, double, std::size_t) { return 0.0; });
  for (const Claim& claim : check_claims(r)) {
    EXPECT_FALSE(claim.why.empty()) << claim.quote;
    if (claim.quote.find("blocks can be") == std::string::npos &&
        claim.quote.find("this is why") == std::string::npos) {
      EXPECT_EQ(claim.runs, r.options.repetitions) << claim.quote;
    }
  }
}

TEST(ErrorClaims, DoNotBlameOutliersForWhatKDoesWithoutThem) {
  const auto claims =
      check_claims(synthetic_error([](Toy, double, std::size_t k) { return k == 1 ? 0.0 : 0.3; }));
  EXPECT_EQ(claim_about(claims, "only 70 blocks").verdict, Finding::holds);
}

TEST(ErrorClaims, TheThresholdIsFivePercentOfTheReference) {
  for (const double added : {0.049, 0.051}) {
    const auto claims =
        check_claims(synthetic_error([=](Toy, double tau, std::size_t) { return tau > 0 ? added : 0; }));
    EXPECT_EQ(claim_about(claims, "only 70 blocks").verdict,
              added < 0.05 ? Finding::holds : Finding::does_not_hold);
  }
}

TEST(ErrorClaims, OutliersShareBlocksButSeventyOfFiveHundredRowsHaveADirtyMajority) {
  const auto claims = check_claims(synthetic_error([](Toy, double, std::size_t) { return 0.0; }));
  EXPECT_EQ(claim_about(claims, "several blocks can be contaminated").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "this is why fewer blocks").verdict, Finding::does_not_hold);
  EXPECT_NE(claim_about(claims, "this is why").measured.find("36.7 of 70 blocks"), std::string::npos);
}

/// Curves that reach `end(tau, k)` at epoch ceil(600 / k) and stay there; the reference is 1.
StudyResult synthetic_convergence(const std::function<double(double tau, std::size_t k)>& end, bool faster) {
  StudyResult r{.options = full_study(Study::convergence)};
  r.options.estimators = {Estimator::mom};
  r.options.repetitions = 1;
  for (const double tau : r.options.tau)
    for (const std::size_t k : r.options.blocks)
      for (std::size_t epoch = 1; epoch <= 1000; epoch += 3) {
        const double there = faster ? 600.0 / static_cast<double>(k) : static_cast<double>(k);
        const double value = static_cast<double>(epoch) >= there ? end(tau, k) : 0;
        Measurement m{.data = Toy::d1, .tau = tau, .method = "mom", .k = k, .epoch = epoch};
        m.value = value;
        m.reference = 1;
        r.measurements.push_back(m);
        r.summary.push_back(
            {.data = Toy::d1, .tau = tau, .method = "mom", .k = k, .epoch = epoch, .repetitions = 1});
        r.summary.back().mean = value;
        r.summary.back().reference = 1;
      }
  return r;
}

TEST(ConvergenceClaims, HoldForCurvesAsThePaperDescribesThem) {
  const auto as_told = [](double tau, std::size_t k) {
    const auto x = static_cast<double>(k);
    return tau == 0 ? 1 + 1e-4 * (x - 1) : 1.5 - 0.001 * x;
  };
  const auto claims = check_claims(synthetic_convergence(as_told, true));
  EXPECT_EQ(claim_about(claims, "faster").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "no anomalies").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "especially").verdict, Finding::holds);
  EXPECT_EQ(claim_about(claims, "closer to the").verdict, Finding::holds);
}

TEST(ConvergenceClaims, FailForCurvesThatDoTheOpposite) {
  const auto opposite = [](double tau, std::size_t k) {
    const auto x = static_cast<double>(k);
    return tau == 0 ? 1.5 - 0.001 * x : 1 + 0.001 * x;
  };
  const auto claims = check_claims(synthetic_convergence(opposite, false));
  EXPECT_EQ(claim_about(claims, "faster").verdict, Finding::does_not_hold);
  EXPECT_EQ(claim_about(claims, "no anomalies").verdict, Finding::does_not_hold);
  EXPECT_EQ(claim_about(claims, "especially").verdict, Finding::does_not_hold);
  EXPECT_EQ(claim_about(claims, "closer to the").verdict, Finding::does_not_hold);
}

TEST(BreakdownClaims, SayForWhichDataTheyHold) {
  StudyResult r{.options = full_study(Study::breakdown)};
  r.options.estimators = {Estimator::mom};
  for (const Toy data : r.options.data)
    for (const double tau : r.options.tau)
      for (const std::size_t k : r.options.blocks) {
        r.summary.push_back({.data = data, .tau = tau, .method = "mom", .k = k, .repetitions = 1});
        r.summary.back().mean = data == Toy::far && tau > 0 && k <= 70 ? 2000 : 1;
      }
  const auto claims = check_claims(r);
  EXPECT_EQ(claim_about(claims, "only 70 blocks").verdict, Finding::holds_only_if);
  EXPECT_EQ(claim_about(claims, "only 70 blocks").condition, "the data are not far");
  EXPECT_EQ(claim_about(claims, "routinely").verdict, Finding::holds);
}

TEST(Trend, IsOneForGrowingMinusOneForFallingAndZeroForFlat) {
  EXPECT_EQ(trend(std::vector<double>{1, 2, 5}), 1);
  EXPECT_EQ(trend(std::vector<double>{5, 2, 1}), -1);
  EXPECT_EQ(trend(std::vector<double>{3, 3, 3}), 0);
  EXPECT_EQ(trend(std::vector<double>{3}), 0);
}

}  // namespace
}  // namespace motmot
