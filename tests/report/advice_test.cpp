#include <nlohmann/json.hpp>
#include <sstream>

#include "motmot/report.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

AdviseOptions random_options(Rng& rng) {
  AdviseOptions options;
  options.n = 1 + rng.below(rng.below(2) ? 20 : 100000);
  options.m = rng.below(2) ? options.n : 1 + rng.below(100000);
  options.tau.x = rng.below(3) ? rng.uniform(0, 0.5) : 0;
  options.tau.y = rng.below(3) ? rng.uniform(0, 0.5) : 0;
  options.bounds = {.d = 1 + rng.below(100), .diameter = rng.exponential(), .c_l = rng.exponential()};
  return options;
}

TEST(Advise, CoversEveryRuleForEveryEstimator) {
  const Advice advice = advise({.n = 500, .m = 500, .tau = {0.1, 0}});
  ASSERT_EQ(advice.estimators.size(), 3u);
  EXPECT_EQ(advice.expected.x, 50u);
  EXPECT_EQ(advice.expected.y, 0u);
  for (const EstimatorAdvice& estimator : advice.estimators) {
    ASSERT_EQ(estimator.rules.size(), names<BlockRule>.size());
    EXPECT_EQ(estimator.rules.front().rule, BlockRule::motmot_default);
    EXPECT_TRUE(estimator.admission.all());
  }
  EXPECT_EQ(advise({.estimator = Estimator::mou}).estimators.size(), 1u);
  EXPECT_EQ(error_of([] { (void)advise({.estimator = Estimator::plain}); }),
            "plain has no blocks to advise on");
  EXPECT_EQ(error_of([] { (void)advise({.tau = {0.7, 0}}); }), "tau must lie in [0, 0.5), got 0.7");
}

TEST(Advise, SaysThatSeventyOfFiveHundredLosesItsMajority) {
  const Advice advice = advise({.n = 500, .m = 500, .tau = {0.1, 0}});
  for (const EstimatorAdvice& estimator : advice.estimators)
    for (const RuleAdvice& rule : estimator.rules) {
      const bool lost = rule.rule == BlockRule::seventy || rule.rule == BlockRule::gan;
      EXPECT_EQ(rule.majority, lost ? Majority::lost : Majority::always) << name(rule.rule);
      EXPECT_EQ(std::isinf(rule.bias), lost) << name(rule.rule);
    }
}

TEST(AdviceText, FitsATerminalAndMarksOneRulePerEstimator) {
  for_each_seed(100, [](Rng& rng) {
    const Advice advice = advise(random_options(rng));
    std::size_t marked = 0;
    for (const std::string& line : lines_of(text(advice))) {
      EXPECT_LE(line.size(), 100u) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
      marked += line.starts_with("  > default");
    }
    EXPECT_EQ(marked, 3u);
  });
}

TEST(AdviceText, IsWhatWeMeantItToBe) {
  const std::string said = text(advise({.n = 500, .m = 500, .tau = {0.1, 0}, .estimator = Estimator::mom}));
  const std::vector<std::string> lines = lines_of(said);
  EXPECT_EQ(lines.at(0),
            "Advice for n = 500, m = 500, d = 2, tau_x = 0.1, tau_y = 0: 50 outliers in X, 0 in Y expected");
  EXPECT_EQ(lines.at(5),
            "    rule       K_X  K_Y  B_X  B_Y      p      bias  worst case  on average  majority");
  EXPECT_EQ(lines.at(6),
            "  > default    249    1    2  500  0.190     0.211     124 / 0     146 / 0  always");
  EXPECT_EQ(lines.at(9), "    seventy     70    1    7  500  0.522  no limit      34 / 0      47 / 0  lost");
  EXPECT_NE(said.find("delta = 0.025 is not admitted"), std::string::npos);
  EXPECT_NE(said.find("with chance >= 1 - 10^-388, vacuous"), std::string::npos);
  EXPECT_NE(said.find("Nothing here is below the diameter"), std::string::npos);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 100u) << line;
}

TEST(AdviceJson, SaysTheSameAsTheStruct) {
  for_each_seed(50, [](Rng& rng) {
    const Advice advice = advise(random_options(rng));
    const auto json = nlohmann::json::parse(advice_json(advice));
    EXPECT_EQ(json.at("options").at("n"), advice.options.n);
    ASSERT_EQ(json.at("estimators").size(), advice.estimators.size());
    for (std::size_t e = 0; e < advice.estimators.size(); ++e) {
      const EstimatorAdvice& estimator = advice.estimators[e];
      const auto& told = json.at("estimators").at(e);
      EXPECT_EQ(told.at("estimator"), name(estimator.estimator));
      const auto& conditions = told.at("admission").at("conditions");
      ASSERT_EQ(conditions.size(), estimator.admission.conditions.size());
      for (std::size_t c = 0; c < conditions.size(); ++c)
        EXPECT_EQ(conditions.at(c).at("holds"), estimator.admission.conditions[c].holds);
      EXPECT_EQ(told.at("rules").at(0).at("blocks").at("k_x"), estimator.rules[0].blocks.k_x);
      EXPECT_EQ(told.at("rules").at(0).at("blocks").at("p"), estimator.rules[0].blocks.p);
      ASSERT_EQ(told.at("bounds").size(), estimator.bounds.size());
      for (std::size_t b = 0; b < estimator.bounds.size(); ++b)
        EXPECT_EQ(told.at("bounds").at(b).at("value").is_null(), !estimator.bounds[b].value);
    }
  });
}

}  // namespace
}  // namespace motmot
