// 1-Lipschitz networks: the distance of the laws.
#include "answer/job.hpp"
#include "critics/lipschitz.hpp"

namespace motmot {
namespace {

/// Held-out values are for dimensions in which a critic can learn its sample by heart.
constexpr std::size_t held_out_from = 5;

LipschitzTask task_of(const Job& job, const RobustScale& by) {
  LipschitzTask task{.x = job.x, .y = job.y};
  task.standard = {.centre = by.centre, .scale = by.scale};
  task.estimator = job.options.estimator;
  task.plan = job.plan;
  task.draws = job.options.read_out;
  task.held_out = job.x.cols() >= held_out_from && job.x.rows() >= 20 && job.y.rows() >= 20;
  task.keep_trace = job.options.ascent.keep_trace;
  task.seed = job.options.seed;
  if (job.options.ascent.steps > 0) task.steps = job.options.ascent.steps;
  return task;
}

}  // namespace

void run_lipschitz(const Job& job, Distance& result) {
  const RobustScale by = robust_scale(job.x, job.y);
  const LipschitzTask task = task_of(job, by);
  LipschitzFit fit = fit_lipschitz(task, job.team, job.progress);
  result.target = Target::population;
  result.scale = by.scale;
  result.value = fit.value;
  result.sd = fit.sd;
  result.held_out = fit.held_out;
  result.lipschitz = fit.lipschitz;
  result.steps = fit.steps;
  result.settled = fit.settled;
  result.stopped = fit.stopped;
  result.trace = std::move(fit.trace);
  result.rows_x = {.phi = std::move(fit.phi_x)};
  result.rows_y = {.phi = std::move(fit.phi_y)};
  result.critic = lipschitz_critic(std::move(fit.network), task.standard);
}

PopulationEstimate estimate_population(const Job& job) {
  const RobustScale by = robust_scale(job.x, job.y);
  const LipschitzFit fit = fit_lipschitz(task_of(job, by), job.team, job.progress);
  return {.value = fit.value,
          .sd = fit.sd,
          .lipschitz = fit.lipschitz,
          .held_out = fit.held_out,
          .settled = fit.settled};
}

}  // namespace motmot
