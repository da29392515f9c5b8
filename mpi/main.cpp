// motmot-mpi: what `motmot` becomes under mpirun. A program of its own, so that the command never loads MPI.
#include <cstdio>

#include "interrupt.hpp"
#include "mpi_communicator.hpp"
#include "run_program.hpp"

int main(int argc, char** argv) {
  motmot::MpiCommunicator ranks(argc, argv);
  // The first rank speaks for all.
  if (ranks.rank() != 0) {
    motmot::app::set_last_words("");
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 3;
  }
  const motmot::app::Outcome outcome = motmot::app::run_program(argc, argv, ranks);
  motmot::app::set_last_words("");  // mpirun ends ranks that are slower to leave than others
  if (outcome.shared) {
    if (ranks.rank() == 0) motmot::app::tell(outcome);
    return outcome.code;
  }
  // The others wait for this rank, and would wait for ever.
  motmot::app::tell(outcome);
  motmot::MpiCommunicator::abort(outcome.code);
}
