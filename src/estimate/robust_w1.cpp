#include <algorithm>
#include <chrono>

#include "base/require.hpp"
#include "base/threads.hpp"
#include "critics/ascent.hpp"
#include "critics/model.hpp"
#include "critics/update_rules.hpp"
#include "estimate/plan.hpp"

namespace motmot {
namespace {

/// 500 epochs; an epoch, a pass over the data, is K steps (Section 4.2).
std::size_t default_steps(const BlockPlan& plan) { return 500 * std::max(plan.k_x, plan.k_y); }

void clip_all(std::span<float> weights, float clip) {
  for (float& weight : weights) weight = std::clamp(weight, -clip, clip);
}

/// Paper mode: raw data, one median block (the upper one of an even number), clipped weights.
Estimate estimate_clipped(PointsView x, PointsView y, const BlockPlan& plan, const EstimateOptions& options,
                          Team& team) {
  const FeatureMajor data = to_feature_major(x, y);
  const auto clip = static_cast<float>(options.ascent.clip);
  Mlp critic(x.cols(), options.mlp.hidden, Rng(options.seed, Purpose::weights));
  clip_all(critic.weights(), clip);
  ClippedRmsProp rule(critic.weights().size(), {.rate = static_cast<float>(options.ascent.rate),
                                                .alpha = static_cast<float>(options.ascent.alpha),
                                                .eps = static_cast<float>(options.ascent.eps),
                                                .clip = clip});
  AscentResult run = ascend(critic, rule,
                            {.data = data,
                             .n = x.rows(),
                             .estimator = options.estimator,
                             .plan = plan,
                             .even = EvenMedian::upper,
                             .steps = options.ascent.steps > 0 ? options.ascent.steps : default_steps(plan),
                             .tail = options.ascent.tail,
                             .keep_trace = options.ascent.keep_trace,
                             .seed = options.seed},
                            team, options.progress);
  return {.value = run.value,
          .sd = run.sd,
          .steps = run.steps,
          .settled = run.settled,
          .stopped = run.stopped,
          .trace = std::move(run.trace),
          .critic = clipped_critic(std::move(critic))};
}

}  // namespace

std::string_view name(CriticKind kind) noexcept {
  switch (kind) {
    case CriticKind::clipped:
      return "clipped";
  }
  return "?";
}

Estimate robust_w1(PointsView x, PointsView y, const EstimateOptions& options) {
  validate(x, y, options);
  std::vector<std::string> warnings;
  const BlockPlan plan = plan_blocks(x.rows(), y.rows(), options, warnings);
  Team team(options.threads);
  const auto start = std::chrono::steady_clock::now();
  Estimate result = estimate_clipped(x, y, plan, options, team);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!result.settled && !result.stopped)
    warnings.push_back("the value was still moving at the last step: more steps may change it");
  result.estimator = options.estimator;
  result.critic_kind = options.critic;
  result.scheme = plan.scheme;
  result.k_x = plan.k_x;
  result.k_y = plan.k_y;
  result.b_x = plan.b_x;
  result.b_y = plan.b_y;
  result.tau_x = options.tau_x;
  result.tau_y = options.tau_y;
  result.n = x.rows();
  result.m = y.rows();
  result.d = x.cols();
  result.threads = team.size();
  result.seed = options.seed;
  result.warnings = std::move(warnings);
  return result;
}

}  // namespace motmot
