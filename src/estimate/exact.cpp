#include "critics/model.hpp"
#include "estimate/estimate.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

std::vector<double> times(double scale, std::vector<double> values) {
  for (double& value : values) value *= scale;
  return values;
}

}  // namespace

ScaledSamples scale(PointsView x, PointsView y) {
  RobustScale by = robust_scale(x, y);
  Points scaled_x = scaled(x, by), scaled_y = scaled(y, by);
  return {std::move(by), std::move(scaled_x), std::move(scaled_y)};
}

Estimate estimate_exact(const ScaledSamples& samples, const EstimateTask& task, const ExactStart* start,
                        Team& team, const Progress& progress) {
  ExactFit fit = fit_exact({.x = samples.x,
                            .y = samples.y,
                            .estimator = task.estimator,
                            .plan = task.plan,
                            .seed = task.seed,
                            .read_out = task.read_out,
                            .start = start},
                           team, progress);
  const double unit = samples.by.scale;
  return {.value = unit * fit.value,
          .sd = unit * fit.sd,
          .target = Target::empirical,
          .scale = unit,
          .gap = fit.stationarity_gap,
          .lipschitz = 1,
          .solves = fit.solves,
          .steps = fit.ascent_steps,
          .settled = fit.settled,
          .stopped = fit.stopped,
          .phi = {times(unit, std::move(fit.phi_x)), times(unit, std::move(fit.phi_y))},
          .frequency = {std::move(fit.w_x), std::move(fit.w_y)},
          .critic = exact_critic(
              {.anchors = samples.y, .g = std::move(fit.g), .centre = samples.by.centre, .scale = unit})};
}

Estimate estimate_weighted(PointsView x, PointsView y, const PerSample<std::span<const double>>& weights,
                           const Progress& progress) {
  const Transport solved = transport(x, y, weights.x, weights.y,
                                     {.want_plan = false, .want_potentials = false, .progress = progress});
  return {.value = solved.cost,
          .target = Target::empirical,
          .gap = solved.cost > 0 ? solved.gap / solved.cost : 0,
          .solves = 1,
          .settled = solved.status == TransportStatus::optimal,
          .stopped = solved.status == TransportStatus::stopped};
}

}  // namespace motmot
