#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/cpu_quota.hpp"

namespace motmot {
namespace {

// Jobs follow each other within microseconds in an ascent loop: a worker spins this long before it
// sleeps. Waking a sleeper costs some 50 us, a third of a step at the paper's sizes. Where threads
// outnumber cores a spinning one only keeps a working one waiting.
constexpr int spins_before_sleep = 20000;

void pause_briefly() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Those that this process may run on, or that the quota of its container is worth.
std::size_t cores() {
  static const std::size_t quota = cores_by_quota();
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::min(quota, static_cast<std::size_t>(std::max(1, CPU_COUNT(&set))));
  return std::min<std::size_t>(quota, std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

std::size_t thread_count(std::size_t asked) {
  const char* said = std::getenv("MOTMOT_CORES");
  const std::size_t most = said != nullptr ? std::max(1ul, std::strtoul(said, nullptr, 10)) : cores();
  return asked == 0 ? most : std::min(asked, most);
}

Team::Team(std::size_t threads, std::size_t tasks) {
  const std::size_t size = std::min(thread_count(threads), std::max<std::size_t>(tasks, 1));
  spins_ = size <= cores() ? spins_before_sleep : 0;
  workers_.reserve(size - 1);
  try {
    for (std::size_t worker = 1; worker < size; ++worker)
      workers_.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error&) {
    // The system gives no more threads (a limit of processes or of memory): those there are do the work.
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    stop_.store(true);
    job_.fetch_add(1);
  }
  wake_.notify_all();
}

void Team::run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task,
               const std::function<void()>& idle) {
  if (workers_.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    count_ = count;
    task_ = &task;
    next_.store(0);
    running_.store(workers_.size());
    job_.fetch_add(1);
  }
  wake_.notify_all();
  take_tasks(0);
  bool idle_went_well = true;
  for (int spin = 0; running_.load(std::memory_order_acquire) != 0; ++spin) {
    if (spin < spins_) {
      pause_briefly();
    } else if (idle) {
      if (idle_went_well) idle_went_well = keeping_error(idle);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      std::this_thread::yield();
    }
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Team::work(std::size_t worker) {
  std::size_t seen = 0;
  for (;;) {
    for (int spin = 0; spin < spins_ && job_.load(std::memory_order_acquire) == seen; ++spin) pause_briefly();
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return job_.load() != seen; });
      seen = job_.load();
    }
    if (stop_.load()) return;
    take_tasks(worker);
    running_.fetch_sub(1, std::memory_order_release);
  }
}

void Team::take_tasks(std::size_t worker) {
  keeping_error([&] {
    for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) (*task_)(i, worker);
  });
}

bool Team::keeping_error(const std::function<void()>& part) {
  try {
    part();
    return true;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    next_.store(count_);
    return false;
  }
}

}  // namespace motmot
