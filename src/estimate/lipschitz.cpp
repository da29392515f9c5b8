#include "critics/lipschitz.hpp"

#include "critics/block_evaluator.hpp"
#include "estimate/estimate.hpp"

namespace motmot {
namespace {

/// Held-out values are for dimensions in which a critic can learn its sample by heart.
constexpr std::size_t held_out_from = 5;
constexpr std::size_t held_out_rows = 20;

}  // namespace

RowSplit row_split(CriticKind critic, std::size_t n, std::size_t m, Estimator estimator,
                   const BlockPlan& plan, Communicator& ranks) {
  const bool network = critic == CriticKind::lipschitz || critic == CriticKind::clipped;
  if (!network || affordable(n, m)) return unsplit_rows(n, m);
  const BlockPlan step =
      critic == CriticKind::lipschitz ? step_plan({.estimator = estimator, .plan = plan}, plan) : plan;
  const std::size_t listed = step.k_x * step.b_x + step.k_y * step.b_y;
  return split_rows(n, m, leaves_for(evaluates_every_row(step, n, m) ? n + m : listed), ranks);
}

Estimate estimate_lipschitz(const SamplePart& given_x, const SamplePart& given_y, const EstimateTask& task,
                            Team& team, const Progress& progress) {
  RowSplit split =
      row_split(CriticKind::lipschitz, given_x.all, given_y.all, task.estimator, task.plan, *task.ranks);
  const SamplePart x = rows_here(given_x, split.x), y = rows_here(given_y, split.y);
  const RobustScale by = robust_scale(x, y, *task.ranks);
  LipschitzTask network{.x = x,
                        .y = y,
                        .standard = {.centre = by.centre, .scale = by.scale},
                        .estimator = task.estimator,
                        .plan = task.plan,
                        .split = std::move(split),
                        .ranks = task.ranks,
                        .checkpoint = task.checkpoint,
                        .draws = task.read_out,
                        .held_out = x.rows.cols() >= held_out_from && std::min(x.all, y.all) >= held_out_rows,
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
          .bytes_a_step = fit.bytes_a_step,
          .trace = std::move(fit.trace),
          .phi = {std::move(fit.phi_x), std::move(fit.phi_y)},
          .critic = lipschitz_critic(std::move(fit.network), network.standard)};
}

}  // namespace motmot
