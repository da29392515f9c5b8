// motmot gan ...: starts motmot-gan from the folder of this program, so that libtorch is loaded by those who
// ask for it.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/require.hpp"
#include "commands.hpp"

namespace motmot::app {

void add_gan(CLI::App& program) {
  program.add_subcommand("gan", "Generative models that survive dirty training data (needs libtorch)");
}

void start_gan(char** arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  require(!error, Errc::io, "cannot find the folder of this program: ", error.message());
  const std::string path = self.parent_path() / "motmot-gan";
  require(std::filesystem::exists(path), Errc::unsupported,
          "this build has no 'motmot gan': run scripts/setup --all, which installs libtorch-dev, and build "
          "the preset release again");
  execv(path.c_str(), arguments);
  fail(Errc::io, "cannot start '", path, "': ", std::strerror(errno));
}

}  // namespace motmot::app
