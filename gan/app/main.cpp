// motmot-gan: what `motmot gan` starts. A program of its own, so that the core command never loads libtorch.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "gan_commands.hpp"
#include "interrupt.hpp"
#include "motmot/base.hpp"

namespace {

/// One line, whatever the libraries wrote.
int complain(const std::string& message, int code) {
  std::string line = message.substr(0, message.find_last_not_of(" \n") + 1);
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fprintf(stderr, "motmot gan: %s\n", line.c_str());
  return code;
}

}  // namespace

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
      "  motmot gan suspects run --output suspects.csv\n\n"
      "'motmot gan COMMAND --help' has the options of a command.\n"
      "Exit codes: 0 fine, 2 bad input, 130 interrupted, 1 internal error.");
  program.get_formatter()->column_width(36);
  motmot::app::add_gan_train(program);
  motmot::app::add_gan_sample(program);
  motmot::app::add_gan_features(program);
  motmot::app::add_gan_score(program);
  motmot::app::add_gan_suspects(program);
  motmot::app::add_gan_compare(program);
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    return complain(error.what(), 2);
  } catch (const motmot::app::Interrupted&) {
    return 130;
  } catch (const motmot::Error& error) {
    return complain(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return complain("internal error: out of memory", 1);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), 1);
  }
}
