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

bool has_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::size_t cores_by_quota(const fs::path& membership, const fs::path& root) {
  double least = no_quota;
  std::ifstream lines(membership);
  for (std::string number, controllers, path; std::getline(lines, number, ':') &&
                                              std::getline(lines, controllers, ':') &&
                                              std::getline(lines, path);) {
    if (!controllers.empty() && !has_cpu(controllers))
      continue;  // none: version 2, which has all in one tree
    const fs::path tree =
        controllers.empty() ? root : root / (fs::exists(root / controllers) ? controllers : "cpu");
    fs::path group = fs::path(path).relative_path();
    for (; !group.empty(); group = group.parent_path()) least = std::min(least, quota_of(tree / group));
    least = std::min(least, quota_of(tree));
  }
  return std::isfinite(least) ? static_cast<std::size_t>(std::ceil(least))
                              : std::numeric_limits<std::size_t>::max();
}

}  // namespace motmot
