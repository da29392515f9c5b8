/// main() of a program that mpirun starts.
#pragma once

#include <cstdio>

#include "interrupt.hpp"
#include "mpi_communicator.hpp"
#include "program.hpp"

namespace motmot {

/// Runs the program on this rank; the first rank speaks for all.
inline int run_ranks(int argc, char** argv, app::Outcome (*run)(int, char**, Communicator&)) {
  MpiCommunicator ranks(argc, argv);
  if (ranks.rank() != 0) {
    app::set_last_words("");
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 3;
  }
  const app::Outcome outcome = run(argc, argv, ranks);
  app::set_last_words("");  // mpirun ends ranks that are slower to leave than others
  if (outcome.shared) {
    if (ranks.rank() == 0) app::tell(outcome);
    return outcome.code;
  }
  // The others wait for this rank, and would wait for ever.
  app::tell(outcome);
  MpiCommunicator::abort(outcome.code);
}

}  // namespace motmot
