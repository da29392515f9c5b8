#include "blocks/median.hpp"

#include <rapidcheck/gtest.h>

#include "blocks/pair_matrix.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;
using test::uniforms;

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The definition of MoU: every pair listed.
std::vector<double> all_differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> list;
  for (const double x : a)
    for (const double y : b) list.push_back(x - y);
  return list;
}

std::vector<double> lattice(Rng& rng, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = rng.below(4);
  return values;
}

// Why the method works (proof of Prop. 4, prop:consistency): an adversary holding fewer than half of the
// blocks cannot push the median outside the range of the clean block means.
TEST(MedianBlock, StaysInCleanRangeWhileFewerThanHalfOfTheBlocksAreCorrupt) {
  for_each_seed(500, [](Rng& rng) {
    std::vector<double> means = uniforms(rng, 1 + rng.below(80));
    const auto corrupt = std::span(means).first((means.size() - 1) / 2);
    const auto [lo, hi] = std::ranges::minmax(std::span(means).subspan(corrupt.size()));
    for (double& mean : corrupt) mean = rng.below(2) ? 1e300 : -1e300;
    for (const std::uint32_t middle : middle_positions(means))
      EXPECT_TRUE(lo <= means[middle] && means[middle] <= hi) << means[middle];
  });
}

RC_GTEST_PROP(MedianBlock, MovesNoFurtherThanTheLargestChange,
              (const std::vector<std::pair<int, int>>& pairs)) {
  // Lemma 8 (lem:median).
  RC_PRE(!pairs.empty());
  std::vector<double> a, b;
  double largest = 0;
  for (const auto& [x, y] : pairs) {
    a.push_back(x);
    b.push_back(y);
    largest = std::max(largest, std::abs(static_cast<double>(x) - y));
  }
  RC_ASSERT(std::abs(median_of(a) - median_of(b)) <= largest);
  const std::vector<double> zero(1);
  RC_ASSERT(std::abs(median_pair(Estimator::mom, a, zero).value -
                     median_pair(Estimator::mom, b, zero).value) <= largest);
}

TEST(MedianPair, IsTheMedianOfItsDefinitionForAllEstimatorsAndSizes) {
  for_each_seed(2000, [](Rng& rng) {
    const std::size_t k_x = 1 + rng.below(40), k_y = 1 + rng.below(40);
    const bool ties = rng.below(2);
    const std::vector<double> a = ties ? lattice(rng, k_x) : uniforms(rng, k_x);
    const std::vector<double> b = ties ? lattice(rng, k_y) : uniforms(rng, k_y);
    EXPECT_DOUBLE_EQ(median_pair(Estimator::mom, a, b).value, median_of(a) - median_of(b));
    EXPECT_DOUBLE_EQ(median_pair(Estimator::mou, a, b).value, median_of(all_differences(a, b)));
    const std::size_t k = std::min(k_x, k_y);
    const auto a_k = std::span(a).first(k), b_k = std::span(b).first(k);
    std::vector<double> diagonal(k);
    for (std::size_t i = 0; i < k; ++i) diagonal[i] = a[i] - b[i];
    EXPECT_DOUBLE_EQ(median_pair(Estimator::mou_diag, a_k, b_k).value, median_of(diagonal));
  });
}

TEST(MedianPair, NamesTheBlocksThatCarryItsValue) {
  for_each_seed(500, [](Rng& rng) {
    const std::size_t k = 1 + rng.below(30);
    const std::vector<double> a = lattice(rng, k), b = uniforms(rng, k);
    for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
      for (const EvenMedian even : {EvenMedian::mean, EvenMedian::upper}) {
        const MedianPair pair = median_pair(estimator, a, b, even);
        EXPECT_NEAR(pair.value, (a[pair.x[0]] - b[pair.y[0]] + a[pair.x[1]] - b[pair.y[1]]) / 2, 1e-15);
        EXPECT_TRUE(even == EvenMedian::mean || (pair.x[0] == pair.x[1] && pair.y[0] == pair.y[1]));
        EXPECT_TRUE(estimator != Estimator::mou_diag || pair.x == pair.y);
      }
    }
  });
}

TEST(MedianPair, IsOneEstimatorWhenThereIsOneBlock) {
  const std::vector<double> a{3.5}, b{1.25};
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou, Estimator::mou_diag})
    EXPECT_EQ(median_pair(estimator, a, b).value, 2.25);
}

TEST(PairMatrix, AgreesWithListingAtEveryRank) {
  for_each_seed(300, [](Rng& rng) {
    const std::vector<double> a =
        rng.below(2) ? lattice(rng, 1 + rng.below(40)) : uniforms(rng, 1 + rng.below(40));
    const std::vector<double> b =
        rng.below(2) ? lattice(rng, 1 + rng.below(40)) : uniforms(rng, 1 + rng.below(40));
    std::vector<double> list = all_differences(a, b);
    std::ranges::sort(list);
    PairMatrix matrix;
    matrix.assign(a, b);
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      const double found = matrix.select(rank);
      ASSERT_EQ(found, list[rank]) << "rank " << rank << " of " << list.size();
      const auto [k, l] = matrix.find(found);
      ASSERT_EQ(found, a[k] - b[l]);
      ASSERT_EQ(k, std::ranges::find(a, a[k]) - a.begin()) << "not the first of equal means";
      ASSERT_EQ(std::count(b.begin() + l, b.end(), b[l]), 1) << "not the last of equal means";
    }
  });
}

TEST(MedianBand, HoldsTheBlocksNearestToTheMedian) {
  const std::vector<double> a{9, 1, 5, 3, 1e300}, b{0, 0, 0, 7, 0};
  EXPECT_EQ(median_band(Estimator::mom, a, b, 5, 0.6).x, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(median_band(Estimator::mom, a, b, 5, 0.6).y, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(median_band(Estimator::mou_diag, a, b, 5, 0.4).x, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(median_band(Estimator::mou, a, std::span(b).first(3), 5, 0.01).y,
            (std::vector<std::uint32_t>{2}));
}

// Fewer than half of the blocks are corrupt, minus half of the band: none of them enters it.
TEST(MedianBand, KeepsOutBlocksThatAreFarFromTheCleanOnes) {
  test::for_each_seed(200, [](Rng& rng) {
    const std::size_t k = 21 + 2 * rng.below(50), corrupt = rng.below(static_cast<std::uint32_t>(k * 2 / 5));
    std::vector<double> a = test::uniforms(rng, k), b = test::uniforms(rng, k);
    for (std::size_t i = 0; i < corrupt; ++i) a[i] = rng.below(2) == 0 ? 1e6 : -1e6;
    for (const Estimator estimator : {Estimator::mom, Estimator::mou_diag, Estimator::mou}) {
      const MedianPair median = median_pair(estimator, a, b);
      for (const std::uint32_t block : median_band(estimator, a, b, median.value, 0.1).x)
        EXPECT_GE(block, corrupt);
    }
  });
}

}  // namespace
}  // namespace motmot
