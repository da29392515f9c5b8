#include "neighbours/plain.hpp"

#include <algorithm>
#include <cmath>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"

namespace motmot {
namespace {

/// Distances from row i to all other rows.
std::vector<double> distances_from(PointsView points, std::size_t i) {
  std::vector<double> distances;
  for (std::size_t j = 0; j < points.n; ++j)
    if (j != i) distances.push_back(euclidean(points.row(i), points.row(j)));
  return distances;
}

}  // namespace

bool run_watched(Team& team, std::size_t count, const Progress& progress,
                 const std::function<void(std::size_t, std::size_t)>& task) {
  std::atomic<std::size_t> finished = 0;
  std::atomic<bool> stopped = false;
  const auto ask = [&] {
    const double done = static_cast<double>(finished.load()) / static_cast<double>(count);
    if (progress && !stopped && !progress(done)) stopped = true;
  };
  team.run(
      count,
      [&](std::size_t i, std::size_t worker) {
        if (stopped) return;
        task(i, worker);
        ++finished;
        if (worker == 0) ask();
      },
      ask);
  return !stopped;
}

std::vector<std::vector<double>> plain_kth_distances(PointsView points, std::span<const std::size_t> ks,
                                                     Team& team, const Progress& progress) {
  std::vector<std::vector<double>> found(ks.size(), std::vector<double>(points.n));
  const bool finished = run_watched(team, points.n, progress, [&](std::size_t i, std::size_t) {
    std::vector<double> distances = distances_from(points, i);
    std::ranges::sort(distances);
    for (std::size_t k = 0; k < ks.size(); ++k) found[k][i] = distances[ks[k] - 1];
  });
  return finished ? found : std::vector<std::vector<double>>{};
}

std::vector<std::vector<double>> plain_kth_distances_to(PointsView points, PointsView others,
                                                        std::span<const std::size_t> ks, Team& team,
                                                        const Progress& progress) {
  std::vector<std::vector<double>> found(ks.size(), std::vector<double>(points.n));
  const bool finished = run_watched(team, points.n, progress, [&](std::size_t i, std::size_t) {
    std::vector<double> distances;
    for (std::size_t j = 0; j < others.n; ++j) distances.push_back(euclidean(points.row(i), others.row(j)));
    std::ranges::sort(distances);
    for (std::size_t k = 0; k < ks.size(); ++k) found[k][i] = distances[ks[k] - 1];
  });
  return finished ? found : std::vector<std::vector<double>>{};
}

std::vector<std::vector<double>> plain_medians_over_nearest(PointsView points, PointsView others,
                                                            std::span<const std::size_t> counts,
                                                            std::span<const std::vector<double>> values,
                                                            Team& team, const Progress& progress) {
  const auto reach = plain_kth_distances_to(points, others, counts, team, progress);
  if (reach.empty()) return {};
  std::vector<std::vector<double>> medians(counts.size(), std::vector<double>(points.n));
  const bool finished = run_watched(team, points.n, progress, [&](std::size_t i, std::size_t) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      std::vector<double> near;
      for (std::size_t j = 0; j < others.n; ++j)
        if (euclidean(points.row(i), others.row(j)) <= reach[k][i]) near.push_back(values[k][j]);
      medians[k][i] = median_of(std::move(near));
    }
  });
  return finished ? medians : std::vector<std::vector<double>>{};
}

}  // namespace motmot
