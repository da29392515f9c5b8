/// A run without the interpreter's lock that still hears Ctrl-C and speaks to a Python callback.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "binding.hpp"
#include "motmot/base.hpp"

namespace motmot::python {

class Watch {
 public:
  /// `callback` is None or takes the share of the work that is done; False from it stops the run.
  explicit Watch(py::object callback) : callback_(std::move(callback)) {}

  /// For the options of the library. Asked often, it looks at Python only now and then.
  [[nodiscard]] Progress progress() {
    return [this](double done) { return go_on(done); };
  }

  /// work() without the lock. An exception of the callback, or a KeyboardInterrupt, comes out here.
  template <class Work>
  auto run(Work work) {
    const py::gil_scoped_release unlocked;
    return work();
  }

 private:
  bool go_on(double done);
  bool ask_python(double done);

  py::object callback_;
  std::optional<std::chrono::steady_clock::time_point> asked_{};
  bool stopped_ = false;
};

}  // namespace motmot::python
