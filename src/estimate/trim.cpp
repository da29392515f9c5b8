#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "base/threads.hpp"
#include "estimate/block_w1.hpp"
#include "estimate/order.hpp"
#include "motmot/diagnostics.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

/// Rows that a median distance is taken to.
constexpr std::size_t max_partners = 300;

/// Median distance of every row to the sample, or to rows spread evenly over it.
std::vector<double> median_distances(PointsView points, std::size_t threads) {
  const std::size_t partners = std::min(points.n, max_partners);
  std::vector<double> medians(points.n);
  Team team(std::min(thread_count(threads), points.n));
  team.run(points.n, [&](std::size_t i, std::size_t) {
    std::vector<double> distances(partners);
    for (std::size_t j = 0; j < partners; ++j)
      distances[j] = distance(points.row(i), points.row(j * points.n / partners));
    medians[i] = median_of_copy(std::move(distances));
  });
  return medians;
}

/// Where the robust z of the median distance is above the cut.
std::vector<bool> remote_rows(PointsView points, const TrimOptions& options) {
  std::vector<bool> remote(points.n, false);
  if (options.distance_cut <= 0) return remote;
  const std::vector<double> medians = median_distances(points, options.threads);
  const double centre = median_of_copy(medians);
  const double sd = robust_sd(medians, centre);
  if (sd == 0) return remote;
  for (std::size_t i = 0; i < points.n; ++i) remote[i] = medians[i] > centre + options.distance_cut * sd;
  return remote;
}

}  // namespace

Points kept_rows(PointsView points, std::span<const std::uint32_t> dropped) {
  Points kept(points.n - dropped.size(), points.d);
  auto next = dropped.begin();
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.n; ++i) {
    if (next != dropped.end() && *next == i) {
      ++next;
      continue;
    }
    std::ranges::copy(points.row(i), kept.row(at++).begin());
  }
  return kept;
}

TrimmedRows trim_rows(PointsView points, std::span<const double> phi, const TrimOptions& options) {
  require(points.n >= 1 && phi.size() == points.n, Errc::invalid_argument,
          "phi needs a value for each row, got ", phi.size(), " for ", points.n);
  require(std::ranges::all_of(phi, [](double v) { return std::isfinite(v); }), Errc::numeric,
          "phi must be finite");
  require(options.phi_cut > 0, Errc::invalid_argument, "the cut must be above 0, got ", options.phi_cut);
  TrimmedRows rows;
  rows.median = median_of_copy({phi.begin(), phi.end()});
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

Trim trimmed_w1(PointsView x, PointsView y, std::span<const double> phi_x, std::span<const double> phi_y,
                const TrimOptions& options) {
  Trim trim{.x = trim_rows(x, phi_x, options), .y = trim_rows(y, phi_y, options)};
  const Points kept_x = kept_rows(x, trim.x.dropped);
  const Points kept_y = kept_rows(y, trim.y.dropped);
  trim.value = exact_w1(kept_x, kept_y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
  return trim;
}

double partial_bound(PointsView x, PointsView y, double tau_x, double tau_y, const Progress& progress) {
  // A share of 10 % has no exact double: a mass of 1e-16 that has to go to a far outlier would cost more than
  // the gap says. A larger tau only lowers the bound.
  const auto room = [](double tau) { return tau > 0 ? std::min(tau + 1e-12, 1 - 1e-12) : tau; };
  const Transport w = partial_w1(x, y, room(tau_x), room(tau_y),
                                 {.want_plan = false, .want_potentials = false, .progress = progress});
  // The sums of n + m terms behind cost and gap are good to far better than this.
  return std::max(0.0, w.cost - w.gap - 1e-12 * w.cost);
}

namespace {

/// The least mean of values under weights of at most 1 / ((1 - tau) n) that sum to 1.
double least_mean(std::vector<double> values, double tau) {
  std::ranges::sort(values);
  const double most = 1 / ((1 - tau) * static_cast<double>(values.size()));
  double left = 1, sum = 0;
  for (const double value : values) {
    const double weight = std::min(most, left);
    sum += weight * value;
    left -= weight;
  }
  return sum;
}

}  // namespace

double partial_bound_from(std::span<const double> phi_x, std::span<const double> phi_y, double tau_x,
                          double tau_y) {
  std::vector<double> x(phi_x.begin(), phi_x.end()), y(phi_y.begin(), phi_y.end());
  for (double& value : y) value = -value;
  return least_mean(std::move(x), tau_x) + least_mean(std::move(y), tau_y);
}

}  // namespace motmot
