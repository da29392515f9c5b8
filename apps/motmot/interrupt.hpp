#pragma once

#include <functional>
#include <string>

#include "motmot/base.hpp"

namespace motmot::app {

/// The user pressed Ctrl-C.
struct Interrupted {
  std::string message = "interrupted; nothing was written";
};

/// From here on Ctrl-C (SIGTERM and SIGHUP too) removes temporary files and ends the program with code 130. A
/// full disk, a limit of file sizes or a closed pipe are errors of the write instead of signals. Where a
/// mapped file is cut short, one sentence names it, and the code is 2. Where memory runs out and nobody can
/// catch it, temporary files are removed, one sentence says so, and the code is 3.
void handle_signals();

/// What is said when such a signal ends the program, instead of "motmot: interrupted"; may be nothing.
void set_last_words(const std::string& words);

/// From here on the first of them only sets a flag, so that the run stops in order; the second ends it.
void catch_interrupts();
[[nodiscard]] bool interrupted();

/// Whether standard error is a terminal and somebody wants to see it.
[[nodiscard]] bool shows_progress(bool quiet);

/// A bar there, with a note if there is one; stops the run after Ctrl-C either way.
[[nodiscard]] Progress progress_bar(bool quiet, std::function<std::string()> note = {});

}  // namespace motmot::app
