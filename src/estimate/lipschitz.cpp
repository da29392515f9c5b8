#include "critics/lipschitz.hpp"

#include "estimate/estimate.hpp"

namespace motmot {
namespace {

/// Held-out values are for dimensions in which a critic can learn its sample by heart.
constexpr std::size_t held_out_from = 5;
constexpr std::size_t held_out_rows = 20;

}  // namespace

Estimate estimate_lipschitz(PointsView x, PointsView y, const EstimateTask& task, Team& team,
                            const Progress& progress) {
  const RobustScale by = robust_scale(x, y);
  LipschitzTask network{
      .x = x,
      .y = y,
      .standard = {.centre = by.centre, .scale = by.scale},
      .estimator = task.estimator,
      .plan = task.plan,
      .draws = task.read_out,
      .held_out = x.cols() >= held_out_from && std::min(x.rows(), y.rows()) >= held_out_rows,
      .keep_trace = task.ascent.trace,
      .seed = task.seed};
  if (task.ascent.steps > 0) network.steps = task.ascent.steps;
  LipschitzFit fit = fit_lipschitz(network, team, progress);
  return {.value = fit.value,
          .sd = fit.sd,
          .target = Target::population,
          .scale = by.scale,
          .lipschitz = fit.lipschitz,
          .held_out = fit.held_out,
          .steps = fit.steps,
          .settled = fit.settled,
          .stopped = fit.stopped,
          .trace = std::move(fit.trace),
          .phi = {std::move(fit.phi_x), std::move(fit.phi_y)},
          .critic = lipschitz_critic(std::move(fit.network), network.standard)};
}

}  // namespace motmot
