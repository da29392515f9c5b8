#include "inference/energy.hpp"

#include <numeric>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "blocks/sampler.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

Points pooled(PointsView x, PointsView y) {
  std::vector<double> values(x.data, x.data + x.n * x.d);
  values.insert(values.end(), y.data, y.data + y.n * y.d);
  return {std::move(values), x.d};
}

/// The definitions: -w^T D w and w^T K w over all pairs of the pooled rows.
struct Plain {
  double energy = 0, kernel = 0;
};
Plain plain_statistics(PointsView all, const std::vector<bool>& called_x, const PairScale& scale) {
  const auto n = static_cast<double>(std::ranges::count(called_x, true));
  const double m = static_cast<double>(all.n) - n;
  Plain sums;
  for (std::size_t i = 0; i < all.n; ++i)
    for (std::size_t j = 0; j < all.n; ++j) {
      const double w = (called_x[i] ? 1 / n : -1 / m) * (called_x[j] ? 1 / n : -1 / m);
      const double distance = euclidean(all.row(i), all.row(j)), inner = distance / scale.unit;
      sums.energy -= w * distance;
      sums.kernel += w / (1 + scale.sharpness * inner * inner);
    }
  return sums;
}

std::vector<bool> marked(const Labelling& rows, std::size_t all) {
  std::vector<bool> marks(all, false);
  for (const std::uint32_t row : rows) marks[row] = true;
  return marks;
}

std::vector<Labelling> labellings_of(std::size_t n, std::size_t m, std::size_t count) {
  std::vector<Labelling> labellings{observed_labelling(n)};
  for (std::size_t b = 1; b < count; ++b) {
    Rng rng(3, Purpose::permutation, b);
    labellings.push_back(random_labelling(n, m, rng));
  }
  return labellings;
}

class Bench {
 public:
  explicit Bench(std::size_t threads = 1) : team(threads) {}
  Team team;
  Progress progress;
  Watch watch{progress, 0};
};

TEST(PairStatistics, AreThoseOfTheDefinitionUnderEveryLabelling) {
  Bench bench;
  for_each_seed(12, [&](Rng& rng) {
    const std::size_t n = 1 + rng.below(150), m = 1 + rng.below(150), d = 1 + rng.below(5);
    // Far from the origin, and of any size: both are taken out before the distances are rounded.
    const double size = std::pow(10.0, rng.uniform(-200, 150));
    Points x = gaussian(rng, n, d, 1e6), y = gaussian(rng, m, d, 1e6 + 0.5);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < points->rows(); ++i)
        for (double& value : points->row(i)) value *= size;
    const std::vector<Labelling> labellings = labellings_of(n, m, 1 + rng.below(60));
    const PairStatistics found = pair_statistics(x, y, labellings, bench.team, bench.watch);
    const PairScale scale = pair_scale(x, y);
    const Points all = pooled(x, y);
    for (std::size_t b = 0; b < labellings.size(); ++b) {
      const Plain want = plain_statistics(all, marked(labellings[b], n + m), scale);
      ASSERT_NEAR(found.energy[b] * scale.unit, want.energy, 2e-6 * size);
      ASSERT_NEAR(found.kernel[b], want.kernel, 2e-6);
    }
  });
}

// The middle of the distances of a Gaussian, and a sharper kernel where there are more columns.
TEST(PairScale, MeasuresTheKernelInTypicalDistances) {
  for (const std::size_t d : {1u, 2u, 3u, 8u}) {
    Rng rng(d, Purpose::test);
    const Points x = gaussian(rng, 150, d), y = gaussian(rng, 150, d);
    std::vector<double> distances;
    for (std::size_t i = 0; i < 150; ++i)
      for (std::size_t j = 0; j < 150; ++j) distances.push_back(euclidean(x.row(i), y.row(j)));
    const PairScale scale = pair_scale(x, y);
    const double typical = median_of(distances) / scale.unit;
    EXPECT_NEAR(scale.sharpness * typical * typical, std::min<double>(static_cast<double>(d), 4),
                0.15 * static_cast<double>(d));
  }
  // Most rows in one place: the mean, and never a division by zero.
  EXPECT_GT(pair_scale(Points({0, 0, 0, 0}, 1), Points({0, 0, 3}, 1)).sharpness, 0);
  EXPECT_TRUE(std::isfinite(pair_scale(Points({1, 1}, 1), Points({1, 1}, 1)).sharpness));
}

/// The rows of the blocks that block_statistics() calls X in permutation b, and the rows that stay there,
/// drawn as it says: rows in random order within each sample, blocks of `size` in that order, blocks change
/// sides.
Labelling rows_of_blocks(std::size_t n, std::size_t m, std::size_t size, std::uint64_t seed, std::size_t b) {
  Rng order(seed, Purpose::permutation), drawn(seed, Purpose::permutation, b);
  const std::vector<std::uint32_t> of_x = partition_blocks(n, 1, order).index;
  std::vector<std::uint32_t> of_y = partition_blocks(m, 1, order).index;
  for (std::uint32_t& row : of_y) row += static_cast<std::uint32_t>(n);
  const std::size_t blocks_x = std::min<std::size_t>(400, n / size),
                    blocks_y = std::min<std::size_t>(400, m / size);
  Labelling rows(of_x.begin() + static_cast<long>(blocks_x * size), of_x.end());
  for (const std::uint32_t block : random_labelling(blocks_x, blocks_y, drawn))
    for (std::size_t k = 0; k < size; ++k)
      rows.push_back(block < blocks_x ? of_x[block * size + k] : of_y[(block - blocks_x) * size + k]);
  return rows;
}

TEST(BlockStatistics, AreThoseOfTheDefinition) {
  Bench bench;
  for (const auto& [n, m] :
       std::vector<std::pair<std::size_t, std::size_t>>{{430, 520}, {620, 430}, {3, 700}, {1, 1}, {40, 60}}) {
    SCOPED_TRACE(testing::Message() << n << " x " << m);
    Rng rng(n, Purpose::test);
    const Points x = gaussian(rng, n, 2), y = gaussian(rng, m, 2, 0.3), all = pooled(x, y);
    const BlockStatistics found = block_statistics(x, y, 4, 5, bench.team, bench.watch);
    EXPECT_EQ(found.block_size, n > 400 ? 3u : 1u);
    const PairScale scale = pair_scale(x, y);
    for (std::size_t b = 0; b < 5; ++b) {
      const Labelling called_x =
          b == 0 ? observed_labelling(n) : rows_of_blocks(n, m, found.block_size, 5, b);
      ASSERT_EQ(called_x.size(), n);
      const Plain want = plain_statistics(all, marked(called_x, n + m), scale);
      EXPECT_NEAR(found.values.energy[b] * scale.unit, want.energy, 1e-6);
      EXPECT_NEAR(found.values.kernel[b], want.kernel, 1e-6);
    }
  }
}

TEST(PairStatistics, HaveTheSameBitsForAnyNumberOfThreads) {
  Rng rng(4, Purpose::test);
  const Points x = gaussian(rng, 333, 3), y = gaussian(rng, 500, 3, 0.5);
  const std::vector<Labelling> labellings = labellings_of(333, 500, 50);
  Bench one(1);
  const PairStatistics want = pair_statistics(x, y, labellings, one.team, one.watch);
  const BlockStatistics blocks = block_statistics(x, y, 30, 1, one.team, one.watch);
  for (const std::size_t threads : {2u, 7u}) {
    Bench bench(threads);
    const PairStatistics got = pair_statistics(x, y, labellings, bench.team, bench.watch);
    EXPECT_EQ(got.energy, want.energy);
    EXPECT_EQ(got.kernel, want.kernel);
    const BlockStatistics again = block_statistics(x, y, 30, 1, bench.team, bench.watch);
    EXPECT_EQ(again.values.energy, blocks.values.energy);
    EXPECT_EQ(again.values.kernel, blocks.values.kernel);
  }
}

TEST(LineStatistics, AreW1AndTheEnergyDistanceOfOneColumn) {
  Bench bench;
  for_each_seed(20, [&](Rng& rng) {
    const std::size_t n = 1 + rng.below(40), m = 1 + rng.below(40);
    Points x = gaussian(rng, n, 1), y = gaussian(rng, m, 1, 1);
    for (std::size_t i = 0; i < n; ++i) x(i, 0) = std::round(2 * x(i, 0));  // ties
    for (std::size_t j = 0; j < m; ++j) y(j, 0) = std::round(2 * y(j, 0));
    const Points all = pooled(x, y);
    const std::vector<Labelling> labellings = labellings_of(n, m, 5);
    const LineStatistics found = line_statistics(x, y, labellings, bench.team);
    EXPECT_NEAR(found.w1[0], transport(x, y).cost, 1e-12);
    for (std::size_t b = 0; b < labellings.size(); ++b)
      EXPECT_NEAR(found.energy[b], plain_statistics(all, marked(labellings[b], n + m), {}).energy, 1e-12);
  });
}

}  // namespace
}  // namespace motmot::test
