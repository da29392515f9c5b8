#include "neighbours/neighbours.hpp"

#include <array>
#include <numeric>

#include "kernels/neighbour_kernels.hpp"
#include "neighbours/plain.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

constexpr std::size_t width = kernels::neighbour_block;

/// Samples of all kinds: scattered, in clusters of different widths, on a lattice (ties), mostly one row.
Points any_points(Rng& rng, std::size_t n, std::size_t d) {
  const auto kind = rng.below(4);
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i) {
    const double cluster = rng.below(3);
    const bool is_common = rng.below(5) > 0;
    for (std::size_t k = 0; k < d; ++k) {
      const double z = rng.normal();
      points(i, k) = kind == 0   ? z
                     : kind == 1 ? 100 * cluster + z * std::pow(10, cluster)
                     : kind == 2 ? std::round(z)
                     : is_common ? 0.0
                                 : z;
    }
  }
  return points;
}

void expect_close(std::span<const double> got, std::span<const double> want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (want[i] == 0) {
      ASSERT_EQ(got[i], 0) << "row " << i;
    } else {
      ASSERT_NEAR(got[i] / want[i], 1, 1e-12) << "row " << i;
    }
  }
}

TEST(KthDistances, AreThoseOfAllPairs) {
  Team team(2);
  for_each_seed(120, [&](Rng& rng) {
    const std::size_t n = 2 + rng.below(300), d = 1 + rng.below(rng.below(2) ? 3 : 12);
    const Points points = any_points(rng, n, d);
    std::vector<std::size_t> ks{1 + rng.below(static_cast<std::uint32_t>(n - 1))};
    if (rng.below(2)) ks.push_back(ks[0] + rng.below(static_cast<std::uint32_t>(n - ks[0])));
    const auto got = kth_distances(points, ks, team), want = plain_kth_distances(points, ks, team);
    ASSERT_EQ(got.size(), ks.size());
    for (std::size_t k = 0; k < ks.size(); ++k) expect_close(got[k], want[k]);
  });
}

TEST(KthDistances, OfALargeSampleInThePlaneAreThoseOfAllPairs) {
  Rng rng(1, Purpose::test);
  Team team(2);
  const Points points = gaussian(rng, 3000, 2);
  constexpr std::array<std::size_t, 3> ks{7, 301, 750};
  const auto got = kth_distances(points, ks, team), want = plain_kth_distances(points, ks, team);
  for (std::size_t k = 0; k < ks.size(); ++k) expect_close(got[k], want[k]);
}

TEST(KthDistances, HaveTheSameBitsForAnyNumberOfThreads) {
  Rng rng(2, Purpose::test);
  const Points points = gaussian(rng, 2000, 3);
  constexpr std::array<std::size_t, 2> ks{20, 201};
  Team one(1), seven(7);
  EXPECT_EQ(kth_distances(points, ks, one), kth_distances(points, ks, seven));
}

TEST(KthDistances, AreRightForCoordinatesOfAnySize) {
  Team team(1);
  constexpr std::array<std::size_t, 1> ks{2};
  for (const double size : {1e-310, 1e-200, 1e200, 1e300}) {
    const Points points(std::vector<double>{0, size, 3 * size, 3 * size, -size / 2}, 1);
    const auto far = kth_distances(points, ks, team);
    const std::vector<double> want{size, 1.5 * size, 2 * size, 2 * size, 1.5 * size};
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_DOUBLE_EQ(far[0][i], want[i]) << size;
  }
  // No power of two fits both ends.
  const Points mixed(std::vector<double>{0, 1e-200, 3e-200, 1e300, -1e300}, 1);
  const auto mixed_far = kth_distances(mixed, ks, team);
  EXPECT_DOUBLE_EQ(mixed_far[0][0], 3e-200);
  EXPECT_DOUBLE_EQ(mixed_far[0][3], 1e300);
  const Points opposite(std::vector<double>{1.7e308, -1.7e308, 0}, 1);
  EXPECT_EQ(kth_distances(opposite, ks, team)[0][0], std::numeric_limits<double>::max());
}

TEST(KthDistances, StopWhenAskedTo) {
  Rng rng(3, Purpose::test);
  Team team(2);
  constexpr std::array<std::size_t, 1> ks{5};
  const Points points = gaussian(rng, 5000, 2);
  EXPECT_TRUE(kth_distances(points, ks, team, [](double) { return false; }).empty());
  EXPECT_EQ(kth_distances(points, ks, team, [](double done) { return 0 <= done && done <= 1; }).size(), 1u);
}

TEST(KthDistances, RefuseMoreNeighboursThanThereAreRows) {
  Team team(1);
  const Points points(3, 2);
  constexpr std::array<std::size_t, 1> three{3}, none{0};
  EXPECT_NE(error_of([&] { (void)kth_distances(points, three, team); }).find("between 1 and 2"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)kth_distances(points, none, team); }).find("between 1 and"),
            std::string::npos);
}

TEST(KthDistancesTo, AnotherSampleAreThoseOfAllPairs) {
  Team team(2);
  for_each_seed(120, [&](Rng& rng) {
    const std::size_t n = 1 + rng.below(200), m = 1 + rng.below(300),
                      d = 1 + rng.below(rng.below(2) ? 3 : 12);
    const Points points = any_points(rng, n, d), others = any_points(rng, m, d);
    std::vector<std::size_t> ks{1};
    for (std::size_t k = 2; k <= m && rng.below(4) > 0; ++k) ks.push_back(k);
    const auto got = kth_distances_to(points, others, ks, team);
    const auto want = plain_kth_distances_to(points, others, ks, team);
    ASSERT_EQ(got.size(), ks.size());
    for (std::size_t k = 0; k < ks.size(); ++k) expect_close(got[k], want[k]);
  });
}

TEST(MediansOverNearest, AreThoseOfAllPairs) {
  Team team(2);
  for_each_seed(100, [&](Rng& rng) {
    const std::size_t n = 1 + rng.below(200), m = 1 + rng.below(300), d = 1 + rng.below(5);
    const Points points = any_points(rng, n, d), others = any_points(rng, m, d);
    std::vector<std::size_t> counts(1 + rng.below(4));
    std::vector<std::vector<double>> values;
    for (std::size_t& count : counts) {
      count = 1 + rng.below(static_cast<std::uint32_t>(m));
      values.push_back(rng.below(2) ? normals(rng, m) : std::vector<double>(m, 3.5));
    }
    std::ranges::sort(counts);
    EXPECT_EQ(medians_over_nearest(points, others, counts, values, team),
              plain_medians_over_nearest(points, others, counts, values, team));
  });
}

TEST(SpreadRows, StandForTheSampleWhateverItsOrder) {
  Rng rng(4, Purpose::test);
  const Points points = gaussian(rng, 300, 2);
  Points reversed(300, 2);
  for (std::size_t i = 0; i < 300; ++i) std::ranges::copy(points.row(i), reversed.row(299 - i).begin());
  std::vector<std::uint32_t> rows = spread_rows(points, 60), back = spread_rows(reversed, 60);
  for (std::uint32_t& row : back) row = 299 - row;
  std::ranges::sort(back);
  EXPECT_EQ(rows, back);
  double mean = 0;
  for (const std::uint32_t row : rows) mean += points(row, 0) / 60;
  EXPECT_NEAR(mean, 0, 0.15);
  std::vector<std::uint32_t> all(300);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(spread_rows(points, 1000), all);
}

TEST(Twins, AreCountedAndTheLargestGroupIsNamed) {
  const Points points(std::vector<double>{1, 2, 0, 0, 1, 2, 3, 4, 0, -0.0, 0, 0}, 2);
  const Twins twins = find_twins(points);
  EXPECT_EQ(twins.rows, 5u);
  EXPECT_EQ(twins.largest, 3u);
  EXPECT_EQ(twins.first, 1u);
  EXPECT_EQ(twins.group, (std::vector<std::uint32_t>{0, 1, 0, 3, 1, 1}));
  Team team(1);
  const auto nearest = nearest_distinct(points, twins, team);
  EXPECT_DOUBLE_EQ(nearest[0], std::sqrt(5));
  EXPECT_DOUBLE_EQ(nearest[4], std::sqrt(5));
  EXPECT_DOUBLE_EQ(nearest[3], std::sqrt(8));
}

TEST(Twins, AreThoseOfAllPairs) {
  for_each_seed(50, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(60), d = 1 + rng.below(3);
    const Points points = any_points(rng, n, d);
    const Twins twins = find_twins(points);
    std::size_t rows = 0, largest = 1;
    std::uint32_t first = 0;
    for (std::uint32_t i = n; i-- > 0;) {
      std::size_t same = 0;
      std::uint32_t group = i;
      for (std::uint32_t j = n; j-- > 0;)
        if (std::ranges::equal(points.row(i), points.row(j))) {
          ++same;
          group = j;
        }
      EXPECT_EQ(twins.group[i], group);
      rows += same > 1;
      if (same >= largest) largest = same, first = group;
    }
    EXPECT_EQ(twins.rows, rows);
    EXPECT_EQ(twins.largest, largest);
    EXPECT_EQ(twins.first, first);
  });
}

TEST(Twins, OfASampleThatIsOneRowOverAndOverAreAllOfThem) {
  const Points points(40, 3);
  const Twins twins = find_twins(points);
  EXPECT_EQ(twins.rows, 40u);
  Team team(1);
  EXPECT_EQ(nearest_distinct(points, twins, team), std::vector<double>(40));
}

TEST(NeighbourKernels, HaveTheBitsOfTheScalarTwins) {
  const auto& fast = kernels::neighbour_kernels();
  const auto& plain = kernels::scalar_neighbour_kernels();
  for_each_seed(60, [&](Rng& rng) {
    const std::size_t blocks = 1 + rng.below(6), d = 1 + rng.below(9), count = 1 + rng.below(9);
    const std::vector<double> rows = normals(rng, blocks * d * width), points = normals(rng, count * d);
    std::vector<std::uint32_t> list;
    for (std::uint32_t b = 0; b < blocks; ++b)
      if (rng.below(3) > 0) list.push_back(b);
    const std::size_t stride = list.size() * width;
    std::vector<double> got(count * stride), want(count * stride);
    fast.block_distances(
        {points.data(), count, d, rows.data(), list.data(), list.size(), got.data(), stride});
    plain.block_distances(
        {points.data(), count, d, rows.data(), list.data(), list.size(), want.data(), stride});
    EXPECT_EQ(got, want);
    std::vector<double> sifted(want.size()), plainly(want.size());
    const auto a = fast.sift(want.data(), want.size(), 1.0, 4.0, sifted.data());
    const auto b = plain.sift(want.data(), want.size(), 1.0, 4.0, plainly.data());
    EXPECT_EQ(a.below, b.below);
    ASSERT_EQ(a.kept, b.kept);
    EXPECT_TRUE(std::equal(sifted.begin(), sifted.begin() + static_cast<long>(a.kept), plainly.begin()));
  });
}

}  // namespace
}  // namespace motmot::test
