#include "answer/paper.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <sstream>

#include "base/rank_statistics.hpp"
#include "inference/beside.hpp"
#include "inference/block_bounds.hpp"
#include "inference/error_bar.hpp"
#include "inference/kernel_bracket.hpp"
#include "motmot/inference.hpp"

namespace motmot {
namespace {

/// K_X K_Y up to which the pairs of blocks of a kernel are listed: 256 MB.
constexpr std::size_t most_kernel_blocks = std::size_t{1} << 25;

bool has_weights(const DistanceOptions& o) { return !o.weights.x.empty() || !o.weights.y.empty(); }

Estimate estimate(CriticKind critic, const SamplePart& x, const SamplePart& y, const ScaledSamples* samples,
                  const EstimateTask& task, const DistanceOptions& o, const Ahead& ahead, Team& team,
                  const Progress& progress) {
  if (critic == CriticKind::clipped) return estimate_clipped(x, y, task, team, progress);
  if (critic == CriticKind::lipschitz) return estimate_lipschitz(x, y, task, team, progress);
  if (has_weights(o)) return estimate_weighted(x.rows, y.rows, o.weights, progress);
  assert(samples != nullptr);
  return estimate_exact(*samples, task, ahead.start ? &*ahead.start : nullptr, team, progress);
}

/// One block has no spread to take a bar from, and no robustness.
bool withstands_outliers(const BlockPlan& plan, const PerSample<double>& tau) {
  return (plan.k_x > 1 || tau.x == 0) && (plan.k_y > 1 || tau.y == 0);
}

bool has_partitions(Scheme scheme) { return scheme == Scheme::shuffle || scheme == Scheme::partition; }

/// Rows whose coordinates nobody looks at.
PointsView only_counted(std::span<const double> phi) { return {nullptr, phi.size(), 0}; }

/// How far outliers may have moved the value. `samples`, if there, tell rows that lie far from their own
/// sample; 10 is the cut (robust z) that was measured.
std::optional<double> error_bar(const ScaledSamples* samples, const EstimateTask& task,
                                const PerSample<double>& tau, const Phi& phi, Team& team) {
  if (!has_partitions(task.plan.scheme) || !withstands_outliers(task.plan, tau)) return {};
  const TrimOptions cuts{.phi_cut = 4, .distance_cut = samples != nullptr ? 10.0 : 0.0, .threads = 1};
  const PerSample<TrimmedRows> trimmed{
      trim_rows(samples != nullptr ? PointsView(samples->x) : only_counted(phi.x), phi.x, cuts),
      trim_rows(samples != nullptr ? PointsView(samples->y) : only_counted(phi.y), phi.y, cuts)};
  return contamination_error_bar(
             phi.x, phi.y, trimmed,
             {.estimator = task.estimator,
              .k_x = task.plan.k_x,
              .k_y = task.plan.k_y,
              .tau_x = tau.x,
              .tau_y = tau.y,
              // Forty partitions of small samples, fewer of large ones: their block means are many already.
              .partitions = std::clamp<std::size_t>(4'000'000 / (phi.x.size() + phi.y.size()), 5, 40),
              .seed = task.seed,
              .threads = team.size()})
      .bar;
}

Bracket prove_bracket(const ScaledSamples& samples, const EstimateTask& task, const Phi& phi, Team& team) {
  Phi scaled = phi;
  for (std::vector<double>* values : {&scaled.x, &scaled.y})
    for (double& value : *values) value /= samples.by.scale;
  const BracketOptions options{.estimator = task.estimator,
                               .k_x = task.plan.k_x,
                               .k_y = task.plan.k_y,
                               .seed = task.seed,
                               .threads = team.size()};
  if (task.plan.scheme != Scheme::partition)
    return bracket(samples.x, samples.y, scaled.x, scaled.y, options);
  // The value is that of one partition: the bracket is of the same.
  const PlanSampler kept = kept_partition(task.plan, samples.x.rows(), samples.y.rows(), task.seed);
  return bracket(samples.x, samples.y, kept.x(), kept.y(), scaled.x, scaled.y, options);
}

/// Why no bracket can be proved; empty if one can.
std::string no_bracket(const BlockPlan& plan, const ScaledSamples* samples) {
  if (plan.k_x % 2 == 0 || plan.k_y % 2 == 0 || !has_partitions(plan.scheme))
    return "no certificate: it needs disjoint blocks and odd numbers of them";
  return samples == nullptr ? "no certificate: the samples are too large for exact block problems" : "";
}

/// What was not solved ahead.
Ahead solve_rest(const ScaledSamples& samples, const PerSample<double>& tau, const Phi& phi, Ahead ahead,
                 Team& team, Watch& watch) {
  const double pairs = static_cast<double>(samples.x.rows()) * static_cast<double>(samples.y.rows());
  watch.run(team, 2, 0.9, [&](std::size_t task, const Progress& progress) {
    if (task == 0 && !ahead.plain) ahead.plain = w1(samples.x, samples.y, progress);
    if (task == 1 && !ahead.partial)
      ahead.partial = pairs <= partial_pairs
                          ? partial_bound(samples.x, samples.y, tau.x, tau.y, progress)
                          : std::max(0.0, partial_bound_from(phi.x, phi.y, tau.x, tau.y) / samples.by.scale);
  });
  return ahead;
}

std::optional<double> in_units(const std::optional<double>& value, double unit) {
  if (!value) return {};
  return unit * *value;
}

/// All: a number that changes with any value of the sample, whatever rank it is on.
std::uint64_t digest_of(const SamplePart& part, Communicator& ranks) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < part.rows.n; ++i) {
    std::uint64_t hash = 0x9e3779b97f4a7c15u * (part.first + i + 1);
    for (const double value : part.rows.row(i)) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdu;
      hash ^= hash >> 32;
    }
    sum += hash;
  }
  return part.whole() ? sum : count_over_ranks(sum, ranks);
}

/// What an ascent is a function of.
std::string ascent_words(const SamplePart& x, const SamplePart& y, CriticKind critic,
                         const DistanceOptions& o, const BlockPlan& plan) {
  std::ostringstream words;
  words.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  words.precision(17);
  words << version() << ' ' << x.all << ' ' << digest_of(x, *o.ranks) << ' ' << y.all << ' '
        << digest_of(y, *o.ranks) << ' ' << name(critic) << ' ' << name(o.estimator) << ' '
        << name(plan.scheme) << ' ' << plan.k_x << ',' << plan.k_y << ' ' << plan.b_x << ',' << plan.b_y
        << ' ' << o.seed << ' ' << o.ascent.steps << ' ' << o.ascent.rate << ' ' << o.ascent.alpha << ' '
        << o.ascent.eps << ' ' << o.ascent.clip << ' ' << o.ascent.tail << ' ' << o.ascent.trace;
  for (const std::size_t width : o.ascent.hidden) words << ' ' << width;
  return words.str();
}

PaperEstimate described(const Estimate& found, const EstimateTask& task, CriticKind critic) {
  return {.estimator = task.estimator,
          .critic = critic,
          .value = std::max(0.0, found.value),
          .sd = found.sd,
          .target = found.target,
          .lipschitz = found.lipschitz,
          .held_out = found.held_out,
          .scheme = task.plan.scheme,
          .blocks = {task.plan.k_x, task.plan.k_y},
          .block_size = {task.plan.b_x, task.plan.b_y},
          .gap = found.gap,
          .settled = found.settled,
          .solves = found.solves,
          .steps = found.steps};
}

// --------------------------------------------------------------------------------- other metrics (Remark 7)

/// Blocks of all rows: no median, the closed form.
bool one_block(const BlockPlan& plan, std::size_t n, std::size_t m) {
  return plan.scheme != Scheme::pairs && plan.k_x == 1 && plan.k_y == 1 && plan.b_x == n && plan.b_y == m;
}

/// On the partition that the scheme keeps; for shuffle on one of its own.
Bracket prove_kernel_bracket(PointsView x, PointsView y, const RowKernel& kernel, const EstimateTask& task,
                             const Phi& phi, Team& team) {
  const PlanSampler kept = kept_partition(task.plan, x.rows(), y.rows(), task.seed);
  return kernel_bracket(x, y, kernel, kept.x(), kept.y(), phi, task.estimator, team);
}

PaperAnswer kernel_answer(PointsView x, PointsView y, const DistanceOptions& o, const PerSample<double>& tau,
                          const SampleNames& names, double to, Team& team, Watch& watch) {
  RowKernel kernel{o.metric, o.bandwidth};
  if (o.metric == Metric::mmd && o.bandwidth == 0) kernel.bandwidth = robust_bandwidth(x, y, o.seed, team);
  Planned plan = plan_blocks(x.rows(), y.rows(), o, tau, names);
  const EstimateTask task{.estimator = o.estimator,
                          .plan = plan.blocks,
                          .read_out = o.read_out,
                          .ascent = o.ascent,
                          .seed = o.seed,
                          .ranks = o.ranks};
  const bool robust = o.estimator != Estimator::plain;
  const Estimate plain = estimate_plain_kernel(x, y, kernel, o.weights, team);
  const ScaledSamples samples = scale(x, y);
  Estimate found = plain;
  if (robust && !one_block(plan.blocks, x.rows(), y.rows()))
    found = estimate_kernel(samples, kernel, task, team, watch.part(0, 0.9 * to));
  PaperAnswer answer{.estimate = described(found, task, CriticKind::exact),
                     .plain = plain.value,
                     .stopped = found.stopped || watch.stopped(),
                     .warnings = std::move(plan.warnings)};
  if (o.metric == Metric::mmd) answer.bandwidth = kernel.bandwidth;
  PaperEstimate& e = answer.estimate;
  if (robust && !watch.stopped()) e.error_bar = error_bar(&samples, task, tau, found.phi, team);
  if (e.error_bar) {
    e.low = std::max(0.0, e.value - *e.error_bar);
    e.high = e.value + *e.error_bar;
  }
  if (o.certify && robust && !watch.stopped()) {
    const bool few = task.plan.k_x <= most_kernel_blocks / task.plan.k_y;
    if (const std::string why_not = no_bracket(plan.blocks, few ? &samples : nullptr); !why_not.empty()) {
      answer.warnings.push_back({WarningCode::blocks, why_not});
    } else {
      const Bracket proved = prove_kernel_bracket(x, y, kernel, task, found.phi, team);
      e.lower = proved.lower;
      e.upper = proved.upper;
      e.fixed_partition_value = proved.fixed_partition_value;
    }
  }
  if (!answer.stopped && !e.settled)
    answer.warnings.push_back({WarningCode::not_settled,
                               "the value was still moving at the end of the run: more steps may change it"});
  answer.phi = std::move(found.phi);
  answer.frequency = std::move(found.frequency);
  return answer;
}

}  // namespace

PaperAnswer paper_answer(const SamplePart& x, const SamplePart& y, const DistanceOptions& o,
                         const PerSample<double>& tau, const SampleNames& names, double to, Team& team,
                         Watch& watch) {
  if (o.metric != Metric::w1) return kernel_answer(x.rows, y.rows, o, tau, names, to, team, watch);
  const std::size_t n = x.all, m = y.all;
  const CriticChoice chosen =
      o.critic == CriticKind::automatic ? choose_critic(n, m) : CriticChoice{.critic = o.critic};
  const bool robust = o.estimator != Estimator::plain, clipped = chosen.critic == CriticKind::clipped;
  const bool exact = chosen.critic == CriticKind::exact && !has_weights(o);
  const bool exact_beside = !clipped && !has_weights(o) && affordable(n, m);
  std::optional<ScaledSamples> samples;
  if (exact || exact_beside) samples = scale(x.rows, y.rows);
  const ScaledSamples* beside = exact_beside ? &*samples : nullptr;
  Planned plan = plan_blocks(n, m, o, tau, names);
  std::optional<Checkpoint> checkpoint;
  if (!o.checkpoint.empty())
    checkpoint.emplace(Checkpoint::Options{.path = o.checkpoint,
                                           .run = ascent_words(x, y, chosen.critic, o, plan.blocks),
                                           .seconds = o.checkpoint_seconds},
                       *o.ranks);
  const EstimateTask task{.estimator = o.estimator,
                          .plan = plan.blocks,
                          .read_out = o.read_out,
                          .ascent = o.ascent,
                          .seed = o.seed,
                          .ranks = o.ranks,
                          .checkpoint = checkpoint ? &*checkpoint : nullptr};
  Ahead ahead;
  if (exact && robust) ahead = solve_ahead(samples->x, samples->y, tau, team, watch);
  Estimate found = estimate(chosen.critic, x, y, samples ? &*samples : nullptr, task, o, ahead, team,
                            watch.part(0, 0.9 * to));
  PaperAnswer answer{.estimate = described(found, task, chosen.critic),
                     .why_critic = chosen.why,
                     .warnings = std::move(plan.warnings)};
  PaperEstimate& e = answer.estimate;
  if (!robust) {
    answer.plain = e.value;
  } else if (!clipped) {
    if (beside != nullptr && !watch.stopped())
      ahead = solve_rest(*beside, tau, found.phi, std::move(ahead), team, watch);
    answer.plain = in_units(ahead.plain, found.scale);
    answer.partial = in_units(ahead.partial, found.scale);
    if (!watch.stopped()) e.error_bar = error_bar(beside, task, tau, found.phi, team);
  }
  if (o.certify && !watch.stopped()) {
    if (const std::string why_not = no_bracket(plan.blocks, beside); !why_not.empty()) {
      answer.warnings.push_back({WarningCode::blocks, why_not});
    } else {
      const Bracket proved = prove_bracket(*beside, task, found.phi, team);
      e.lower = found.scale * proved.lower;
      e.upper = found.scale * proved.upper;
      e.fixed_partition_value = found.scale * proved.fixed_partition_value;
    }
  }
  answer.stopped = found.stopped || watch.stopped();
  // A run that was stopped may have proved more than its critic shows.
  if (answer.stopped) e.value = std::max(e.value, answer.partial.value_or(0));
  if (e.error_bar) {
    e.low = std::max(0.0, e.value - *e.error_bar);
    e.high = e.value + *e.error_bar;
  }
  if (!answer.stopped && !e.settled)
    answer.warnings.push_back({WarningCode::not_settled,
                               "the value was still moving at the end of the run: more steps may change it"});
  answer.phi = std::move(found.phi);
  answer.bytes_a_step = found.bytes_a_step;
  answer.frequency = std::move(found.frequency);
  answer.critic = std::move(found.critic);
  answer.trace = std::move(found.trace);
  return answer;
}

}  // namespace motmot
