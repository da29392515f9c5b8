#include "blocks/band_shares.hpp"

#include "blocks/median.hpp"
#include "blocks/partition_passes.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

/// Numbers that tie now and then, some of them absurd.
std::vector<double> means(Rng& rng, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) {
    value = rng.below(3) == 0 ? static_cast<double>(rng.below(5)) : rng.normal();
    if (rng.below(10) == 0) value *= 1e17;
  }
  return values;
}

TEST(RankWindow, SelectsWhatSortingFinds) {
  test::for_each_seed(200, [](Rng& rng) {
    RankWindow window;
    for (int array = 0; array < 8; ++array) {
      std::vector<double> values = means(rng, 1 + rng.below(120));
      const std::size_t first = rng.below(static_cast<std::uint32_t>(values.size()));
      const std::size_t last = first + rng.below(static_cast<std::uint32_t>(values.size() - first));
      const auto got = window.select(values, first, last);
      std::ranges::sort(values);
      ASSERT_EQ(got.first, values[first]);
      ASSERT_EQ(got.last, values[last]);
    }
  });
}

TEST(PairMatrix, SelectsAndCountsAsListingDoes) {
  test::for_each_seed(200, [](Rng& rng) {
    const std::vector<double> a = means(rng, 1 + rng.below(70)), b = means(rng, 1 + rng.below(70));
    std::vector<double> listed;
    for (const double u : a)
      for (const double v : b) listed.push_back(u - v);
    std::ranges::sort(listed);
    PairMatrix pairs;
    pairs.assign(a, b);
    const std::size_t first = rng.below(static_cast<std::uint32_t>(listed.size()));
    const std::size_t last = first + rng.below(static_cast<std::uint32_t>(listed.size() - first));
    const double low = pairs.select(first), high = pairs.select(last);
    ASSERT_EQ(low, listed[first]);
    ASSERT_EQ(high, listed[last]);
    std::vector<std::uint64_t> of_a(a.size()), of_b(b.size());
    const std::uint64_t count = pairs.count_between(low, high, of_a, of_b);
    std::uint64_t want = 0;
    std::vector<std::uint64_t> want_a(a.size()), want_b(b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t l = 0; l < b.size(); ++l)
        if (low <= a[k] - b[l] && a[k] - b[l] <= high) ++want, ++want_a[k], ++want_b[l];
    ASSERT_EQ(count, want);
    ASSERT_EQ(of_a, want_a);
    ASSERT_EQ(of_b, want_b);
  });
}

TEST(BandShares, HasTheValueOfTheMedianPair) {
  test::for_each_seed(200, [](Rng& rng) {
    BandShares band;
    const std::size_t k = 1 + rng.below(60);
    for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
      const std::vector<double> a = means(rng, k);
      const std::vector<double> b = means(rng, estimator == Estimator::mou_diag ? k : 1 + rng.below(60));
      const MedianPair want = median_pair(estimator, a, b);
      const double size = std::abs(a[want.x[0]]) + std::abs(a[want.x[1]]) + std::abs(b[want.y[0]]);
      ASSERT_NEAR(band.value(estimator, a, b), want.value, 1e-15 * (size + std::abs(b[want.y[1]])));
    }
  });
}

TEST(BandShares, SharesTheMedianAmongABandOfBlocks) {
  BandShares band;
  std::vector<double> a(41), b{7};
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<double>(k * 29 % 41);
  std::vector<std::uint64_t> of_a(41), of_b(1);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou}) {
    band.shares(estimator, a, b, of_a, of_b);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_EQ(of_a[k] > 0, 18 <= a[k] && a[k] <= 22) << a[k];  // 41 / 20 = 2 on either side
    EXPECT_NEAR(static_cast<double>(of_b[0]), static_cast<double>(BandShares::unit), 1e3);
  }
}

TEST(BandShares, IsTheMedianAloneWhenThereAreFewBlocks) {
  for (std::uint64_t count = 1; count < 20; ++count) {
    const RankBand band = rank_band(count);
    EXPECT_EQ(band.first, (count - 1) / 2);
    EXPECT_EQ(band.last, count / 2);
  }
}

// Phi is such that the upper part of X and the lower part of Y can never be in a median block of one row.
TEST(PartitionPasses, GiveWeightToTheRowsThatCarryTheMedian) {
  const std::size_t n = 101;
  Phi phi{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) phi.x[i] = phi.y[i] = static_cast<double>(i);
  Team team(2);
  PartitionPasses passes({Scheme::shuffle, n, n, 1, 1}, Estimator::mom, n, n, 1, Purpose::blocks_x,
                         Purpose::blocks_y, 16, team);
  const RowWeights w = passes.weights(phi, 32, 0);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(w.x[i], 45 <= i && i <= 55 ? 1.0 / 11 : 0, 1e-9) << i;
  EXPECT_EQ(w.x, w.y);
}

// A turned partition is a partition: values on turned ones are distributed as values on fresh ones. Means
// over 4096 partitions with sd 0.06: the tolerance is four standard errors of the difference, were all
// independent.
TEST(PartitionPasses, TurnPermutationsIntoUniformPartitions) {
  const std::size_t n = 150, k = 75;
  Team team(1);
  Rng rng(1, Purpose::test);
  const Phi phi{test::normals(rng, n), std::vector<double>(n)};
  const auto moments = [&](std::size_t turns) {
    PartitionPasses passes({Scheme::shuffle, k, k, 2, 2}, Estimator::mom, n, n, 3, Purpose::blocks_x,
                           Purpose::blocks_y, turns, team);
    double sum = 0, squares = 0;
    for (const double value : passes.values(phi, 4096, 0)) sum += value, squares += value * value;
    return std::pair{sum / 4096, std::sqrt(squares / 4096 - sum / 4096 * (sum / 4096))};
  };
  const auto fresh = moments(1), turned = moments(16);
  EXPECT_NEAR(turned.first, fresh.first, 4 * fresh.second * std::sqrt(2.0 / 4096));
  EXPECT_NEAR(turned.second, fresh.second, 0.1 * fresh.second);
}

}  // namespace
}  // namespace motmot
