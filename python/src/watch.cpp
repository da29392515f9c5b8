#include "watch.hpp"

namespace motmot::python {
namespace {

/// Seldom enough to cost nothing, often enough that Ctrl-C feels immediate.
constexpr std::chrono::milliseconds interval{50};

}  // namespace

bool Watch::go_on(double done) {
  if (stopped_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (asked_ && now - *asked_ < interval && done < 1) return true;
  asked_ = now;
  stopped_ = !ask_python(done);
  return !stopped_;
}

// What is thrown here unwinds the library and reaches the caller of Watch::run.
bool Watch::ask_python(double done) {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (callback_.is_none()) return true;
  const py::object answer = callback_(done);
  return answer.is_none() || py::bool_(answer);
}

}  // namespace motmot::python
