#include "base/rank_statistics.hpp"

#include "base/random.hpp"
#include "base/statistics.hpp"
#include "support/support.hpp"
#include "support/thread_ranks.hpp"

namespace motmot {
namespace {

/// Values of every sign and size, some of them many times.
std::vector<double> values(std::uint64_t seed, std::size_t count) {
  Rng rng(seed, Purpose::toy_x);
  std::vector<double> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    const double sign = rng.below(2) == 0 ? 1 : -1;
    drawn.push_back(rng.below(3) == 0 ? sign * rng.below(3)
                                      : sign * std::ldexp(1.0 + rng.below(1000) / 1000.0,
                                                          static_cast<int>(rng.below(600)) - 300));
  }
  return drawn;
}

TEST(RankStatistics, AreThoseOfAllValuesTogether) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const std::size_t count : {1u, 2u, 7u, 5000u, 20001u}) {
      const std::vector<double> all = values(seed, count);
      std::vector<double> sorted = all;
      std::ranges::sort(sorted);
      if (count > 5000 && seed > 1) continue;
      for (const std::size_t ranks : {1u, 3u})
        on_ranks(ranks, [&](Communicator& here) {
          // Unequal shares, one of them perhaps empty.
          const std::size_t first = here.rank() == 0 ? 0 : count / 5 * here.rank();
          const std::size_t last = here.rank() + 1 == ranks ? count : count / 5 * (here.rank() + 1);
          const std::span<const double> mine = std::span(all).subspan(first, last - first);
          EXPECT_EQ(count_over_ranks(mine.size(), here), count);
          EXPECT_EQ(median_over_ranks(mine, here), median_of(all)) << "seed " << seed << ", " << count;
          for (const double q : {0.0, 0.05, 0.5, 0.95, 1.0})
            EXPECT_EQ(quantile_over_ranks(mine, q, here), sorted_quantile(sorted, q)) << "seed " << seed;
          EXPECT_EQ(kth_over_ranks(mine, count / 3, here), sorted[count / 3]);
        });
    }
}

TEST(RankStatistics, ManyEqualValuesAreOne) {
  on_ranks(2, [](Communicator& here) {
    const std::vector<double> same(30000, -2.5);
    EXPECT_EQ(median_over_ranks(same, here), -2.5);
  });
}

}  // namespace
}  // namespace motmot
