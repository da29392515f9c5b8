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

Asked asked_of(PointsView x, PointsView y, const DistanceOptions& o, const CriticChoice& chosen,
               const TauGiven& tau, const BlockPlan& plan, double scale) {
  return {.estimator = o.estimator,
          .critic = chosen.critic,
          .why_critic = chosen.why,
          .tau = tau.tau,
          .why_tau = tau.why,
          .scheme = o.scheme,
          .blocks = {plan.k_x, plan.k_y},
          .block_size = {plan.b_x, plan.b_y},
          .scale = scale,
          .n = x.rows(),
          .m = y.rows(),
          .d = x.cols(),
          .seed = o.seed};
}

/// `only_the_bound`: no critic so far shows as much as was proved.
RunReport run_of(const Estimate& found, const Planned& plan, const Diagnosis& diagnosis, bool only_the_bound,
                 const Team& team, const Watch& watch) {
  RunReport run{.settled = found.settled,
                .stopped = found.stopped || watch.stopped(),
                .gap = found.gap,
                .solves = found.solves,
                .steps = found.steps,
                .seconds = watch.seconds(),
                .threads = team.size(),
                .warnings = plan.warnings,
                .trace = found.trace};
  run.warnings.insert(run.warnings.end(), diagnosis.warnings.begin(), diagnosis.warnings.end());
  if (run.stopped)
    run.warnings.emplace_back(only_the_bound
                                  ? "stopped early: no more than the lower bound (partial) is known so far"
                                  : "stopped early: this is the best answer so far");
  else if (!run.settled)
    run.warnings.emplace_back("the value was still moving at the end of the run: more steps may change it");
  return run;
}

PerSample<RowDiagnostics> rows_of(PointsView x, PointsView y, const Estimate& found,
                                  const Diagnosis& diagnosis, const DistanceOptions& o) {
  if (!o.keep_rows) return {};
  const bool clipped = found.target == Target::unknown, judged = !clipped && o.estimator != Estimator::plain;
  const auto rows = [&](PointsView points, const std::vector<double>& phi,
                        const std::vector<double>& frequency, const TrimmedRows& trimmed) {
    RowDiagnostics known{.phi = clipped ? (*found.critic)(points) : phi, .frequency = frequency};
    if (!judged) return known;
    known.dropped.assign(phi.size(), false);
    for (const std::uint32_t row : trimmed.dropped) known.dropped[row] = true;
    return known;
  };
  return {rows(x, found.phi.x, found.frequency.x, diagnosis.trimmed.x),
          rows(y, found.phi.y, found.frequency.y, diagnosis.trimmed.y)};
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
  const Estimate found = estimate(chosen.critic, x, y, samples ? &*samples : nullptr, task, o, ahead, team,
                                  watch.part(0, o.network ? 0.5 : 0.9));
  std::optional<NetworkEstimate> network;
  if (o.network && !watch.stopped()) network = estimate_laws(x, y, task, team, watch.part(0.5, 0.9));
  Diagnosis d = diagnose(x, y, exact_beside ? &*samples : nullptr, task, tau.tau, found, ahead, o.certify,
                         names, team, watch);
  d.beside.network = network;
  // A run that was stopped may have proved more than its critic shows.
  const double proved = watch.stopped() ? d.bounds.partial.value_or(0) : 0;
  const double value = std::max({0.0, found.value, proved}), bar = d.error_bar.value_or(0);
  return {.value = value,
          .sd = found.sd,
          .error_bar = d.error_bar,
          .low = d.error_bar ? std::optional(std::max(0.0, value - bar)) : std::nullopt,
          .high = d.error_bar ? std::optional(value + bar) : std::nullopt,
          .target = found.target,
          .beside = d.beside,
          .bounds = d.bounds,
          .asked = asked_of(x, y, o, chosen, tau, plan.blocks, found.scale),
          .run = run_of(found, plan, d, proved > found.value, team, watch),
          .rows = rows_of(x, y, found, d, o),
          .phi = found.critic};
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
