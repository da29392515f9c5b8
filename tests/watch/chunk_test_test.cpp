// The test of a chunk: its parts against plain twins, its level, and what wrong rows do to it.
#include "watch/chunk_test.hpp"

#include <cmath>

#include "base/euclidean.hpp"
#include "watch/marks.hpp"
#include "watch_tables.hpp"

namespace motmot::test {
namespace {

/// Three columns of numbers.
Coding plain_coding(std::size_t columns) {
  Coding coding;
  for (std::size_t j = 0; j < columns; ++j) coding.columns.push_back({.name = "c", .place = j});
  return coding;
}

RowList random_chunk(Rng& rng, std::size_t n, std::size_t count) {
  RowList rows = stretch(0, n);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + rng.below(static_cast<std::uint32_t>(n - i))]);
  rows.resize(count);
  std::ranges::sort(rows);
  return rows;
}

/// As it is defined: means over pairs, of points in any unit.
PairDistances plain_distances(const Points& all, const RowList& chunk, const RowList& others,
                              double sharpness) {
  const auto mean = [&](const RowList& a, const RowList& b, const auto& of) {
    double sum = 0;
    for (const std::uint32_t i : a)
      for (const std::uint32_t j : b) sum += of(euclidean(all.row(i), all.row(j)));
    return sum / static_cast<double>(a.size()) / static_cast<double>(b.size());
  };
  const auto apart_by = [&](const auto& of) {
    return mean(chunk, chunk, of) + mean(others, others, of) - 2 * mean(chunk, others, of);
  };
  const auto n = static_cast<double>(others.size()), m = static_cast<double>(chunk.size());
  return {.energy = -apart_by([](double r) { return r; }) * n * m / (n + m),
          .kernel = apart_by([&](double r) { return 1 / (1 + sharpness * r * r); }) * n * m / (n + m)};
}

TEST(PooledPairs, AreTheDistancesOfTheirDefinition) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 60 + rng.below(40), m = 20, most = rng.below(4);
    std::vector<double> values;
    for (std::size_t i = 0; i < 3 * (n + m);
         ++i)  // some rows are far out, so that remote ones are everywhere
      values.push_back(rng.normal() * (rng.below(30) == 0 ? 40 : 1));
    const Points all(values, 3);
    const RowList places = stretch(0, n);
    Team team(1);
    const HeldRows held(rows_of(all, places), 0, team);
    const PooledPairs pairs(held, places, rows_of(all, stretch(n, m)), most, team);
    EXPECT_EQ(pairs.remote().size(), most == 0 ? 0 : most + (n + m - most) / 100);
    for (int k = 0; k < 5; ++k) {
      const RowList rows = random_chunk(rng, n + m, m);
      const CalledChunk called = pairs.called(rows);
      EXPECT_LE(called.left_out.size(), most);
      EXPECT_EQ(called.kept.size() + called.left_out.size(), m);
      RowList others;
      for (const std::uint32_t row : stretch(0, n + m))
        if (std::ranges::find(rows, row) == rows.end() &&
            std::ranges::find(pairs.remote(), row) == pairs.remote().end())
          others.push_back(row);
      const PairDistances found = pairs.distances(called);
      EXPECT_NEAR(found.energy * held.unit(), plain_distances(all, called.kept, others, 1).energy,
                  1e-5 * held.unit() * static_cast<double>(m));
      EXPECT_NEAR(found.kernel, plain_distances(all, called.kept, others, pairs.sharpness()).kernel, 1e-4);
    }
  });
}

TEST(PooledPairs, RemoteRowsDoNotDependOnWhoTheyBelongTo) {
  for_each_seed(20, [](Rng& rng) {
    const Points all = gaussian(rng, 120, 2);
    Team team(1);
    const HeldRows first(rows_of(all, stretch(0, 100)), 0, team),
        last(rows_of(all, stretch(20, 100)), 0, team);
    RowList a = PooledPairs(first, stretch(0, 100), rows_of(all, stretch(100, 20)), 2, team).remote();
    RowList b = PooledPairs(last, stretch(0, 100), rows_of(all, stretch(0, 20)), 2, team).remote();
    for (std::uint32_t& row : b) row = row < 100 ? row + 20 : row - 100;
    EXPECT_EQ(a, b);
  });
}

TEST(Marks, OfLevelsAreChiSquaredAndOfNumbersDoNotSeeHowFarOutTheyAre) {
  Rng rng(1, Purpose::test);
  Frame table = mixed_table(rng, 300);
  const Coding coding = learn_coding(table, {.missing = Missing::level});
  const Points points = encode(table, coding);
  const Points none(std::vector<double>{}, points.cols());
  const std::vector<Marks> marks = marks_of(points, none, coding);
  ASSERT_EQ(marks.size(), 4u);  // steps of the age, whether it is missing, the city, steps of the size
  EXPECT_TRUE(marks[0].is_ordered && !marks[1].is_ordered && !marks[2].is_ordered && marks[3].is_ordered);
  const RowList rows = random_chunk(rng, 300, 40);
  double chi = 0;
  for (std::size_t level = 0; level < 5; ++level) {
    double here = 0, everywhere = 0;
    for (std::uint32_t row = 0; row < 300; ++row) {
      if (table.columns[1].codes[row] != level) continue;
      everywhere += 1;
      here += std::ranges::binary_search(rows, row) ? 1 : 0;
    }
    const double expected = everywhere * 40 / 300;
    chi += (here - expected) * (here - expected) / (expected + 0.5);
  }
  EXPECT_NEAR(apart(marks[2], rows), std::sqrt(chi), 1e-9);
  const double before = apart(marks[3], rows);
  const auto largest = std::ranges::max_element(table.columns[2].numbers);
  *largest *= 1e6;
  EXPECT_EQ(apart(marks_of(encode(table, coding), none, coding)[3], rows), before);
}

// 200 chunks at 5 %: more than 20 would occur once in 500 such studies, fewer than 2 once in 2000 (binomial).
TEST(ChunkTest, HasItsLevelWhateverRowsOfTheChunkAreWrong) {
  for (const std::size_t wrong : {0u, 1u, 3u}) {
    std::size_t alarms = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Rng rng(seed, Purpose::test, wrong);
      const Points held = gaussian(rng, 150, 2);
      std::vector<double> values = gaussian(rng, 30, 2).values();
      for (std::size_t k = 0; k < wrong; ++k) values[2 * k] = k == 0 ? -999 : 50 * (1 + rng.normal());
      Team team(1);
      const ChunkTest found = test_chunk(HeldRows(held, 0.1, team), Points(values, 2), plain_coding(2),
                                         {.permutations = 99, .seed = seed}, team);
      alarms += rank_of(found, {}, 20).p_value <= 0.05 ? 1 : 0;
    }
    EXPECT_LE(alarms, 20u) << wrong;
    EXPECT_GE(alarms, 2u) << wrong;
  }
}

TEST(ChunkTest, ManyRowsThatStandTogetherAreNoAccident) {
  for_each_seed(20, [](Rng& rng) {
    const Points held = gaussian(rng, 200, 2);
    std::vector<double> values = gaussian(rng, 40, 2).values();
    for (std::size_t k = 0; k < 10; ++k) values[2 * k] += 30;
    Team team(1);
    const ChunkTest found =
        test_chunk(HeldRows(held, 0.1, team), Points(values, 2), plain_coding(2), {.permutations = 99}, team);
    EXPECT_LE(rank_of(found, {}, 20).p_value, 0.05);
  });
}

TEST(ChunkTest, HasTheSameBitsForAnyNumberOfThreads) {
  Rng rng(1, Purpose::test);
  const Points held = gaussian(rng, 200, 3), chunk = gaussian(rng, 40, 3, 0.3);
  Team one(1), two(2);
  const ChunkTest a = test_chunk(HeldRows(held, 0.1, one), chunk, plain_coding(3), {}, one),
                  b = test_chunk(HeldRows(held, 0.1, two), chunk, plain_coding(3), {}, two);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.permuted, b.permuted);
}

TEST(ChunkTest, OfManyRowsDrawsSomeOfThem) {
  Rng rng(1, Purpose::test);
  std::vector<double> values = gaussian(rng, 1300, 1).values();
  values[1299] = 1e6;
  Team team(2);
  const ChunkTest found = test_chunk(HeldRows(gaussian(rng, 100, 1), 0, team), Points(values, 1),
                                     plain_coding(1), {.tau = 0.001, .permutations = 9}, team);
  EXPECT_LE(found.left_out.size(), 1u);
  EXPECT_EQ(found.permuted.size(), 9u);
  EXPECT_EQ(permutations_for(20, 5000), permutations_for(20, 1000));
  EXPECT_EQ(permutations_for(20, 50), 999u);
}

TEST(RankOf, AlarmsAboveTheLimitOfThePermutedScores) {
  ChunkTest test;
  for (int i = 1; i <= 39; ++i) test.permuted.push_back(i);
  for (const double score : {0.5, 10.5, 38.5, 50.0}) {
    test.score = score;
    const Rank rank = rank_of(test, {}, 20);
    EXPECT_DOUBLE_EQ(rank.p_value, (1 + 39 - std::floor(std::min(score, 39.0))) / 40) << score;
    EXPECT_EQ(rank.p_value <= 1.0 / 20, score > rank.limit) << score;
  }
}

TEST(RankOf, IsStricterWhereOwnChunksAreRestless) {
  ChunkTest test{.score = 2.5};
  for (int i = 0; i < 199; ++i) test.permuted.push_back((i - 99) / 57.0);
  OwnChunks quiet{.rows = 20}, restless{.rows = 20};
  for (int i = 0; i < 20; ++i) {
    quiet.distance.push_back(1);
    quiet.score.push_back((i - 9.5) / 5.9);
    restless.distance.push_back(1);
    restless.score.push_back(2 + (i - 9.5) / 3);
  }
  EXPECT_FALSE(quiet.are_restless());
  EXPECT_TRUE(restless.are_restless());
  EXPECT_LE(rank_of(test, quiet, 20).p_value, 0.05);
  const Rank rank = rank_of(test, restless, 20);
  EXPECT_GT(rank.p_value, 0.05);
  EXPECT_GT(rank.limit, 2 + 1.645 * 2);
  test.score = rank.limit + 0.01;
  EXPECT_LE(rank_of(test, restless, 20).p_value, 0.05);
  test.score = rank.limit - 0.1;
  EXPECT_GT(rank_of(test, restless, 20).p_value, 0.05);
}

}  // namespace
}  // namespace motmot::test
