#include "inference/trim.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/bucket_select.hpp"
#include "base/euclidean.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "base/threads.hpp"

namespace motmot {
namespace {

/// Rows that a median distance is taken to.
constexpr std::size_t max_partners = 300;

/// Median distance of every row to the sample, or to rows spread evenly over it.
std::vector<double> median_distances(PointsView points, std::size_t threads) {
  const std::size_t partners = std::min(points.n, max_partners);
  std::vector<double> medians(points.n);
  Team team(std::min(thread_count(threads), points.n));
  std::vector<std::vector<double>> distances(team.size(), std::vector<double>(partners));
  std::vector<BucketSelect> select(team.size());
  team.run(points.n, [&](std::size_t i, std::size_t worker) {
    std::vector<double>& own = distances[worker];
    for (std::size_t j = 0; j < partners; ++j)
      own[j] = euclidean(points.row(i), points.row(j * points.n / partners));
    const auto [low, high] = select[worker](own, (partners - 1) / 2, partners / 2);
    medians[i] = std::midpoint(low, high);
  });
  return medians;
}

/// Where the robust z of the median distance is above the cut.
std::vector<bool> remote_rows(PointsView points, const TrimOptions& options) {
  std::vector<bool> remote(points.n, false);
  if (options.distance_cut <= 0) return remote;
  const std::vector<double> medians = median_distances(points, options.threads);
  const double centre = median_of(medians);
  const double sd = robust_sd(medians, centre);
  if (sd == 0) return remote;
  for (std::size_t i = 0; i < points.n; ++i) remote[i] = medians[i] > centre + options.distance_cut * sd;
  return remote;
}

}  // namespace

TrimmedRows trim_rows(PointsView points, std::span<const double> phi, const TrimOptions& options) {
  require(points.n >= 1 && phi.size() == points.n, Errc::invalid_argument,
          "phi needs a value for each row, got ", phi.size(), " for ", points.n);
  require(std::ranges::all_of(phi, [](double v) { return std::isfinite(v); }), Errc::numeric,
          "phi must be finite");
  require(options.phi_cut > 0, Errc::invalid_argument, "the cut must be above 0, got ", options.phi_cut);
  TrimmedRows rows;
  rows.median = median_of({phi.begin(), phi.end()});
  rows.sd = robust_sd(phi, rows.median);
  const std::vector<bool> remote = remote_rows(points, options);
  // With a spread of 0 nobody can say how far is far.
  const double reach = rows.sd > 0 ? options.phi_cut * rows.sd : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.n; ++i) {
    const bool above = phi[i] - rows.median > reach;
    const bool below = rows.median - phi[i] > reach;
    rows.above += above ? 1 : 0;
    rows.below += below ? 1 : 0;
    if (above || below || remote[i]) rows.dropped.push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

}  // namespace motmot
