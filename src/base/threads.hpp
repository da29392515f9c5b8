/// Threads that share one job: a team is made once and asked often. Nobody spins: whoever has nothing to do
/// sleeps, so a team beside other busy processes is no slower than one thread (bench/beside.py).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace motmot {

/// How many threads to use: as many as `asked`, but no more than the cores that this process may run on, and
/// all of these when 0. The variable MOTMOT_CORES stands in for the number of cores, so that tests have seven
/// threads on any machine.
std::size_t thread_count(std::size_t asked);

/// About how long a job takes on one core: a function of its sizes alone, never a measurement, so that the
/// same job takes the same number of threads each time.
struct Work {
  double seconds = 0;
};

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

  /// The same for loops whose jobs may be short: one below least_shared is the caller's alone.
  void run(std::size_t count, Work work, const std::function<void(std::size_t, std::size_t)>& task);

  /// Waking a thread takes some 50 us, and beside a busy process a time slice of the system's.
  static constexpr Work least_shared{1e-3};

 private:
  void work(std::size_t worker);
  void take_tasks(std::size_t worker);
  void open_job(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task);
  void wait_for_others(const std::function<void()>& idle);
  std::optional<std::size_t> next_task() noexcept;
  /// Whether the part went well. What it threw is kept for run(), and no more tasks are begun.
  template <class Part>
  bool keeping_error(const Part& part);

  std::mutex mutex_;
  std::condition_variable wake_;      ///< a job has come
  std::condition_variable finished_;  ///< its last task is done
  /// Number of the current job in the upper half, its next task in the lower one: whoever takes a task takes
  /// it of the job that he knows, or none.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<std::size_t> done_{0};  ///< tasks of the current job
  std::atomic<std::size_t> count_{0};
  const std::function<void(std::size_t, std::size_t)>* task_ = nullptr;
  std::atomic<bool> failed_{false};  ///< the tasks that are left are passed over
  std::exception_ptr error_;
  bool stop_ = false;
  std::vector<std::jthread> workers_;  ///< last: they are joined before what they use is gone
};

}  // namespace motmot
