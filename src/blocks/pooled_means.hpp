/// Block means of a given phi over many partitions: the law that the medians are taken of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "base/threads.hpp"

namespace motmot {

/// Means over the K blocks of each of `partitions` shuffled partitions, partition after partition. Those of
/// partition t are a function of (seed, purpose, t).
std::vector<double> pooled_means(std::span<const double> phi, std::size_t k, std::size_t partitions,
                                 std::uint64_t seed, Purpose purpose, Team& team);

}  // namespace motmot
