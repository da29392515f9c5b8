// motmot gan ... and motmot under mpirun: other programs, started from the folder of this one, so that
// libtorch and MPI are loaded by those who ask for them.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/require.hpp"
#include "commands.hpp"

namespace motmot::app {
namespace {

std::string beside_this_program(const char* name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  require(!error, Errc::io, "cannot find the folder of this program: ", error.message());
  return self.parent_path() / name;
}

[[noreturn]] void become(const std::string& path, char** arguments) {
  execv(path.c_str(), arguments);
  fail(Errc::io, "cannot start '", path, "': ", std::strerror(errno));
}

/// A number that Open MPI's mpirun or Slurm's srun gave this process; `otherwise` if neither did.
unsigned long given(std::initializer_list<const char*> names, unsigned long otherwise) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr) return std::strtoul(value, nullptr, 10);
  return otherwise;
}

}  // namespace

void add_gan(CLI::App& program) {
  program.add_subcommand("gan", "Generative models that survive dirty training data (needs libtorch)");
}

void start_gan(char** arguments) {
  const std::string path = beside_this_program("motmot-gan");
  require(std::filesystem::exists(path), Errc::unsupported,
          "this build has no 'motmot gan': run scripts/setup --all, which installs libtorch-dev, and build "
          "the preset release again");
  become(path, arguments);
}

void start_mpi(char** arguments) {
  const bool by_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const bool by_srun = std::getenv("PMIX_RANK") != nullptr && std::getenv("SLURM_NTASKS") != nullptr;
  if (!by_mpirun && !by_srun) return;
  if (given({"OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"}, 1) < 2) return;
  const bool gan = arguments[1] != nullptr && std::string_view(arguments[1]) == "gan";
  const std::string path = beside_this_program(gan ? "motmot-gan-mpi" : "motmot-mpi");
  if (!std::filesystem::exists(path)) {
    if (given({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}, 0) != 0) std::_Exit(2);  // the first one speaks for all
    fail(Errc::unsupported,
         gan ? "this build has no 'motmot gan' for mpirun: run scripts/setup --all, which installs "
               "libtorch-dev "
               "and libopenmpi-dev, and build the preset release again"
             : "this build knows no MPI: run scripts/setup --all, which installs libopenmpi-dev, and "
               "build the preset release again");
  }
  become(path, gan ? arguments + 1 : arguments);
}

}  // namespace motmot::app
