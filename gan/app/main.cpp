// motmot-gan: what `motmot gan` starts. A program of its own, so that the core command never loads libtorch.
#include "gan_commands.hpp"

int main(int argc, char** argv) {
  const motmot::app::Outcome outcome = motmot::app::run_gan(argc, argv, motmot::alone());
  motmot::app::tell(outcome);
  return outcome.code;
}
