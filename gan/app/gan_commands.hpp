/// The subcommands of motmot gan: each function adds one or several to the program.
#pragma once

#include <CLI/CLI.hpp>

namespace motmot::app {

void add_gan_train(CLI::App& program);
void add_gan_looks(CLI::App& program);  ///< sample, features, score, suspects
void add_gan_clean(CLI::App& program);
void add_gan_compare(CLI::App& program);

}  // namespace motmot::app
