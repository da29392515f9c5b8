#include "interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string_view>

#include "base/output_file.hpp"

namespace motmot::app {
namespace {

volatile std::sig_atomic_t waits = 0;    ///< the run looks at the flag now and then
volatile std::sig_atomic_t pressed = 0;  ///< the flag

void on_interrupt(int /*signal*/) {
  if (waits != 0 && pressed == 0) {
    pressed = 1;
    return;
  }
  remove_temporaries();
  constexpr std::string_view last_words = "motmot: interrupted\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_words.data(), last_words.size());
  ::_exit(130);
}

void draw(double done, double seconds) {
  constexpr int width = 30;
  const int full = static_cast<int>(done * width);
  const double left = done > 0.01 ? seconds * (1 - done) / done : 0;
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} % {:>6}", "", full, "", width - full, 100 * done,
             done > 0.01 ? fmt::format("{:.0f} s", left) : "");
  std::fflush(stderr);
}

}  // namespace

void handle_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_interrupt) == SIG_IGN)
      std::signal(signal, SIG_IGN);  // nohup, jobs of a script
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void catch_interrupts() { waits = 1; }

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
