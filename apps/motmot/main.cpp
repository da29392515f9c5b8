#include "commands.hpp"
#include "interrupt.hpp"
#include "run_program.hpp"

int main(int argc, char** argv) {
  using namespace motmot::app;
  handle_signals();  // first of all: memory may end at once
  CLI::App handing_over("", "motmot");
  if (const int code = exit_code_of(handing_over, [&] { start_mpi(argv); }); code != 0) return code;
  const Outcome outcome = run_program(argc, argv, motmot::alone());
  tell(outcome);
  return outcome.code;
}
