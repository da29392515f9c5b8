// Paper mode: raw data, one median block (the upper one of an even number), clipped weights.
#include <algorithm>

#include "answer/job.hpp"
#include "critics/ascent.hpp"
#include "critics/model.hpp"
#include "critics/update_rules.hpp"

namespace motmot {
namespace {

/// 500 epochs; an epoch, a pass over the data, is K steps (Section 4.2).
std::size_t default_steps(const BlockPlan& plan) { return 500 * std::max(plan.k_x, plan.k_y); }

void clip_all(std::span<float> weights, float clip) {
  for (float& weight : weights) weight = std::clamp(weight, -clip, clip);
}

}  // namespace

void run_clipped(const Job& job, Distance& result) {
  const DistanceOptions& o = job.options;
  const FeatureMajor data = to_feature_major(job.x, job.y);
  const auto clip = static_cast<float>(o.ascent.clip);
  Mlp critic(job.x.cols(), o.mlp.hidden, Rng(o.seed, Purpose::weights));
  clip_all(critic.weights(), clip);
  ClippedRmsProp rule(critic.weights().size(), {.rate = static_cast<float>(o.ascent.rate),
                                                .alpha = static_cast<float>(o.ascent.alpha),
                                                .eps = static_cast<float>(o.ascent.eps),
                                                .clip = clip});
  AscentRun run = ascend(critic, rule,
                         {.data = data,
                          .n = job.x.rows(),
                          .estimator = o.estimator,
                          .plan = job.plan,
                          .even = EvenMedian::upper,
                          .steps = o.ascent.steps > 0 ? o.ascent.steps : default_steps(job.plan),
                          .tail = o.ascent.tail,
                          .keep_trace = o.ascent.keep_trace,
                          .seed = o.seed},
                         job.team, job.progress);
  result.value = run.value;
  result.sd = run.sd;
  result.target = Target::unknown;
  result.steps = run.steps;
  result.settled = run.settled;
  result.stopped = run.stopped;
  result.trace = std::move(run.trace);
  result.critic = clipped_critic(std::move(critic));
  if (!o.keep_rows) return;
  result.rows_x.phi = (*result.critic)(job.x);
  result.rows_y.phi = (*result.critic)(job.y);
}

}  // namespace motmot
