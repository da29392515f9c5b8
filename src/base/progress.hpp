#pragma once

#include <atomic>
#include <chrono>

#include "base/threads.hpp"
#include "motmot/base.hpp"

namespace motmot {

/// The caller's progress and time limit as one thing: once either has said stop, it stays so. Whatever runs
/// asks through the callbacks that this hands out; they must not outlive it.
class Watch {
 public:
  Watch(const Progress& progress, double time_limit) : progress_(progress), time_limit_(time_limit) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// For work on the calling thread that is the part [from, to] of the whole.
  [[nodiscard]] Progress part(double from, double to) {
    if (!watching()) return {};
    return [this, from, to](double done) { return ask(from + (to - from) * done); };
  }

  /// Runs task(i, progress) for each i < count on the team. The caller is asked on its own thread, also while
  /// that has nothing left to do but wait for the others.
  template <class Task>
  void run(Team& team, std::size_t count, double done, const Task& task) {
    run_by_worker(team, count, done,
                  [&](std::size_t i, std::size_t, const Progress& progress) { task(i, progress); });
  }

  /// The same with task(i, worker, progress), for work that has buffers for each worker.
  template <class Task>
  void run_by_worker(Team& team, std::size_t count, double done, const Task& task) {
    run_by_worker(team, count, done, done, task);
  }

  /// The same where the tasks are the part [from, to] of the whole.
  template <class Task>
  void run_by_worker(Team& team, std::size_t count, double from, double to, const Task& task) {
    if (!watching()) {
      team.run(count, [&](std::size_t i, std::size_t worker) { task(i, worker, Progress{}); });
      return;
    }
    std::atomic<std::size_t> finished = 0;
    const auto ask_now = [&] {
      return ask(from + (to - from) * static_cast<double>(finished.load()) / static_cast<double>(count));
    };
    team.run(
        count,
        [&](std::size_t i, std::size_t worker) {
          task(i, worker, Progress([&, worker](double) { return worker == 0 ? ask_now() : !stopped(); }));
          ++finished;
        },
        ask_now);
  }

 private:
  [[nodiscard]] bool watching() const { return progress_ || time_limit_ > 0; }
  bool ask(double done) {
    if (stopped_) return false;
    try {
      if ((progress_ && !progress_(done)) || (time_limit_ > 0 && seconds() >= time_limit_)) stopped_ = true;
    } catch (...) {
      stopped_ = true;  // the other threads need not go on
      throw;
    }
    return !stopped_;
  }

  const Progress& progress_;
  double time_limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopped_ = false;
};

}  // namespace motmot
