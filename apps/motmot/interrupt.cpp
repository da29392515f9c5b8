#include "interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

namespace motmot::app {
namespace {

volatile std::sig_atomic_t pressed = 0;

void on_interrupt(int) { pressed = 1; }

void draw(double done, double seconds) {
  constexpr int width = 30;
  const int full = static_cast<int>(done * width);
  const double left = done > 0.01 ? seconds * (1 - done) / done : 0;
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} % {:>6}", "", full, "", width - full, 100 * done,
             done > 0.01 ? fmt::format("{:.0f} s", left) : "");
  std::fflush(stderr);
}

}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }

bool interrupted() { return pressed != 0; }

Progress progress_bar(bool quiet) {
  const bool show = !quiet && isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  bool shown = false;
  return [show, start, shown](double done) mutable {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (show && (seconds > 0.5 || shown)) {
      draw(done, seconds);
      shown = true;
    }
    if (shown && (done >= 1 || interrupted())) fmt::print(stderr, "\r{:60}\r", "");
    return !interrupted();
  };
}

}  // namespace motmot::app
