/// The definition of what neighbours.hpp computes: all distances, no tree. It stands in where squares of
/// coordinates would leave the range of double, and the tests hold the search against it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Calls task(i, worker) for each i < count; false, with tasks left undone, when progress said stop.
bool run_watched(Team& team, std::size_t count, const Progress& progress,
                 const std::function<void(std::size_t, std::size_t)>& task);

[[nodiscard]] std::vector<std::vector<double>> plain_kth_distances(PointsView points,
                                                                   std::span<const std::size_t> ks,
                                                                   Team& team, const Progress& progress = {});
[[nodiscard]] std::vector<std::vector<double>> plain_kth_distances_to(PointsView points, PointsView others,
                                                                      std::span<const std::size_t> ks,
                                                                      Team& team,
                                                                      const Progress& progress = {});
[[nodiscard]] std::vector<std::vector<double>> plain_medians_over_nearest(
    PointsView points, PointsView others, std::span<const std::size_t> counts,
    std::span<const std::vector<double>> values, Team& team, const Progress& progress = {});

}  // namespace motmot
