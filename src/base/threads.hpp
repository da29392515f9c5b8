/// Threads that share one job: a team is made once and asked often, so a job may be as short as a
/// few microseconds.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace motmot {

/// How many threads to use: as many as `asked`, but no more than the cores that this process may run on, and
/// all of these when 0. The variable MOTMOT_CORES stands in for the number of cores, so that tests have seven
/// threads on any machine.
std::size_t thread_count(std::size_t asked);

class Team {
 public:
  /// thread_count(threads) workers including the caller, but no more than there are tasks. Where the system
  /// gives fewer threads, the team is smaller: size() tells.
  explicit Team(std::size_t threads = 1, std::size_t tasks = SIZE_MAX);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return workers_.size() + 1; }

  /// Calls task(i, worker) once for each i < count, worker < size(); returns when all are done.
  /// Which worker gets which i is open, so results must go to places that i names, and sums over
  /// i are added afterwards in the order of i. The first exception is thrown again here.
  /// `idle`, if given, is called now and then by the calling thread while it waits for the others; what it
  /// throws comes out here once they are done. Not reentrant.
  void run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task,
           const std::function<void()>& idle = {});

 private:
  void work(std::size_t worker);
  void take_tasks(std::size_t worker);
  /// Whether the part went well. What it threw is kept for run(), and no more tasks are begun.
  bool keeping_error(const std::function<void()>& part);

  std::vector<std::jthread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::size_t> job_{0};      ///< number of the current job; workers wait for the next
  std::atomic<std::size_t> next_{0};     ///< next task of the current job
  std::atomic<std::size_t> running_{0};  ///< workers that have not finished the current job
  std::atomic<bool> stop_{false};
  int spins_ = 0;  ///< how long to spin before sleeping: not at all when threads outnumber cores
  std::size_t count_ = 0;
  const std::function<void(std::size_t, std::size_t)>* task_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace motmot
