#include <algorithm>
#include <tuple>

#include "answer/diagnose.hpp"
#include "answer/plan.hpp"
#include "inference/beside.hpp"
#include "motmot/answer.hpp"

namespace motmot {
namespace {

bool has_weights(const DistanceOptions& o) { return !o.weights.x.empty() || !o.weights.y.empty(); }

Estimate estimate(CriticKind critic, PointsView x, PointsView y, const ScaledSamples* samples,
                  const EstimateTask& task, const DistanceOptions& o, const Ahead& ahead, Team& team,
                  const Progress& progress) {
  if (critic == CriticKind::clipped) return estimate_clipped(x, y, task, team, progress);
  if (critic == CriticKind::lipschitz) return estimate_lipschitz(x, y, task, team, progress);
  if (has_weights(o)) return estimate_weighted(x, y, o.weights, progress);
  return estimate_exact(*samples, task, ahead.start ? &*ahead.start : nullptr, team, progress);
}

std::optional<NetworkEstimate> estimate_laws(PointsView x, PointsView y, const EstimateTask& task, Team& team,
                                             const Progress& progress) {
  const Estimate e = estimate_lipschitz(x, y, task, team, progress);
  return NetworkEstimate{.value = std::max(0.0, e.value),
                         .sd = e.sd,
                         .lipschitz = *e.lipschitz,
                         .held_out = e.held_out,
                         .settled = e.settled};
}

std::vector<std::string> all_warnings(const Planned& plan, const Diagnosis& diagnosis, const RunReport& run,
                                      bool only_the_bound) {
  std::vector<std::string> all = plan.warnings;
  all.insert(all.end(), diagnosis.warnings.begin(), diagnosis.warnings.end());
  if (run.stopped)
    all.emplace_back(only_the_bound ? "stopped early: no more than the lower bound (partial) is known so far"
                                    : "stopped early: this is the best answer so far");
  else if (!run.settled)
    all.emplace_back("the value was still moving at the end of the run: more steps may change it");
  return all;
}

RowDiagnostics rows_of(std::vector<double>& phi, std::vector<double>& frequency, const TrimmedRows& trimmed,
                       bool judged) {
  RowDiagnostics rows{.phi = std::move(phi), .frequency = std::move(frequency)};
  if (!judged) return rows;
  rows.dropped.assign(rows.phi.size(), false);
  for (const std::uint32_t row : trimmed.dropped) rows.dropped[row] = true;
  return rows;
}

/// The answer, from options to result: each line's input and output stand in its signature.
Distance answer(PointsView x, PointsView y, const DistanceOptions& o, const SampleNames& names) {
  Watch watch(o.progress, o.time_limit);
  Team team(o.threads);
  const std::size_t n = x.rows(), m = y.rows();
  const CriticChoice chosen =
      o.critic == CriticKind::automatic ? choose_critic(n, m) : CriticChoice{.critic = o.critic};
  const bool exact = chosen.critic == CriticKind::exact && !has_weights(o);
  const bool exact_beside = chosen.critic != CriticKind::clipped && !has_weights(o) && affordable(n, m);
  std::optional<ScaledSamples> samples;
  if (exact || exact_beside) samples = scale(x, y);
  const TauGiven tau = o.tau_auto ? find_tau(*samples, o, names, team, watch) : TauGiven{.tau = o.tau};
  const Planned plan = plan_blocks(n, m, o, tau.tau, names);
  const EstimateTask task{o.estimator, plan.blocks, o.read_out, o.ascent, o.seed};
  Ahead ahead;
  if (exact && o.estimator != Estimator::plain)
    ahead = solve_ahead(samples->x, samples->y, tau.tau, team, watch);
  Estimate found = estimate(chosen.critic, x, y, samples ? &*samples : nullptr, task, o, ahead, team,
                            watch.part(0, o.network ? 0.5 : 0.9));
  std::optional<NetworkEstimate> network;
  if (o.network && !watch.stopped()) network = estimate_laws(x, y, task, team, watch.part(0.5, 0.9));
  Diagnosis beside = diagnose(x, y, exact_beside ? &*samples : nullptr, task, tau.tau, found, ahead,
                              o.certify, names, team, watch);
  beside.beside.network = network;
  // A run that was stopped may have proved more than its critic shows.
  const double proved = watch.stopped() ? beside.bounds.partial.value_or(0) : 0;
  const double value = std::max({0.0, found.value, proved});
  Distance result{.value = value,
                  .sd = found.sd,
                  .error_bar = beside.error_bar,
                  .target = found.target,
                  .beside = beside.beside,
                  .bounds = beside.bounds,
                  .asked = {.estimator = o.estimator,
                            .critic = chosen.critic,
                            .why_critic = chosen.why,
                            .tau = tau.tau,
                            .why_tau = tau.why,
                            .scheme = o.scheme,
                            .blocks = {plan.blocks.k_x, plan.blocks.k_y},
                            .block_size = {plan.blocks.b_x, plan.blocks.b_y},
                            .scale = found.scale,
                            .n = n,
                            .m = m,
                            .d = x.cols(),
                            .seed = o.seed},
                  .run = {.settled = found.settled,
                          .stopped = found.stopped || watch.stopped(),
                          .gap = found.gap,
                          .solves = found.solves,
                          .steps = found.steps,
                          .seconds = watch.seconds(),
                          .threads = team.size(),
                          .trace = std::move(found.trace)},
                  .phi = std::move(found.critic)};
  result.run.warnings = all_warnings(plan, beside, result.run, proved > found.value);
  if (result.error_bar) {
    result.low = std::max(0.0, value - *result.error_bar);
    result.high = value + *result.error_bar;
  }
  if (o.keep_rows) {
    if (chosen.critic == CriticKind::clipped) found.phi = {(*result.phi)(x), (*result.phi)(y)};
    const bool judged = found.target != Target::unknown && o.estimator != Estimator::plain;
    result.rows = {rows_of(found.phi.x, found.frequency.x, beside.trimmed.x, judged),
                   rows_of(found.phi.y, found.frequency.y, beside.trimmed.y, judged)};
  }
  return result;
}

template <class T>
void exchange(PerSample<T>& both) {
  std::swap(both.x, both.y);
}

DistanceOptions exchanged(DistanceOptions o) {
  exchange(o.tau);
  exchange(o.blocks);
  exchange(o.block_size);
  exchange(o.weights);
  return o;
}

/// What distance(y, x) found, said of x and y.
Distance exchanged(Distance w) {
  exchange(w.beside.trimmed);
  exchange(w.asked.tau);
  exchange(w.asked.blocks);
  exchange(w.asked.block_size);
  std::swap(w.asked.n, w.asked.m);
  exchange(w.rows);
  for (std::vector<double>* phi : {&w.rows.x.phi, &w.rows.y.phi})
    for (double& value : *phi) value = -value;
  if (w.phi) w.phi = w.phi->negated();
  return w;
}

/// Which of two samples (and of what the options say of them) comes first. Any fixed order will do.
bool comes_first(PointsView a, PointsView b, const DistanceOptions& o, const DistanceOptions& other) {
  if (a.rows() != b.rows()) return a.rows() > b.rows();
  const std::span<const double> of_a(a.data, a.n * a.d), of_b(b.data, b.n * b.d);
  if (const auto [at_a, at_b] = std::ranges::mismatch(of_a, of_b); at_a != of_a.end()) return *at_a < *at_b;
  return std::tie(o.tau.x, o.blocks.x, o.block_size.x) <
         std::tie(other.tau.x, other.blocks.x, other.block_size.x);
}

}  // namespace

Distance distance(PointsView x, PointsView y, const DistanceOptions& options) {
  validate(x, y, options);
  // An ascent treats its two samples differently (the critic's anchors are rows of one of them). The samples
  // therefore go in in a fixed order, and exchanging them cannot change the value.
  const DistanceOptions other = exchanged(options);
  if (options.critic != CriticKind::clipped && comes_first(y, x, other, options))
    return exchanged(answer(y, x, other, {'Y', 'X'}));
  return answer(x, y, options, {'X', 'Y'});
}

}  // namespace motmot
