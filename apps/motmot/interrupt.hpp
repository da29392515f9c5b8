#pragma once

#include <string>

#include "motmot/base.hpp"

namespace motmot::app {

/// The user pressed Ctrl-C.
struct Interrupted {
  std::string message = "interrupted; nothing was written";
};

/// From here on Ctrl-C sets a flag instead of ending the program, so that temporary files are removed.
void catch_interrupts();
[[nodiscard]] bool interrupted();

/// A bar on standard error when that is a terminal and not quiet; stops the run after Ctrl-C either way.
[[nodiscard]] Progress progress_bar(bool quiet);

}  // namespace motmot::app
