#include "answer/diagnose.hpp"

#include <algorithm>

#include "inference/error_bar.hpp"
#include "motmot/inference.hpp"

namespace motmot {
namespace {

std::optional<double> in_units(const std::optional<double>& value, double unit) {
  if (!value) return {};
  return unit * *value;
}

/// One block has no spread to take a bar from, and no robustness.
bool withstands_outliers(const BlockPlan& plan, const PerSample<double>& tau) {
  return (plan.k_x > 1 || tau.x == 0) && (plan.k_y > 1 || tau.y == 0);
}

ErrorBarOptions bar_options(const EstimateTask& task, const PerSample<double>& tau, std::size_t rows,
                            std::size_t threads) {
  return {.estimator = task.estimator,
          .k_x = task.plan.k_x,
          .k_y = task.plan.k_y,
          .tau_x = tau.x,
          .tau_y = tau.y,
          // Forty partitions of small samples, fewer of large ones: their block means are many already.
          .partitions = std::clamp<std::size_t>(4'000'000 / rows, 5, 40),
          .seed = task.seed,
          .threads = threads};
}

bool has_partitions(Scheme scheme) { return scheme == Scheme::shuffle || scheme == Scheme::partition; }

Bracket prove_bracket(const ScaledSamples& samples, const EstimateTask& task, const Phi& phi, Team& team) {
  Phi scaled = phi;
  for (std::vector<double>* values : {&scaled.x, &scaled.y})
    for (double& value : *values) value /= samples.by.scale;
  return bracket(samples.x, samples.y, scaled.x, scaled.y,
                 {.estimator = task.estimator,
                  .k_x = task.plan.k_x,
                  .k_y = task.plan.k_y,
                  .seed = task.seed,
                  .threads = team.size()});
}

}  // namespace

Diagnosis diagnose(PointsView x, PointsView y, const ScaledSamples* samples, const EstimateTask& task,
                   const PerSample<double>& tau, const Estimate& found, const Ahead& ahead, bool certify,
                   const SampleNames& names, Team& team, Watch& watch) {
  const double unit = found.scale;
  const BlockPlan& plan = task.plan;
  Diagnosis d{.bounds = {.lipschitz = found.lipschitz}};
  d.beside.held_out = found.held_out;
  if (found.target == Target::unknown) return d;
  if (task.estimator == Estimator::plain) {
    d.beside.plain = found.value;
    return d;
  }
  ExactNeighbours near{.plain = ahead.plain, .partial = ahead.partial};
  if (!watch.stopped())
    near = samples != nullptr
               ? solve_beside(samples->x, samples->y, tau, found.phi, unit, ahead, team, watch)
               : ExactNeighbours{.trimmed = {trim_rows(x, found.phi.x), trim_rows(y, found.phi.y)}};
  d.beside.plain = in_units(near.plain, unit);
  d.beside.trim = in_units(near.trim, unit);
  d.bounds.partial = in_units(near.partial, unit);
  d.beside.trimmed = {near.trimmed.x.dropped.size(), near.trimmed.y.dropped.size()};
  d.trimmed = std::move(near.trimmed);
  if (watch.stopped()) return d;
  if (has_partitions(plan.scheme)) {
    const ErrorBarOptions options = bar_options(task, tau, x.rows() + y.rows(), team.size());
    const ErrorBar bar = contamination_error_bar(found.phi.x, found.phi.y, d.trimmed, options);
    if (withstands_outliers(plan, tau)) d.error_bar = bar.bar;
    if (bar.corrected) d.beside.corrected = std::max(0.0, *bar.corrected);
    d.warnings = disagreements(gather_evidence(found.phi.x, found.phi.y, d.trimmed, options,
                                               {.value = std::max(0.0, found.value),
                                                .bar = d.error_bar,
                                                .trim = d.beside.trim,
                                                .partial = d.bounds.partial}),
                               names);
  }
  if (!certify) return d;
  if (plan.k_x % 2 == 0 || plan.k_y % 2 == 0 || !has_partitions(plan.scheme)) {
    d.warnings.emplace_back("no certificate: it needs disjoint blocks and odd numbers of them");
  } else if (samples == nullptr) {
    d.warnings.emplace_back("no certificate: the samples are too large for exact block problems");
  } else {
    const Bracket proved = prove_bracket(*samples, task, found.phi, team);
    d.bounds.lower = unit * proved.lower;
    d.bounds.upper = unit * proved.upper;
    d.bounds.fixed_partition_value = unit * proved.fixed_partition_value;
  }
  return d;
}

}  // namespace motmot
