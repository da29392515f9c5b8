#include <c10/util/Exception.h>

#include <CLI/CLI.hpp>
#include <new>
#include <string_view>

#include "base/memory.hpp"
#include "gan_commands.hpp"
#include "motmot/gan/evaluate.hpp"
#include "motmot/gan/memory.hpp"

namespace motmot::app {

void hold_memory(const MemoryFlag& memory) {
  const auto limit = static_cast<double>(memory.limit());
  require(gan::torch_bytes <= limit, Errc::invalid_argument, "libtorch alone takes about ",
          size_words(gan::torch_bytes), ", and ", size_words(limit),
          " are allowed (--memory-limit): allow more");
  constexpr std::uint64_t untouched = 500'000'000;
  memory.hold(untouched);
}

Outcome run_gan(int argc, char** argv, Communicator& ranks) {
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
  set_up_help(program);
  add_gan_train(program, ranks);
  add_gan_looks(program);
  add_gan_clean(program);
  add_gan_compare(program);
  return outcome_of(program, [&] {
    if (!ranks.alone() && argc > 1 && argv[1][0] != '-' && std::string_view(argv[1]) != "train")
      throw AgreedError(Errc::unsupported,
                        "'gan " + std::string(argv[1]) +
                            "' runs on one rank: start it without mpirun (gan train runs on several)");
    try {
      program.parse(argc, argv);
    } catch (const c10::Error& error) {  // its what() has a stack trace
      if (std::string_view(error.what()).find("can't allocate memory") != std::string_view::npos)
        throw std::bad_alloc();
      throw std::runtime_error(gan::torch_reason(error));
    }
  });
}

}  // namespace motmot::app
