// motmot-gan: what `motmot gan` starts. A program of its own, so that the core command never loads libtorch.
#include <c10/util/Exception.h>

#include <CLI/CLI.hpp>

#include "gan_commands.hpp"
#include "motmot/gan/evaluate.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  CLI::App program(
      "Generative models that survive dirty training data: WGAN, MoMWGAN (Algorithm 2) and trimming.",
      "motmot gan");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  motmot gan train --data fashion-mnist --contaminate 0.1 --loss trim --output run\n"
      "  motmot gan features --data fashion-mnist --output features.npz\n"
      "  motmot gan score run --features features.npz\n"
      "  motmot gan suspects run --output suspects.csv\n"
      "  motmot gan clean pictures/ --features features.npz --tau 0.1 --output clean.csv\n\n"
      "'motmot gan COMMAND --help' has the options of a command.\n"
      "Exit codes: 0 fine, 2 bad input, 130 interrupted, 3 internal error.");
  motmot::app::set_up_help(program);
  motmot::app::add_gan_train(program);
  motmot::app::add_gan_looks(program);
  motmot::app::add_gan_clean(program);
  motmot::app::add_gan_compare(program);
  return motmot::app::exit_code_of(program, [&] {
    try {
      program.parse(argc, argv);
    } catch (const c10::Error& error) {  // its what() has a stack trace
      throw std::runtime_error(motmot::gan::torch_reason(error));
    }
  });
}
