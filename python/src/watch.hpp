/// A run without the interpreter's lock that hears Ctrl-C at once and speaks to a Python callback.
///
/// The library works on a thread of its own; the calling thread waits, looks at Python's signals some twenty
/// times a second and calls the callback there. After Ctrl-C nobody waits for the library: its run is told to
/// stop, ends by itself when it next asks, and what it reads is kept alive until then.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "binding.hpp"
#include "motmot/base.hpp"

namespace motmot::python {

/// What the two threads share.
struct Run {
  std::atomic<double> done{0};     ///< share of the work
  std::atomic<bool> stop{false};   ///< the callback said so: the best answer so far is wanted
  std::atomic<bool> leave{false};  ///< Ctrl-C: no answer is wanted
  std::mutex mutex{};
  std::condition_variable ended{};
  bool finished = false;  ///< under the mutex
  std::exception_ptr error{};

  /// For the options of the library.
  [[nodiscard]] Progress progress();
  void finish(std::exception_ptr what);
};

/// Returns when the run has finished, without the lock meanwhile. Throws what the callback threw, or
/// KeyboardInterrupt; `inputs` then stay alive until the run has ended.
void wait_for(const std::shared_ptr<Run>& run, const py::object& callback, const py::object& inputs);

/// Whether all that n x m rows need between two questions is short: the longest part, a certificate, takes a
/// quarter of a second at this size.
[[nodiscard]] inline bool is_small(PointsView x, PointsView y) {
  return x.rows() <= 100 && y.rows() <= 100 && x.cols() + y.cols() <= 2000;
}

/// Asks Python itself, on the calling thread, at a bounded rate.
[[nodiscard]] Progress progress_here(Run& run, const py::object& callback);
void tell_the_end(Run& run, const py::object& callback);

/// work(progress) on the calling thread.
template <class Result>
Result watched_here(const py::object& callback, const std::function<Result(const Progress&)>& work) {
  Run run;
  const Progress progress = progress_here(run, callback);
  std::optional<Result> result;
  {
    const py::gil_scoped_release unlocked;
    result = work(progress);
  }
  tell_the_end(run, callback);
  return std::move(*result);
}

/// work(progress) on a thread of its own. It must own or keep in `inputs` all that it reads, and hold no
/// Python object. `callback` is None or takes the share of the work that is done; False from it stops the
/// run.
template <class Result>
Result watched(PointsView x, PointsView y, const py::object& callback, const py::object& inputs,
               std::function<Result(const Progress&)> work) {
  if (is_small(x, y)) return watched_here(callback, work);
  struct RunWithResult : Run {
    std::optional<Result> result{};
  };
  const auto run = std::make_shared<RunWithResult>();
  std::thread([run, work = std::move(work)] {
    std::exception_ptr error;
    try {
      run->result = work(run->progress());
    } catch (...) {
      error = std::current_exception();
    }
    run->finish(error);
  }).detach();
  wait_for(run, callback, inputs);
  if (run->error) std::rethrow_exception(run->error);
  return std::move(*run->result);
}

/// ask(options) with their progress set, watched in that way.
template <class Result, class Options, class Ask>
Result watched(PointsView x, PointsView y, const py::object& callback, const py::object& inputs,
               const Options& options, Ask ask) {
  return watched<Result>(x, y, callback, inputs, [options, ask = std::move(ask)](const Progress& progress) {
    Options with = options;
    with.progress = progress;
    return ask(with);
  });
}

}  // namespace motmot::python
