#include "base/threads.hpp"

#include <numeric>

#include "support/support.hpp"

namespace motmot {
namespace {

TEST(Team, RunsEveryTaskOnceForAnyNumberOfThreads) {
  for (const std::size_t threads : {1, 2, 3, 7}) {
    Team team(threads);
    EXPECT_EQ(team.size(), threads);
    for (const std::size_t count : {0, 1, 2, 5, 1000}) {
      std::vector<std::atomic<int>> done(count);
      team.run(count, [&](std::size_t i, std::size_t worker) {
        EXPECT_LT(worker, threads);
        ++done[i];
      });
      EXPECT_TRUE(std::ranges::all_of(done, [](const auto& times) { return times == 1; }));
    }
  }
}

TEST(Team, ServesManyShortJobsInARow) {
  Team team(3);
  std::vector<std::size_t> sums(4);
  for (std::size_t job = 0; job < 5000; ++job)
    team.run(sums.size(), [&](std::size_t i, std::size_t) { sums[i] += i + job; });
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 5000 * i + 4999 * 5000 / 2);
}

TEST(Team, PassesOnTheFirstErrorAndCanBeUsedAgain) {
  Team team(2);
  EXPECT_THROW(team.run(100,
                        [](std::size_t i, std::size_t) {
                          if (i == 37) throw Error(Errc::numeric, "no");
                        }),
               Error);
  std::atomic<int> done = 0;
  team.run(10, [&](std::size_t, std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace motmot
