#include "blocks/sampler.hpp"

#include <set>

#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;

TEST(PartitionBlocks, AreDisjointAndOfEqualSize) {
  for_each_seed(300, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(200), k = 1 + rng.below(static_cast<std::uint32_t>(n));
    const Blocks blocks = partition_blocks(n, k, rng);
    EXPECT_EQ(blocks.count, k);
    EXPECT_EQ(blocks.size, n / k);
    EXPECT_EQ(blocks.index.size(), k * (n / k));
    const std::set<std::uint32_t> rows(blocks.index.begin(), blocks.index.end());
    EXPECT_EQ(rows.size(), blocks.index.size());
    EXPECT_LT(*rows.rbegin(), n);
  });
}

TEST(PartitionBlocks, DropEveryRowEquallyOften) {
  // n = 10, K = 3 drops one row a draw. Chi-square, 9 degrees of freedom: 27.9 has chance 0.001.
  std::vector<double> dropped(10, 3000);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed, Purpose::test);
    for (const std::uint32_t row : partition_blocks(10, 3, rng).index) dropped[row] -= 1;
  }
  double chi2 = 0;
  for (const double count : dropped) chi2 += (count - 300) * (count - 300) / 300;
  EXPECT_LT(chi2, 27.9);
}

TEST(PartitionBlocks, RefuseMoreBlocksThanRows) {
  Rng rng(1, Purpose::test);
  EXPECT_EQ(test::error_of([&] { partition_blocks(5, 6, rng); }), "need 1 <= K <= n, got K = 6, n = 5");
  EXPECT_EQ(test::error_of([&] { partition_blocks(5, 0, rng); }), "need 1 <= K <= n, got K = 0, n = 5");
}

TEST(SworBlocks, RepeatNoRowInsideABlockButDoAcrossBlocks) {
  Rng rng(2, Purpose::test);
  const Blocks blocks = swor_blocks(20, 50, 7, rng);
  std::set<std::uint32_t> all;
  for (std::size_t k = 0; k < blocks.count; ++k) {
    const std::set<std::uint32_t> rows(blocks[k].begin(), blocks[k].end());
    EXPECT_EQ(rows.size(), 7u);
    all.insert(rows.begin(), rows.end());
  }
  EXPECT_EQ(all.size(), 20u);
}

TEST(SworBlocks, HoldEveryRowEquallyOften) {
  Rng rng(3, Purpose::test);
  std::vector<double> count(10);
  for (const std::uint32_t row : swor_blocks(10, 10000, 3, rng).index) ++count[row];
  double chi2 = 0;  // 9 degrees of freedom; negative dependence inside blocks only lowers it
  for (const double c : count) chi2 += (c - 3000) * (c - 3000) / 3000;
  EXPECT_LT(chi2, 27.9);
}

TEST(PairBlocks, RepeatNoPairInsideABlock) {
  Rng rng(4, Purpose::test);
  const PairBlocks blocks = pair_blocks(5, 4, 30, 20, rng);  // M = n m: the whole grid, in every block
  for (std::size_t k = 0; k < 30; ++k) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t t = 0; t < 20; ++t) pairs.emplace(blocks.x[k][t], blocks.y[k][t]);
    EXPECT_EQ(pairs.size(), 20u);
  }
}

TEST(BlockSampler, IsAFunctionOfSeedAndStep) {
  for (const Scheme scheme : {Scheme::shuffle, Scheme::swor}) {
    BlockSampler one(scheme, 50, 7, 5, 11, Purpose::blocks_x);
    BlockSampler two(scheme, 50, 7, 5, 11, Purpose::blocks_x);
    const std::vector<std::uint32_t> at_3 = one.draw(3).index;
    two.draw(0);
    EXPECT_NE(two.draw(2).index, at_3);
    EXPECT_EQ(two.draw(3).index, at_3);
  }
  BlockSampler fixed(Scheme::partition, 50, 7, 0, 11, Purpose::blocks_x);
  const std::vector<std::uint32_t> first = fixed.draw(5).index;
  EXPECT_EQ(fixed.draw(6).index, first);
}

// Few rows of many: the permutation keeps the rows that were moved alone. Same bits as the plain one.
TEST(BlockSampler, DrawsFewRowsAsThePlainPermutationDoes) {
  test::for_each_seed(30, [](Rng& pick) {
    const std::size_t k = 1 + pick.below(20), b = 1 + pick.below(20), n = 8 * k * b + 8 + pick.below(2000);
    const std::uint64_t seed = pick.below(1000);
    BlockSampler few(Scheme::swor, n, k, b, seed, Purpose::blocks_x);
    BlockSampler mini(Scheme::shuffle, n, k, b, seed, Purpose::blocks_x);
    for (std::uint64_t step = 0; step < 5; ++step) {
      Rng rng(seed, Purpose::blocks_x, step), same(seed, Purpose::blocks_x, step);
      EXPECT_EQ(few.draw(step).index, swor_blocks(n, k, b, rng).index);
      EXPECT_EQ(mini.draw(step).index, swor_blocks(n, 1, k * b, same).index);
    }
  });
}

TEST(SparseRows, AreInOrderAgainAfterAReset) {
  SparseRows rows(1'000'000'000, 8);
  std::swap(rows[3], rows[999'999'999]);
  EXPECT_EQ(rows[3], 999'999'999u);
  EXPECT_EQ(rows[999'999'999], 3u);
  EXPECT_EQ(rows[4], 4u);
  rows.reset();
  EXPECT_EQ(rows[3], 3u);
  EXPECT_EQ(rows.size(), 1'000'000'000u);
}

// Draws do not depend on what was drawn before.
TEST(BlockSampler, DrawsFewRowsAsAFreshOneWould) {
  for (const Scheme scheme : {Scheme::shuffle, Scheme::swor}) {
    BlockSampler used(scheme, 1000, 7, 5, 11, Purpose::minibatch_x);
    for (std::uint64_t step = 0; step < 50; ++step) {
      BlockSampler fresh(scheme, 1000, 7, 5, 11, Purpose::minibatch_x);
      EXPECT_EQ(used.draw(step).index, fresh.draw(step).index);
    }
  }
}

TEST(BlockSampler, DrawsTheFirstBlocksOfAPartition) {
  BlockSampler mini(Scheme::shuffle, 1000, 7, 5, 11, Purpose::minibatch_x);
  BlockSampler all(Scheme::shuffle, 1000, 200, 5, 11, Purpose::minibatch_x);
  const Blocks& few = mini.draw(4);
  EXPECT_EQ(few.count, 7u);
  EXPECT_EQ(few.size, 5u);
  EXPECT_TRUE(std::ranges::equal(few.index, std::span(all.draw(4).index).first(35)));
  EXPECT_EQ(test::error_of([] { BlockSampler(Scheme::shuffle, 10, 3, 4, 1, Purpose::blocks_x); }),
            "need K B <= n, got K = 3, B = 4, n = 10");
}

TEST(BlockMeans, AreMeansOverTheBlocks) {
  const std::vector<float> phi{1, 2, 3, 4, 5, 6};
  std::vector<double> means(2);
  block_means(phi, {.index = {0, 5, 2, 3}, .count = 2, .size = 2}, means);
  EXPECT_EQ(means, (std::vector<double>{3.5, 3.5}));
}

}  // namespace
}  // namespace motmot
