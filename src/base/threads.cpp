#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>

#include "base/cpu_quota.hpp"

namespace motmot {
namespace {

void run_alone(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task) {
  for (std::size_t i = 0; i < count; ++i) task(i, 0);
}

constexpr std::uint64_t one_job = std::uint64_t{1} << 32;
constexpr std::uint64_t no_task = one_job - 1;

std::uint64_t job_of(std::uint64_t ticket) noexcept { return ticket / one_job; }
std::uint64_t task_of(std::uint64_t ticket) noexcept { return ticket % one_job; }

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
  workers_.reserve(size - 1);
  try {
    for (std::size_t worker = 1; worker < size; ++worker)
      workers_.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error&) {
    // The system gives no more threads (a limit of processes or of memory): those there are do the work.
  } catch (const std::bad_alloc&) {
    // The same; and those there are would wait for ever for a team that is never made.
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
}

void Team::run(std::size_t count, Work work, const std::function<void(std::size_t, std::size_t)>& task) {
  if (work.seconds < least_shared.seconds) return run_alone(count, task);
  run(count, task);
}

void Team::run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task,
               const std::function<void()>& idle) {
  if (workers_.empty() || count <= 1) return run_alone(count, task);
  open_job(count, task);
  take_tasks(0);
  wait_for_others(idle);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// The ticket is closed while the job changes: a worker that still holds that of the last job gets nothing.
void Team::open_job(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task) {
  const std::uint64_t job = (job_of(ticket_.load()) + 1) * one_job;
  {
    const std::lock_guard lock(mutex_);
    ticket_.store(job + no_task);
    count_.store(count);
    task_ = &task;
    done_.store(0);
    failed_.store(false);
    ticket_.store(job);
  }
  wake_.notify_all();
}

// The job is over when its tasks are: a worker that the system has not let in yet is not waited for. Whoever
// waits sleeps, so that his core is free for the one he waits for.
void Team::wait_for_others(const std::function<void()>& idle) {
  const auto over = [&] { return done_.load() == count_.load(); };
  bool idle_went_well = true;
  std::unique_lock lock(mutex_);
  while (!over()) {
    if (!idle) {
      finished_.wait(lock, over);
    } else if (!finished_.wait_for(lock, std::chrono::milliseconds(1), over)) {
      lock.unlock();
      if (idle_went_well) idle_went_well = keeping_error(idle);
      lock.lock();
    }
  }
}

void Team::work(std::size_t worker) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || task_of(ticket_.load()) < count_.load(); });
      if (stop_) return;
    }
    take_tasks(worker);
  }
}

void Team::take_tasks(std::size_t worker) {
  std::size_t taken = 0;
  while (const std::optional<std::size_t> i = next_task()) {
    ++taken;
    if (!failed_.load()) keeping_error([&] { (*task_)(*i, worker); });
  }
  if (taken == 0 || done_.fetch_add(taken) + taken != count_.load() || worker == 0) return;
  const std::lock_guard lock(mutex_);  // the caller is either asleep or has seen it
  finished_.notify_one();
}

std::optional<std::size_t> Team::next_task() noexcept {
  std::uint64_t ticket = ticket_.load();
  while (task_of(ticket) < count_.load())
    if (ticket_.compare_exchange_weak(ticket, ticket + 1)) return task_of(ticket);
  return {};
}

template <class Part>
bool Team::keeping_error(const Part& part) {
  try {
    part();
    return true;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    failed_.store(true);
    return false;
  }
}

}  // namespace motmot
