#include <algorithm>

#include "critics/ascent.hpp"
#include "critics/evaluate_rows.hpp"
#include "critics/model.hpp"
#include "critics/update_rules.hpp"
#include "estimate/estimate.hpp"

namespace motmot {
namespace {

/// 500 epochs; an epoch, a pass over the data, is K steps (Section 4.2).
std::size_t default_steps(const BlockPlan& plan) { return 500 * std::max(plan.k_x, plan.k_y); }

}  // namespace

Estimate estimate_clipped(const SamplePart& given_x, const SamplePart& given_y, const EstimateTask& task,
                          Team& team, const Progress& progress) {
  const AscentOptions& o = task.ascent;
  const RowSplit split =
      row_split(CriticKind::clipped, given_x.all, given_y.all, task.estimator, task.plan, *task.ranks);
  const SamplePart x = rows_here(given_x, split.x), y = rows_here(given_y, split.y);
  const FeatureMajor data = to_feature_major(x.rows, y.rows);
  const auto clip = static_cast<float>(o.clip);
  Mlp network(x.rows.cols(), o.hidden, Rng(task.seed, Purpose::weights));
  for (float& weight : network.weights()) weight = std::clamp(weight, -clip, clip);
  ClippedRmsProp rule(network.weights().size(), {.rate = static_cast<float>(o.rate),
                                                 .alpha = static_cast<float>(o.alpha),
                                                 .eps = static_cast<float>(o.eps),
                                                 .clip = clip});
  AscentRun run = ascend(network, rule,
                         {.data = data,
                          .split = split,
                          .estimator = task.estimator,
                          .plan = task.plan,
                          .even = EvenMedian::upper,
                          .steps = o.steps > 0 ? o.steps : default_steps(task.plan),
                          .tail = o.tail,
                          .keep_trace = o.trace,
                          .seed = task.seed,
                          .checkpoint = task.checkpoint},
                         team, progress);
  PerSample<std::vector<float>> phi = evaluate_rows(network, data, split, team);
  return {.value = run.value,
          .sd = run.sd,
          .target = Target::unknown,
          .steps = run.steps,
          .settled = run.settled,
          .stopped = run.stopped,
          .bytes_a_step = run.bytes_a_step,
          .trace = std::move(run.trace),
          .phi = {{phi.x.begin(), phi.x.end()}, {phi.y.begin(), phi.y.end()}},
          .critic = clipped_critic(std::move(network))};
}

}  // namespace motmot
