// The critic over all 1-Lipschitz functions, on robustly centred and scaled samples.
#include <algorithm>

#include "answer/job.hpp"
#include "critics/exact_fit.hpp"
#include "critics/model.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

void scale_all(std::vector<double>& values, double scale) {
  for (double& value : values) value *= scale;
}

/// Estimator plain with row weights: one exact solve, no blocks.
void run_weighted(const Job& job, Distance& result) {
  Transport solved = transport(job.x, job.y, job.options.weights_x, job.options.weights_y,
                               {.want_plan = false, .progress = job.progress});
  result.value = solved.cost;
  result.stopped = solved.status == TransportStatus::stopped;
  result.settled = solved.status == TransportStatus::optimal;
  result.stationarity_gap = solved.cost > 0 ? solved.gap / solved.cost : 0;
  result.solves = 1;
}

}  // namespace

SideAnswers run_exact(const Job& job, Distance& result) {
  result.target = Target::empirical;
  SideAnswers known;
  if (!job.options.weights_x.empty() || !job.options.weights_y.empty()) {
    run_weighted(job, result);
    return known;
  }
  const RobustScale by = robust_scale(job.x, job.y);
  const Points x = scaled(job.x, by), y = scaled(job.y, by);
  std::optional<ExactStart> start;
  if (job.options.estimator != Estimator::plain) start = solve_ahead(job, x, y, known);
  const Progress progress = known.stopped ? Progress([](double) { return false; }) : job.progress;
  ExactFit fit = fit_exact({.x = x,
                            .y = y,
                            .estimator = job.options.estimator,
                            .plan = job.plan,
                            .seed = job.options.seed,
                            .read_out = job.options.read_out,
                            .start = start ? &*start : nullptr},
                           job.team, progress);
  result.scale = by.scale;
  result.value = by.scale * fit.value;
  result.sd = by.scale * fit.sd;
  result.stationarity_gap = fit.stationarity_gap;
  result.solves = fit.solves;
  result.steps = fit.ascent_steps;
  result.settled = fit.settled;
  result.stopped = fit.stopped;
  result.lipschitz = 1;
  scale_all(fit.phi_x, by.scale);
  scale_all(fit.phi_y, by.scale);
  result.rows_x = {.phi = std::move(fit.phi_x), .frequency = std::move(fit.w_x)};
  result.rows_y = {.phi = std::move(fit.phi_y), .frequency = std::move(fit.w_y)};
  result.critic = exact_critic({.anchors = y, .g = std::move(fit.g), .centre = by.centre, .scale = by.scale});
  return known;
}

}  // namespace motmot
