/// How much processor time and memory the control groups of this process leave to it: what limits a
/// container.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace motmot {

/// The processors that the tightest quota is worth, rounded up; the largest number where there is none. Reads
/// cpu.max (cgroup v2) and cpu.cfs_quota_us (v1) of the groups that `membership` lists and of those above
/// them.
std::size_t cores_by_quota(const std::filesystem::path& membership = "/proc/self/cgroup",
                           const std::filesystem::path& root = "/sys/fs/cgroup");

/// Bytes of memory: those of the machine (MemTotal), or of the tightest group if it has fewer: memory.max
/// (cgroup v2), memory.limit_in_bytes (v1). The largest number where nothing is known.
std::uint64_t memory_by_quota(const std::filesystem::path& membership = "/proc/self/cgroup",
                              const std::filesystem::path& root = "/sys/fs/cgroup",
                              const std::filesystem::path& machine = "/proc/meminfo");

}  // namespace motmot
