#include "theory/theory.hpp"

#include <bit>

#include "base/normal.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;

constexpr std::array block_estimators{Estimator::mom, Estimator::mou, Estimator::mou_diag};

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// ------------------------------------------------------------------------------------------- rules

TEST(BlockRules, GiveTheNumbersOfThePaperForFiveHundredRows) {
  const auto k = [](BlockRule rule, Estimator estimator, double tau_x, double tau_y) {
    const PerSample<std::size_t> counts = blocks_by_rule(rule, estimator, 500, 500, tau_x, tau_y);
    return std::pair(counts.x, counts.y);
  };
  using Pair = std::pair<std::size_t, std::size_t>;
  // sqrt(0.2) 500 = 223.6; mou: tau~ = 0.19, sqrt(0.38) 500 = 308.2; mou-diag: sqrt(0.4) 500 = 316.2.
  EXPECT_EQ(k(BlockRule::prop4, Estimator::mom, 0.1, 0), Pair(224, 1));
  EXPECT_EQ(k(BlockRule::prop4, Estimator::mom, 0.1, 0.1), Pair(224, 224));
  EXPECT_EQ(k(BlockRule::prop4, Estimator::mou, 0.1, 0.1), Pair(309, 309));
  EXPECT_EQ(k(BlockRule::prop4, Estimator::mou_diag, 0.1, 0.1), Pair(317, 317));
  EXPECT_EQ(k(BlockRule::section42, Estimator::mom, 0.1, 0), Pair(101, 1));
  EXPECT_EQ(k(BlockRule::seventy, Estimator::mom, 0.1, 0), Pair(70, 1));
  EXPECT_EQ(k(BlockRule::seventy, Estimator::mou_diag, 0.1, 0), Pair(70, 70));
  EXPECT_EQ(k(BlockRule::gan, Estimator::mom, 0.015, 0), Pair(4, 4));
  EXPECT_EQ(k(BlockRule::motmot_default, Estimator::mom, 0.1, 0), Pair(249, 1));
  EXPECT_EQ(k(BlockRule::prop4, Estimator::plain, 0.1, 0.1), Pair(1, 1));
}

TEST(BlockRules, AreNotFooledByTheLastBit) {
  // 2 tau n and 1.4 tau n are whole numbers here, though not in binary.
  EXPECT_EQ(blocks_by_rule(BlockRule::section42, Estimator::mom, 100, 100, 0.07, 0.29).x, 15u);
  EXPECT_EQ(blocks_by_rule(BlockRule::section42, Estimator::mom, 100, 100, 0.07, 0.29).y, 59u);
  EXPECT_EQ(blocks_by_rule(BlockRule::seventy, Estimator::mom, 1000, 1000, 0.05, 0.35).x, 70u);
  EXPECT_EQ(blocks_by_rule(BlockRule::seventy, Estimator::mom, 1000, 1000, 0.05, 0.35).y, 490u);
}

TEST(BlockRules, StayWithinOneAndN) {
  for_each_seed(2000, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(rng.below(2) ? 12 : 5000);
    const std::size_t m = 1 + rng.below(rng.below(2) ? 12 : 5000);
    const double tau_x = rng.below(4) ? rng.uniform(0, 0.5) : 0;
    const double tau_y = rng.below(4) ? rng.uniform(0, 0.5) : 0;
    for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou, Estimator::mou_diag})
      for (const auto& [word, rule] : names<BlockRule>) {
        const PerSample<std::size_t> k = blocks_by_rule(rule, estimator, n, m, tau_x, tau_y);
        EXPECT_TRUE(1 <= k.x && k.x <= n && 1 <= k.y && k.y <= m)
            << name(rule) << " " << name(estimator) << " n " << n << " m " << m << " K " << k.x << " " << k.y;
        if (estimator == Estimator::mou_diag) {
          EXPECT_EQ(k.x, k.y);
        }
      }
  });
}

// Prop. 4 (prop:consistency): its K leaves the clean blocks in the majority, wherever outliers fall.
TEST(BlockRules, OfProp4AlwaysKeepACleanMajorityUnderThePapersConditions) {
  for_each_seed(2000, [](Rng& rng) {
    const std::size_t n = 20 + rng.below(2000);
    for (const Estimator estimator : block_estimators) {
      const std::size_t m = estimator == Estimator::mou_diag ? n : 20 + rng.below(2000);
      const PerSample<std::size_t> out{rng.below(static_cast<std::uint32_t>(n / 2)),
                                       rng.below(static_cast<std::uint32_t>(m / 2))};
      const double tau_x = static_cast<double>(out.x) / static_cast<double>(n);
      const double tau_y = static_cast<double>(out.y) / static_cast<double>(m);
      if (!admitted(estimator, tau_x, tau_y, n, m).all()) continue;
      const PerSample<std::size_t> k = blocks_by_rule(BlockRule::prop4, estimator, n, m, tau_x, tau_y);
      EXPECT_TRUE(always_clean_majority(estimator, k, out))
          << name(estimator) << " " << out.x << " " << out.y;
    }
  });
}

TEST(Admitted, IsFigure1d) {
  EXPECT_TRUE(admitted(Estimator::mom, 0.49, 0.49, 10, 20).all());
  EXPECT_FALSE(admitted(Estimator::mom, 0.5, 0, 10, 10).all());
  EXPECT_TRUE(admitted(Estimator::mou, 0.29, 0.29, 10, 20).all());  // 0.4959
  EXPECT_FALSE(admitted(Estimator::mou, 0.3, 0.3, 10, 20).all());   // 0.51
  EXPECT_TRUE(admitted(Estimator::mou_diag, 0.24, 0.25, 10, 10).all());
  EXPECT_FALSE(admitted(Estimator::mou_diag, 0.29, 0.29, 10, 10).all());
  EXPECT_FALSE(admitted(Estimator::mou_diag, 0.1, 0.1, 10, 20).all());
  EXPECT_FALSE(admitted(Estimator::plain, 0.1, 0, 10, 10).all());
  EXPECT_EQ(admitted(Estimator::mou_diag, 0.1, 0.1, 10, 20).conditions.at(1).text, "n = m (10 and 20)");
}

// ----------------------------------------------------------------------------------------- default

TEST(ChooseBlocks, HasTheBlockSizesThatWereTested) {
  EXPECT_EQ(default_block_size(0.01), 7u);   // 1/sqrt(0.02) = 7.07; the cap would be 50
  EXPECT_EQ(default_block_size(0.02), 5u);   // exactly 5
  EXPECT_EQ(default_block_size(0.05), 3u);   // 3.16
  EXPECT_EQ(default_block_size(0.1), 2u);    // 2.24
  EXPECT_EQ(default_block_size(0.2), 2u);    // 1.58, and two rows are still fine: p = 0.36
  EXPECT_EQ(default_block_size(0.225), 2u);  // p = 0.399
  EXPECT_EQ(default_block_size(0.23), 1u);
}

TEST(ChooseBlocks, WorksByHandForFiveHundredRows) {
  const BlockChoice one = choose_blocks(Estimator::mom, 500, 400, 0.1, 0);
  EXPECT_EQ(one.k_x, 249u);  // 250 is even
  EXPECT_EQ(one.b_x, 2u);
  EXPECT_EQ(one.k_y, 1u);
  EXPECT_EQ(one.b_y, 400u);
  EXPECT_NEAR(one.p_x, 0.19, 1e-15);
  EXPECT_EQ(one.p_y, 0);
  EXPECT_NEAR(one.p, 0.19, 1e-15);
  EXPECT_TRUE(one.warnings.empty());

  const BlockChoice both = choose_blocks(Estimator::mou, 501, 300, 0.01, 0.02);  // pair: 0.0298, B = 4
  EXPECT_EQ(both.k_x, 125u);
  EXPECT_EQ(both.k_y, 75u);
  EXPECT_NEAR(both.p, 1 - std::pow(0.99 * 0.98, 4), 1e-14);

  const BlockChoice diag = choose_blocks(Estimator::mou_diag, 500, 500, 0.1, 0.1);  // pair: 0.19, B = 2
  EXPECT_EQ(diag.k_x, 249u);
  EXPECT_EQ(diag.k_y, 249u);
  EXPECT_NEAR(diag.p, 1 - std::pow(0.9, 4), 1e-15);
}

TEST(ChooseBlocks, TakesOneBlockWhereThereAreNoOutliers) {
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
    const BlockChoice clean = choose_blocks(estimator, 500, 300, 0, 0);
    EXPECT_EQ(clean.k_x, 1u);
    EXPECT_EQ(clean.k_y, 1u);
    EXPECT_EQ(clean.p, 0);
  }
  EXPECT_EQ(choose_blocks(Estimator::mou, 500, 300, 0, 0.1).k_x, 1u);
  EXPECT_EQ(choose_blocks(Estimator::mou, 500, 300, 0, 0.1).k_y, 149u);
  EXPECT_EQ(choose_blocks(Estimator::mou_diag, 500, 500, 0, 0.1).k_x, 249u);
}

TEST(ChooseBlocks, IsOddAndKeepsFortyPercentInReserve) {
  for_each_seed(3000, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(rng.below(2) ? 30 : 5000);
    const std::size_t m = 1 + rng.below(rng.below(2) ? 30 : 5000);
    const double tau_x = rng.below(4) ? rng.uniform(0, 0.225) : 0;
    const double tau_y = rng.below(4) ? rng.uniform(0, 0.225) : 0;
    for (const Estimator estimator : block_estimators) {
      const std::size_t rows_y = estimator == Estimator::mou_diag ? n : m;
      const BlockChoice choice = choose_blocks(estimator, n, rows_y, tau_x, tau_y);
      const double tau = estimator == Estimator::mom ? std::max(tau_x, tau_y) : tau_x + tau_y - tau_x * tau_y;
      EXPECT_TRUE(choice.k_x % 2 == 1 && choice.k_y % 2 == 1) << choice.k_x << " " << choice.k_y;
      EXPECT_EQ(choice.b_x, n / choice.k_x);
      EXPECT_EQ(choice.b_y, rows_y / choice.k_y);
      if (tau <= 0.225) {
        EXPECT_LE(choice.p, 0.4) << name(estimator) << " n " << n << " m " << rows_y << " tau " << tau_x
                                 << " " << tau_y;
        if (n >= 200 && rows_y >= 200) {
          EXPECT_TRUE(choice.warnings.empty()) << choice.warnings.front();
        }
      } else if (choice.p > 0.4) {
        EXPECT_FALSE(choice.warnings.empty());
      }
    }
  });
}

TEST(ChooseBlocks, ManagesTinySamples) {
  const BlockChoice one = choose_blocks(Estimator::mom, 1, 1, 0.2, 0.2);
  EXPECT_EQ(one.k_x, 1u);
  EXPECT_EQ(one.b_x, 1u);
  const BlockChoice five = choose_blocks(Estimator::mom, 5, 2, 0.2, 0.1);
  EXPECT_EQ(five.k_x, 3u);  // one block of five would be dirty with chance 0.67
  EXPECT_EQ(five.b_x, 1u);
  EXPECT_EQ(five.k_y, 1u);
  EXPECT_EQ(five.b_y, 2u);
}

TEST(ChooseBlocks, WarnsWhereTheMethodEnds) {
  const auto warnings = [](Estimator estimator, std::size_t n, std::size_t m, double tau_x, double tau_y) {
    std::string all;
    for (const std::string& warning : choose_blocks(estimator, n, m, tau_x, tau_y).warnings)
      all += warning + "\n";
    return all;
  };
  EXPECT_NE(warnings(Estimator::mom, 500, 500, 0.3, 0).find("> 0.225"), std::string::npos);
  EXPECT_NE(warnings(Estimator::mom, 500, 500, 0.45, 0).find("> 0.4"), std::string::npos);
  EXPECT_NE(warnings(Estimator::mou, 500, 500, 0.4, 0.4).find("no clean majority"), std::string::npos);
  EXPECT_NE(warnings(Estimator::mou, 500, 500, 0.4, 0.4).find("paper's condition"), std::string::npos);
  EXPECT_NE(warnings(Estimator::mou_diag, 500, 5000, 0.1, 0.1).find("n != m"), std::string::npos);
  EXPECT_NE(warnings(Estimator::plain, 500, 500, 0.1, 0).find("no protection"), std::string::npos);
  EXPECT_EQ(warnings(Estimator::mom, 500, 500, 0.2, 0.2), "");
}

TEST(ChooseBlocks, RefusesHalfOrMore) {
  EXPECT_EQ(error_of([] { (void)choose_blocks(Estimator::mom, 10, 10, 0.5, 0); }),
            "tau must lie in [0, 0.5), got 0.5");
  EXPECT_EQ(error_of([] { (void)choose_blocks(Estimator::mom, 10, 10, 0, -0.1); }),
            "tau must lie in [0, 0.5), got -0.1");
  EXPECT_NE(error_of([] { (void)choose_blocks(Estimator::mom, 10, 10, std::nan(""), 0); }), "");
  EXPECT_EQ(error_of([] { (void)choose_blocks(Estimator::mom, 0, 10, 0.1, 0); }),
            "need n >= 1 and m >= 1, got n = 0, m = 10");
}

TEST(DirtyBlockChance, IsOneMinusThePowerOfTheCleanShare) {
  EXPECT_EQ(dirty_block_chance(0, 1000), 0);
  EXPECT_EQ(dirty_block_chance(1, 3), 1);
  EXPECT_NEAR(dirty_block_chance(0.1, 7), 0.5217031, 1e-15);
  EXPECT_NEAR(dirty_block_chance(1e-12, 3) * 1e12, 3, 1e-9);
  EXPECT_EQ(dirty_chance(Estimator::mom, 0.2, 0.3), 0.3);
  EXPECT_NEAR(dirty_chance(Estimator::mou, 0.2, 0.3), 0.44, 1e-15);
}

// --------------------------------------------------------------------------------------- tolerance

/// Which blocks of a partition into k blocks of floor(n / k) rows the chosen rows dirty (rows left
/// over belong to none).
unsigned dirty_blocks(std::size_t n, std::size_t k, unsigned rows) {
  unsigned dirty = 0;
  for (std::size_t i = 0; i < k * (n / k); ++i)
    if (rows >> i & 1) dirty |= 1u << (i / (n / k));
  return dirty;
}

bool clean_majority(Estimator estimator, PerSample<std::size_t> k, unsigned dirty_x, unsigned dirty_y) {
  const auto x = static_cast<std::size_t>(std::popcount(dirty_x));
  const auto y = static_cast<std::size_t>(std::popcount(dirty_y));
  if (estimator == Estimator::mom) return 2 * x < k.x && 2 * y < k.y;
  if (estimator == Estimator::mou) return 2 * (k.x - x) * (k.y - y) > k.x * k.y;
  return 2 * static_cast<std::size_t>(std::popcount(dirty_x | dirty_y)) < k.x;
}

/// An adversary who tries every set of rows of the given sizes.
bool adversary_fails(Estimator estimator, std::size_t n, std::size_t m, PerSample<std::size_t> k,
                     PerSample<std::size_t> out) {
  for (unsigned x = 0; x < 1u << n; ++x) {
    if (static_cast<std::size_t>(std::popcount(x)) != out.x) continue;
    for (unsigned y = 0; y < 1u << m; ++y)
      if (static_cast<std::size_t>(std::popcount(y)) == out.y &&
          !clean_majority(estimator, k, dirty_blocks(n, k.x, x), dirty_blocks(m, k.y, y)))
        return false;
  }
  return true;
}

TEST(Tolerance, InTheWorstCaseIsWhatABruteForceAdversaryCannotBreak) {
  for_each_seed(60, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(7);
    for (const Estimator estimator : block_estimators) {
      const std::size_t m = estimator == Estimator::mou_diag ? n : 1 + rng.below(7);
      PerSample<std::size_t> k{1 + rng.below(static_cast<std::uint32_t>(n)),
                               1 + rng.below(static_cast<std::uint32_t>(m))};
      if (estimator == Estimator::mou_diag) k.y = k.x;
      for (std::size_t x = 0; x <= n; ++x)
        for (std::size_t y = 0; y <= m; ++y)
          EXPECT_EQ(always_clean_majority(estimator, k, {x, y}), adversary_fails(estimator, n, m, k, {x, y}))
              << name(estimator) << " n " << n << " m " << m << " K " << k.x << " " << k.y << " outliers "
              << x << " " << y;
    }
  });
}

TEST(Tolerance, IsTheLargestOnItsWay) {
  for_each_seed(500, [](Rng& rng) {
    const std::size_t n = 2 + rng.below(300);
    const std::size_t m = 2 + rng.below(300);
    const double tau = rng.uniform(0.01, 0.2);
    const BlockChoice c = choose_blocks(Estimator::mom, n, m, tau, tau);
    const Tolerance t = tolerance(Estimator::mom, {c.k_x, c.k_y}, n, m, tau, tau);
    EXPECT_EQ(t.worst_case.x, (c.k_x - 1) / 2);
    EXPECT_EQ(t.worst_case.y, (c.k_y - 1) / 2);
    const auto p = [&](std::size_t out) {
      return dirty_block_chance(static_cast<double>(out) / static_cast<double>(n), c.b_x);
    };
    EXPECT_LT(p(t.on_average.x), 0.5);
    EXPECT_GE(p(t.on_average.x + 1), 0.5);
    EXPECT_GE(t.on_average.x + 1, t.worst_case.x);
  });
}

TEST(Tolerance, WorksByHand) {
  // B = 2: tau < 1 - 1/sqrt 2 = 0.29289, 146.4 of 500; B = 500: one outlier is too many on average
  // once 1 - 0.998^500 = 0.63.
  const Tolerance mom = tolerance(Estimator::mom, {249, 1}, 500, 500, 0.1, 0);
  EXPECT_EQ(mom.worst_case.x, 124u);
  EXPECT_EQ(mom.worst_case.y, 0u);
  EXPECT_EQ(mom.on_average.x, 146u);
  EXPECT_EQ(mom.on_average.y, 0u);
  // n_O + m_O < 249 / 2, in equal shares.
  const Tolerance diag = tolerance(Estimator::mou_diag, {249, 249}, 500, 500, 0.1, 0.1);
  EXPECT_EQ(diag.worst_case.x + diag.worst_case.y, 124u);
  EXPECT_EQ(diag.worst_case.x, 62u);
  // (1 - a)^4 > 1/2: a < 0.15910, 79.55 of 500 in each; 80 and 79 leave 0.50024.
  EXPECT_EQ(diag.on_average.x, 80u);
  EXPECT_EQ(diag.on_average.y, 79u);
  // The grid: (249 - c)^2 > 249^2 / 2, c < 72.93.
  const Tolerance mou = tolerance(Estimator::mou, {249, 249}, 500, 500, 0.1, 0.1);
  EXPECT_EQ(mou.worst_case.x, 73u);  // 73 and 72: 176 * 177 = 31152 > 31000.5
  EXPECT_EQ(mou.worst_case.y, 72u);
}

// -------------------------------------------------------------------------------------------- bias

TEST(ContaminationBias, MatchesTheStudyAndEndsAtOneHalf) {
  EXPECT_EQ(contamination_bias(1, 2, 0), 0);
  // tau = 0.1, B = 2: +3.0 % of 7.11 in the study.
  EXPECT_NEAR(contamination_bias(1, 2, 0.19), 0.2108, 5e-4);
  EXPECT_TRUE(std::isinf(contamination_bias(1, 2, 0.5)));
  EXPECT_TRUE(std::isinf(contamination_bias(0, 2, 0.7)));
  const BlockChoice c = choose_blocks(Estimator::mou, 500, 500, 0.1, 0.1);
  EXPECT_NEAR(contamination_bias(Estimator::mou, 3, 4, c),
              5 / std::sqrt(2.0) * normal_quantile(0.5 / (1 - c.p)), 1e-12);
  const BlockChoice e = choose_blocks(Estimator::mom, 500, 500, 0.1, 0.05);
  EXPECT_NEAR(contamination_bias(Estimator::mom, 3, 4, e),
              contamination_bias(3, 2, e.p_x) + contamination_bias(4, 3, e.p_y), 1e-12);
}

// Gaussian phi, all outliers at +1e6. The mean over 400 draws of a median of 1001 blocks has standard
// error 0.005 at worst (tau = 0.3, B = 1: 0.075 from the rows, 0.065 from the number of dirty blocks,
// over sqrt(400)); the tolerance is 3 of them. The seed is fixed.
TEST(ContaminationBias, IsWhatOneSidedOutliersDoToAMedianOfMeans) {
  constexpr std::size_t k = 1001;
  for (const auto& [tau, b] : {std::pair(0.1, 2), {0.05, 3}, {0.01, 7}, {0.2, 2}, {0.3, 1}}) {
    Rng rng(11, Purpose::test);
    double sum = 0;
    for (int draw = 0; draw < 400; ++draw) {
      std::vector<double> means(k);
      for (double& mean : means) {
        for (int i = 0; i < b; ++i) mean += rng.uniform() < tau ? 1e6 : 1.5 * rng.normal();
        mean /= b;
      }
      sum += median_of(means);
    }
    const auto size = static_cast<std::size_t>(b);
    EXPECT_NEAR(sum / 400, contamination_bias(1.5, size, dirty_block_chance(tau, size)), 0.015)
        << tau << " " << b;
  }
}

TEST(QuantileErrorBar, IsTheLargerDistanceToTheTwoQuantiles) {
  const std::vector<double> means{10, 0, 1, 3, 6};  // quantiles 0, 1/4, ...: 0 1 3 6 10
  EXPECT_EQ(quantile_error_bar(means, 0), 0);
  EXPECT_DOUBLE_EQ(quantile_error_bar(means, 0.25), 1.5);  // 0.375: 2; 0.625: 4.5
  EXPECT_DOUBLE_EQ(quantile_error_bar(std::vector{4.0}, 0.3), 0);
  EXPECT_TRUE(std::isinf(quantile_error_bar(means, 0.5)));
  EXPECT_NE(error_of([] { (void)quantile_error_bar({}, 0.1); }), "");
}

// Whatever dirties fewer than p of the blocks, and wherever it pushes them, the median of the clean
// blocks is within the bar (one order statistic of slack for rounding).
TEST(QuantileErrorBar, HoldsWhateverTheOutliersDoToShareP) {
  for_each_seed(1000, [](Rng& rng) {
    const std::size_t k = 21 + 2 * rng.below(100);
    const double p = rng.uniform(0.05, 0.45);
    std::vector<double> means(k);
    for (double& mean : means) mean = rng.exponential();
    const auto dirty = static_cast<std::size_t>(p * static_cast<double>(k)) - 1;
    const double clean = median_of({means.begin() + static_cast<std::ptrdiff_t>(dirty), means.end()});
    const double to = rng.below(3) == 0 ? 1e9 : rng.below(2) ? -1e9 : clean;
    for (std::size_t i = 0; i < dirty; ++i) means[i] = to;
    EXPECT_LE(std::abs(median_of(means) - clean), quantile_error_bar(means, p) + 1e-12);
  });
}

}  // namespace
}  // namespace motmot
