/// One function per subcommand of motmot gan: adds it to the program.
#pragma once

#include <CLI/CLI.hpp>

namespace motmot::app {

void add_gan_train(CLI::App& program);
void add_gan_sample(CLI::App& program);
void add_gan_features(CLI::App& program);
void add_gan_score(CLI::App& program);
void add_gan_suspects(CLI::App& program);
void add_gan_compare(CLI::App& program);

}  // namespace motmot::app
