#include "inference/beside.hpp"

#include <algorithm>
#include <functional>

#include "critics/min_plus.hpp"
#include "data/without.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

/// The median distance to the own sample sees outliers that phi does not; 10 is its cut (robust z).
constexpr TrimOptions cuts{.phi_cut = 4, .distance_cut = 10, .threads = 1};

/// n m up to which partial transport is solved; beyond, the critic's own bound will do, which is 1 % lower or
/// so and costs nothing (a partial problem of 10^4 x 10^4 points in the plane takes two to four seconds).
constexpr double partial_pairs = 1e8;

bool solves_partial(const Points& x, const Points& y) {
  return static_cast<double>(x.rows()) * static_cast<double>(y.rows()) <= partial_pairs;
}

/// Exact W1 with equal weights; nothing when stopped.
std::optional<double> w1(PointsView x, PointsView y, const Progress& progress) {
  const Transport solved =
      transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false, .progress = progress});
  if (solved.status == TransportStatus::stopped) return {};
  return solved.cost;
}

ExactStart start_from(Transport partial) {
  ExactStart start{.phi_y = std::move(partial.v), .plan = std::move(partial.plan)};
  for (double& value : start.phi_y) value = -value;
  return start;
}

}  // namespace

Ahead solve_ahead(const Points& x, const Points& y, const PerSample<double>& tau, Team& team, Watch& watch) {
  Ahead ahead;
  // Potentials are good to 2^-53 of the farthest point: beyond reach they would be no start.
  if (!solves_partial(x, y) || !is_within_reach(x) || !is_within_reach(y)) return ahead;
  watch.run(team, 2, 0, [&](std::size_t task, const Progress& progress) {
    if (task == 1) {
      ahead.plain = w1(x, y, progress);
      return;
    }
    Transport partial = partial_transport(x, y, tau.x, tau.y, {.progress = progress});
    ahead.partial = proved_by(partial);
    ahead.start = start_from(std::move(partial));
  });
  return ahead;
}

ExactNeighbours solve_beside(const Points& x, const Points& y, const PerSample<double>& tau, const Phi& phi,
                             double phi_unit, const Ahead& ahead, Team& team, Watch& watch) {
  ExactNeighbours found{.plain = ahead.plain, .partial = ahead.partial};
  std::vector<std::function<void(const Progress&)>> tasks{[&](const Progress& progress) {
    found.trimmed = {trim_rows(x, phi.x, cuts), trim_rows(y, phi.y, cuts)};
    found.trim = w1(without(x, found.trimmed.x.dropped), without(y, found.trimmed.y.dropped), progress);
  }};
  if (!found.partial)
    tasks.emplace_back([&](const Progress& progress) {
      found.partial = solves_partial(x, y)
                          ? partial_bound(x, y, tau.x, tau.y, progress)
                          : std::max(0.0, partial_bound_from(phi.x, phi.y, tau.x, tau.y) / phi_unit);
    });
  if (!found.plain) tasks.emplace_back([&](const Progress& progress) { found.plain = w1(x, y, progress); });
  watch.run(team, tasks.size(), 0.95,
            [&](std::size_t task, const Progress& progress) { tasks[task](progress); });
  return found;
}

}  // namespace motmot
