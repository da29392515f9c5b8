// motmot-gan-mpi: what `motmot gan` becomes under mpirun.
#include "gan_commands.hpp"
#include "run_ranks.hpp"

int main(int argc, char** argv) { return motmot::run_ranks(argc, argv, motmot::app::run_gan); }
