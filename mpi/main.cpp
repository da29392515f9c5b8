// motmot-mpi: what `motmot` becomes under mpirun. A program of its own, so that the command never loads MPI.
#include "run_program.hpp"
#include "run_ranks.hpp"

int main(int argc, char** argv) { return motmot::run_ranks(argc, argv, motmot::app::run_program); }
