#include "watch.hpp"

#include <chrono>
#include <list>

namespace motmot::python {
namespace {

/// Seldom enough to cost nothing, often enough that Ctrl-C feels immediate.
constexpr std::chrono::milliseconds interval{40};

/// Ends a run that nobody waits for.
struct Left {};

struct LeftRun {
  std::shared_ptr<Run> run;
  py::object inputs;
};

/// Runs left by Ctrl-C, touched under the interpreter's lock only. Never destroyed: a run may outlive the
/// interpreter.
std::list<LeftRun>& left_runs() {
  static auto* runs = new std::list<LeftRun>;
  return *runs;
}

void forget_ended_runs() {
  left_runs().remove_if([](const LeftRun& left) {
    const std::lock_guard lock(left.run->mutex);
    return left.run->finished;
  });
}

void look_at_python(Run& run, const py::object& callback, double done) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (callback.is_none() || run.stop.load()) return;
  const py::object answer = callback(done);
  if (!answer.is_none() && !py::bool_(answer)) run.stop.store(true);
}

/// True when the run has finished.
bool wait_a_moment(Run& run) {
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(run.mutex);
  return run.ended.wait_for(lock, interval, [&] { return run.finished; });
}

}  // namespace

Progress Run::progress() {
  return [this](double share) {
    if (leave.load(std::memory_order_relaxed)) throw Left{};
    done.store(share, std::memory_order_relaxed);
    return !stop.load(std::memory_order_relaxed);
  };
}

void Run::finish(std::exception_ptr what) {
  const std::lock_guard lock(mutex);
  error = std::move(what);
  finished = true;
  ended.notify_all();
}

Progress progress_here(Run& run, const py::object& callback) {
  auto asked = std::chrono::steady_clock::now();
  return [&run, &callback, asked](double share) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked >= interval) {
      asked = now;
      const py::gil_scoped_acquire locked;
      look_at_python(run, callback, share);
    }
    return !run.stop.load(std::memory_order_relaxed);
  };
}

void tell_the_end(Run& run, const py::object& callback) { look_at_python(run, callback, 1); }

void wait_for(const std::shared_ptr<Run>& run, const py::object& callback, const py::object& inputs) {
  forget_ended_runs();
  try {
    while (!wait_a_moment(*run)) look_at_python(*run, callback, run->done.load());
    if (!run->error) look_at_python(*run, callback, 1);
  } catch (...) {
    run->leave.store(true);
    left_runs().push_back({run, inputs});
    throw;
  }
}

}  // namespace motmot::python
