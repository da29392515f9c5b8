#include "run_program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "commands.hpp"
#include "common.hpp"

namespace motmot::app {
namespace {

/// Several ranks that each do all of the same work, and write it to the same files, are a mistake.
void require_ranks_known(int argc, char** argv, const Communicator& ranks) {
  if (ranks.alone() || argc < 2 || argv[1][0] == '-') return;
  constexpr std::array<std::string_view, 3> known{"distance", "matrix", "reproduce"};
  if (std::ranges::find(known, argv[1]) != known.end()) return;
  throw AgreedError(Errc::unsupported,
                    "'" + std::string(argv[1]) +
                        "' runs on one rank: start it without mpirun (distance, matrix and "
                        "reproduce run on several)");
}

}  // namespace

Outcome run_program(int argc, char** argv, Communicator& ranks) {
  CLI::App program(
      "Robust optimal transport: the 1-Wasserstein distance between two samples when some rows are outliers.",
      "motmot");
  program.set_version_flag("--version", "motmot " + std::string(version()),
                           "Print the version and exit; with --json what motmot is made of, too (CycloneDX)");
  program.require_subcommand(1);
  set_up_help(program);
  std::string typed = "motmot";
  for (int i = 1; i < argc; ++i) typed += " " + shell_word(argv[i]);
  add_distance(program, typed, ranks);
  add_matrix(program, typed, ranks);
  add_compare(program, typed);
  add_transport(program);
  add_outliers(program, typed);
  add_doctor(program, typed);
  add_watch(program, typed);
  add_evaluate(program);
  add_advise(program);
  add_generate(program);
  add_reproduce(program, ranks);
  add_selfcheck(program);
  add_gan(program);
  add_manual(program);
  // Last: commands take over what is there when they are added.
  program.footer(
      "Examples:\n"
      "  motmot generate d1 --n 500 --tau-x 0.1 --seed 1 --output toy\n"
      "  motmot distance toy/x.csv toy/y.csv --tau 0.1\n"
      "  motmot outliers toy/x.csv\n"
      "  motmot advise --n 500 --tau-x 0.1\n\n"
      "'motmot COMMAND --help' has the options of a command and examples.\n"
      "Exit codes: 0 fine, 1 different (check) or an alarm (monitor), 2 bad input, 130 interrupted, 3 "
      "internal error.");
  return outcome_of(program, [&] {
    require_ranks_known(argc, argv, ranks);
    if (argc > 1 && std::string_view(argv[1]) == "gan") start_gan(argv + 1);
    constexpr std::array<std::string_view, 2> made_of{"--version", "--json"};
    if (std::is_permutation(argv + 1, argv + argc, made_of.begin(), made_of.end())) return print(sbom_json());
    program.parse(argc, argv);
  });
}

}  // namespace motmot::app
