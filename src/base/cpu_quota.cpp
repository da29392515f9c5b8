#include "base/cpu_quota.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace motmot {
namespace {

namespace fs = std::filesystem;

constexpr double no_quota = std::numeric_limits<double>::infinity();

/// Microseconds of processor time for each period of so many; "max" and -1 mean any number.
double processors(double quota, double period) { return quota > 0 && period > 0 ? quota / period : no_quota; }

double quota_of(const fs::path& group) {
  double quota = 0, period = 0;
  if (std::ifstream both(group / "cpu.max"); both >> quota >> period) return processors(quota, period);
  std::ifstream(group / "cpu.cfs_quota_us") >> quota;
  std::ifstream(group / "cpu.cfs_period_us") >> period;
  return processors(quota, period);
}

bool has(const std::string& controllers, const std::string& controller) {
  return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

/// Calls look(folder) for each group of the controller that the process is in, and for those above.
template <class Look>
void for_each_group(const fs::path& membership, const fs::path& root, const std::string& controller,
                    Look look) {
  std::ifstream lines(membership);
  for (std::string number, controllers, path; std::getline(lines, number, ':') &&
                                              std::getline(lines, controllers, ':') &&
                                              std::getline(lines, path);) {
    if (!controllers.empty() && !has(controllers, controller))
      continue;  // none: version 2, which has all in one tree
    const fs::path tree =
        controllers.empty() ? root : root / (fs::exists(root / controllers) ? controllers : controller);
    fs::path group = fs::path(path).relative_path();
    for (; !group.empty(); group = group.parent_path()) look(tree / group);
    look(tree);
  }
}

}  // namespace

std::size_t cores_by_quota(const fs::path& membership, const fs::path& root) {
  double least = no_quota;
  for_each_group(membership, root, "cpu",
                 [&](const fs::path& group) { least = std::min(least, quota_of(group)); });
  return std::isfinite(least) ? static_cast<std::size_t>(std::ceil(least))
                              : std::numeric_limits<std::size_t>::max();
}

std::uint64_t memory_by_quota(const fs::path& membership, const fs::path& root, const fs::path& machine) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::ifstream about(machine);
  for (std::string word; about >> word;)
    if (std::uint64_t kilobytes = 0; word == "MemTotal:" && about >> kilobytes) least = kilobytes * 1024;
  for_each_group(membership, root, "memory", [&](const fs::path& group) {
    for (const char* file : {"memory.max", "memory.limit_in_bytes"})  // "max" is no number
      if (std::uint64_t bytes = 0; std::ifstream(group / file) >> bytes) least = std::min(least, bytes);
  });
  return least;
}

}  // namespace motmot
