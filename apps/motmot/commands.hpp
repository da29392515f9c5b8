/// One function per subcommand: adds it to the program. What it does runs from its callback.
#pragma once

#include <CLI/CLI.hpp>

#include "motmot/communicator.hpp"

namespace motmot::app {

/// typed: the command line, for reports. ranks: the processes that do the work together.
void add_distance(CLI::App& program, const std::string& typed, Communicator& ranks);
void add_matrix(CLI::App& program, const std::string& typed, Communicator& ranks);
void add_compare(CLI::App& program, const std::string& typed);
void add_watch(CLI::App& program, const std::string& typed);  ///< reference, check, monitor
void add_transport(CLI::App& program);
void add_outliers(CLI::App& program, const std::string& typed);
void add_doctor(CLI::App& program, const std::string& typed);
void add_evaluate(CLI::App& program);
void add_advise(CLI::App& program);
void add_generate(CLI::App& program);
void add_reproduce(CLI::App& program, Communicator& ranks);
/// reproduce rate, reproduce schemes
void add_theory_studies(CLI::App& reproduce, Communicator& ranks);
void add_selfcheck(CLI::App& program);
void add_gan(CLI::App& program);
void add_manual(CLI::App& program);  ///< man and completion, which help does not show

/// What this program is made of: names, versions and licences of libraries, and how each is linked
/// (CycloneDX).
[[nodiscard]] std::string sbom_json();

/// Becomes motmot-gan with these arguments (the first is the name of the program); returns never.
[[noreturn]] void start_gan(char** arguments);

/// Becomes motmot-mpi with the arguments of this program where mpirun or srun started it as one of several;
/// returns where they did not.
void start_mpi(char** arguments);

}  // namespace motmot::app
