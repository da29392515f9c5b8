/// The subcommands of motmot gan: each function adds one or several to the program.
#pragma once

#include <CLI/CLI.hpp>

#include "common.hpp"
#include "motmot/communicator.hpp"
#include "program.hpp"

namespace motmot::app {

void add_gan_train(CLI::App& program, Communicator& ranks);
void add_gan_looks(CLI::App& program);  ///< sample, features, score, suspects
void add_gan_clean(CLI::App& program);
void add_gan_compare(CLI::App& program);

/// The command line of `motmot gan`, from its words to its end.
[[nodiscard]] Outcome run_gan(int argc, char** argv, Communicator& ranks);

/// --seed, --threads, --quiet, with what threads mean to libtorch.
void add_run_flags(CLI::App& command, RunFlags& flags);

/// MemoryFlag::hold(), where it is enough for libtorch itself.
void hold_memory(const MemoryFlag& memory);

}  // namespace motmot::app
