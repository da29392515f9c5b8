#include "base/threads.hpp"

#include <pthread.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "base/cpu_quota.hpp"
#include "base/progress.hpp"
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

// A container with a quota of 1.5 processors gets two threads, however many cores the machine has.
TEST(CpuQuota, IsThatOfTheTightestGroupRoundedUp) {
  const test::TempDir folder;
  const std::filesystem::path root = folder.path() / "cgroup", membership = folder.path() / "membership";
  const auto write = [](const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  };
  const auto cores = [&](const std::string& groups) {
    write(membership, groups);
    return cores_by_quota(membership, root);
  };
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(cores_by_quota(folder.path() / "nothing", root), any);
  write(root / "cpu.max", "max 100000\n");
  write(root / "app" / "cpu.max", "150000 100000\n");
  write(root / "app" / "inner" / "cpu.max", "400000 100000\n");
  EXPECT_EQ(cores("0::/\n"), any);
  EXPECT_EQ(cores("0::/app\n"), 2u);
  EXPECT_EQ(cores("0::/app/inner\n"), 2u) << "the group above counts too";
  write(root / "cpu,cpuacct" / "job" / "cpu.cfs_quota_us", "300000\n");
  write(root / "cpu,cpuacct" / "job" / "cpu.cfs_period_us", "100000\n");
  write(root / "cpu,cpuacct" / "free" / "cpu.cfs_quota_us", "-1\n");
  write(root / "cpu,cpuacct" / "free" / "cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores("4:cpuset:/job\n3:cpu,cpuacct:/job\n0::/\n"), 3u);
  EXPECT_EQ(cores("3:cpu,cpuacct:/free\n"), any);
}

TEST(MemoryQuota, IsThatOfTheMachineOrOfTheTightestGroup) {
  const test::TempDir folder;
  const std::filesystem::path root = folder.path() / "cgroup", membership = folder.path() / "membership",
                              machine = folder.path() / "meminfo";
  const auto write = [](const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  };
  const auto memory = [&] { return memory_by_quota(membership, root, machine); };
  EXPECT_EQ(memory(), std::numeric_limits<std::uint64_t>::max()) << "nothing is known";
  write(machine, "MemTotal:       8000000 kB\nMemFree:         5 kB\n");
  write(membership, "0::/app/inner\n");
  EXPECT_EQ(memory(), 8'192'000'000u);
  write(root / "app" / "memory.max", "1000000\n");
  write(root / "app" / "inner" / "memory.max", "max\n");
  EXPECT_EQ(memory(), 1'000'000u);
  write(membership, "5:memory:/job\n3:cpu:/app\n");
  write(root / "memory" / "job" / "memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), 8'192'000'000u) << "v1 writes a huge number for none";
  write(root / "memory" / "job" / "memory.limit_in_bytes", "2000000\n");
  EXPECT_EQ(memory(), 2'000'000u);
}

TEST(Team, HasNoMoreThreadsThanCoresOrTasks) {
  setenv("MOTMOT_CORES", "5", 1);
  EXPECT_EQ(thread_count(0), 5u);
  EXPECT_EQ(thread_count(2), 2u);
  EXPECT_EQ(Team(100'000).size(), 5u);
  EXPECT_EQ(Team(std::numeric_limits<std::size_t>::max()).size(), 5u);
  EXPECT_EQ(Team(100'000, 3).size(), 3u);
  EXPECT_EQ(Team(0, 0).size(), 1u);
  unsetenv("MOTMOT_CORES");
  EXPECT_LE(thread_count(100'000), 4096u);
  EXPECT_EQ(thread_count(100'000), thread_count(0));
  setenv("MOTMOT_CORES", "8", 1);
}

TEST(Team, GoesOnWithTheThreadsThatItCanHave) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps a shadow of every stack";
#endif
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  // Three stacks of this size fit into the addresses that there are, seven do not.
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 45), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  Team team(8);
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_LT(team.size(), 8u);
  std::vector<int> done(1000);
  team.run(done.size(), [&](std::size_t i, std::size_t worker) {
    EXPECT_LT(worker, team.size());
    ++done[i];
  });
  EXPECT_TRUE(std::ranges::all_of(done, [](int times) { return times == 1; }));
}

TEST(Team, ServesManyShortJobsInARow) {
  Team team(3);
  std::vector<std::size_t> sums(4);
  for (std::size_t job = 0; job < 5000; ++job)
    team.run(sums.size(), [&](std::size_t i, std::size_t) { sums[i] += i + job; });
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 5000 * i + 4999 * 5000 / 2);
}

// Workers that hold the ticket of a job that is over must not touch the next one.
TEST(Team, GivesNoTaskOfAnotherJobToALateWorker) {
  Team team(4);
  for (std::size_t job = 0; job < 20'000; ++job) {
    const std::size_t count = 2 + job % 7;
    std::atomic<std::size_t> sum = 0;
    team.run(count, [&sum, job, count](std::size_t i, std::size_t) {
      ASSERT_LT(i, count) << "job " << job;
      sum += i + 1;
    });
    ASSERT_EQ(sum, count * (count + 1) / 2) << "job " << job;
  }
}

TEST(Team, LeavesShortJobsToTheCaller) {
  Team team(4);
  const auto threads_of = [&](Work work) {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    team.run(4, work, [&](std::size_t, std::size_t) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    return seen;
  };
  const std::set<std::thread::id> caller{std::this_thread::get_id()};
  for (int again = 0; again < 100; ++again)
    EXPECT_EQ(threads_of({0.99 * Team::least_shared.seconds}), caller);
  std::atomic<int> begun = 0;  // each waits for the others, so four threads must come
  team.run(4, Team::least_shared, [&](std::size_t, std::size_t) {
    for (++begun; begun < 4;) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 4);
}

TEST(Team, WaitsForItsWorkersWhenTheIdlingCallerThrows) {
  Team team(2);
  std::atomic<int> begun = 0, ended = 0;
  const auto task = [&](std::size_t, std::size_t worker) {
    for (++begun; begun < 2;) std::this_thread::yield();  // one task for each
    if (worker != 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++ended;
  };
  EXPECT_THROW(team.run(2, task, [] { throw std::runtime_error("tired"); }), std::runtime_error);
  EXPECT_EQ(ended, 2) << "a task outlives what it refers to";
}

TEST(Watch, TellsTheOtherThreadsToStopWhenProgressThrows) {
  const Progress progress = [](double) -> bool { throw std::runtime_error("asked"); };
  Watch watch(progress, 0);
  Team team(2);
  EXPECT_THROW(watch.run(team, 2, 0.5,
                         [](std::size_t, const Progress& go_on) {
                           while (go_on(0)) {
                           }
                         }),
               std::runtime_error);
  EXPECT_TRUE(watch.stopped());
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
