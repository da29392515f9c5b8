#include <cmath>
#include <numeric>

#include "critics/kernel_fit.hpp"
#include "estimate/estimate.hpp"

namespace motmot {
namespace {

/// 1/n, or the weights given, made to sum to 1.
std::vector<double> row_weights(std::size_t n, std::span<const double> given) {
  std::vector<double> weights(given.begin(), given.end());
  if (weights.empty()) weights.assign(n, 1.0);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

Estimate estimate_plain_kernel(PointsView x, PointsView y, const RowKernel& kernel,
                               const PerSample<std::span<const double>>& weights, Team& team) {
  RowWeights w{row_weights(x.rows(), weights.x), row_weights(y.rows(), weights.y)};
  KernelSums::Response all = KernelSums(x, y, kernel, team).respond(w);
  return {.value = all.norm,
          .target = Target::empirical,
          .gap = 0,
          .steps = 1,
          .settled = true,
          .phi = std::move(all.phi),
          .frequency = std::move(w)};
}

Estimate estimate_kernel(const ScaledSamples& samples, const RowKernel& kernel, const EstimateTask& task,
                         Team& team, const Progress& progress) {
  const double length = samples.by.scale, unit = kernel.metric == Metric::energy ? std::sqrt(length) : 1;
  ExactFit fit = fit_kernel({.x = samples.x,
                             .y = samples.y,
                             .estimator = task.estimator,
                             .plan = task.plan,
                             .seed = task.seed,
                             .read_out = task.read_out},
                            {kernel.metric, kernel.bandwidth / length}, team, progress);
  for (std::vector<double>* side : {&fit.phi_x, &fit.phi_y})
    for (double& value : *side) value *= unit;
  return {.value = unit * fit.value,
          .sd = unit * fit.sd,
          .target = Target::empirical,
          .scale = unit,
          .gap = fit.stationarity_gap,
          .steps = fit.ascent_steps,
          .settled = fit.settled,
          .stopped = fit.stopped,
          .phi = {std::move(fit.phi_x), std::move(fit.phi_y)},
          .frequency = {std::move(fit.w_x), std::move(fit.w_y)}};
}

}  // namespace motmot
