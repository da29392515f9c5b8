#include <CLI/CLI.hpp>
#include <string_view>

#include "commands.hpp"
#include "common.hpp"
#include "motmot/base.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  CLI::App program(
      "Robust optimal transport: the 1-Wasserstein distance between two samples when some rows are outliers.",
      "motmot");
  program.set_version_flag("--version", "motmot " + std::string(motmot::version()));
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  motmot generate d1 --n 500 --tau-x 0.1 --seed 1 --output toy\n"
      "  motmot distance toy/x.csv toy/y.csv --tau 0.1\n"
      "  motmot outliers toy/x.csv\n"
      "  motmot advise --n 500 --tau-x 0.1\n\n"
      "'motmot COMMAND --help' has the options of a command and examples.\n"
      "Exit codes: 0 fine, 1 different (check) or an alarm (monitor), 2 bad input, 130 interrupted, 3 "
      "internal "
      "error.");
  motmot::app::set_up_help(program);
  std::string typed = "motmot";
  for (int i = 1; i < argc; ++i) typed += " " + motmot::app::shell_word(argv[i]);
  motmot::app::add_distance(program, typed);
  motmot::app::add_matrix(program, typed);
  motmot::app::add_compare(program, typed);
  motmot::app::add_transport(program);
  motmot::app::add_outliers(program, typed);
  motmot::app::add_doctor(program, typed);
  motmot::app::add_watch(program, typed);
  motmot::app::add_evaluate(program);
  motmot::app::add_advise(program);
  motmot::app::add_generate(program);
  motmot::app::add_reproduce(program);
  motmot::app::add_selfcheck(program);
  motmot::app::add_gan(program);
  motmot::app::add_manual(program);
  return motmot::app::exit_code_of(program, [&] {
    if (argc > 1 && std::string_view(argv[1]) == "gan") motmot::app::start_gan(argv + 1);
    program.parse(argc, argv);
  });
}
