#pragma once

#include "motmot/communicator.hpp"
#include "program.hpp"

namespace motmot::app {

/// The command line of `motmot`, from its words to its end.
[[nodiscard]] Outcome run_program(int argc, char** argv, Communicator& ranks);

}  // namespace motmot::app
