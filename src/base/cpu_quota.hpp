/// How much processor time the control groups of this process leave to it: what limits a container.
#pragma once

#include <cstddef>
#include <filesystem>

namespace motmot {

/// The processors that the tightest quota is worth, rounded up; the largest number where there is none. Reads
/// cpu.max (cgroup v2) and cpu.cfs_quota_us (v1) of the groups that `membership` lists and of those above
/// them.
std::size_t cores_by_quota(const std::filesystem::path& membership = "/proc/self/cgroup",
                           const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace motmot
