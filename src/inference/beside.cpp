#include "inference/beside.hpp"

#include "critics/min_plus.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

bool solves_partial(const Points& x, const Points& y) {
  return static_cast<double>(x.rows()) * static_cast<double>(y.rows()) <= partial_pairs;
}

ExactStart start_from(Transport partial) {
  ExactStart start{.phi_y = std::move(partial.v), .plan = std::move(partial.plan)};
  for (double& value : start.phi_y) value = -value;
  return start;
}

}  // namespace

std::optional<double> w1(PointsView x, PointsView y, const Progress& progress) {
  const Transport solved =
      transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false, .progress = progress});
  if (solved.status == TransportStatus::stopped) return {};
  return solved.cost;
}

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

}  // namespace motmot
