#include "interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "base/output_file.hpp"
#include "data/mapping.hpp"

namespace motmot::app {
namespace {

volatile std::sig_atomic_t waits = 0;    ///< the run looks at the flag now and then
volatile std::sig_atomic_t pressed = 0;  ///< the flag

char last_words[1000] = "motmot: interrupted\n";
std::size_t last_words_length = std::string_view(last_words).size();

/// For handlers of signals: nothing is buffered.
void say(std::string_view words) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
}

void on_interrupt(int /*signal*/) {
  if (waits != 0 && pressed == 0) {
    pressed = 1;
    return;
  }
  remove_temporaries();
  say({last_words, last_words_length});
  ::_exit(130);
}

std::atomic_flag ending = ATOMIC_FLAG_INIT;

/// A page of a mapped file is not there any more: somebody cut the file short, or the disk failed. Several
/// threads may find that out at once; one of them says it.
void on_lost_page(int signal, siginfo_t* info, void* /*context*/) {
  const char* const file = mapped_file_at(info->si_addr);
  if (file == nullptr) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  while (ending.test_and_set()) ::pause();
  remove_temporaries();
  say("motmot: ");
  say(file);
  say(" was cut short, or could not be read, while the run looked at it\n");
  ::_exit(2);
}

/// Memory that runs out where no exception may pass, as in a destructor of the JSON library.
[[noreturn]] void on_terminate() {
  remove_temporaries();
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    say("motmot: internal error: out of memory\n");
    ::_exit(3);
  } catch (...) {
  }
  std::abort();
}

void draw(double done, double seconds, const std::string& note) {
  constexpr int width = 30;
  const int full = static_cast<int>(done * width);
  const double left = done > 0.01 ? seconds * (1 - done) / done : 0;
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} % {:>6}{}", "", full, "", width - full, 100 * done,
             done > 0.01 ? fmt::format("{:.0f} s", left) : "", note);
  std::fflush(stderr);
}

}  // namespace

void handle_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_interrupt) == SIG_IGN)
      std::signal(signal, SIG_IGN);  // nohup, jobs of a script
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  struct sigaction lost {};
  lost.sa_sigaction = on_lost_page;
  lost.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &lost, nullptr);
  std::set_terminate(on_terminate);
}

void set_last_words(const std::string& words) {
  last_words_length = 0;
  last_words_length = words.copy(last_words, sizeof last_words);
}

void catch_interrupts() { waits = 1; }

bool interrupted() { return pressed != 0; }

bool shows_progress(bool quiet) { return !quiet && isatty(STDERR_FILENO) != 0; }

Progress progress_bar(bool quiet, std::function<std::string()> note) {
  const bool show = shows_progress(quiet);
  const auto start = std::chrono::steady_clock::now();
  bool shown = false;
  return [show, start, shown, note = std::move(note)](double done) mutable {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (show && (seconds > 0.5 || shown)) {
      draw(done, seconds, note ? note() : "");
      shown = true;
    }
    if (shown && (done >= 1 || interrupted())) fmt::print(stderr, "\r{:60}\r", "");
    return !interrupted();
  };
}

}  // namespace motmot::app
