#include <chrono>

#include "answer/job.hpp"
#include "answer/plan.hpp"
#include "answer/tau_auto.hpp"
#include "base/threads.hpp"

namespace motmot {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The caller's progress, cut off by the time limit.
Progress limited(const DistanceOptions& options, Clock::time_point start) {
  if (options.time_limit <= 0) return options.progress;
  return [&options, start](double done) {
    return (!options.progress || options.progress(done)) && seconds_since(start) < options.time_limit;
  };
}

void describe(const Job& job, Distance& result) {
  result.estimator = job.options.estimator;
  result.scheme = job.plan.scheme;
  result.k_x = job.plan.k_x;
  result.k_y = job.plan.k_y;
  result.b_x = job.plan.b_x;
  result.b_y = job.plan.b_y;
  result.tau_x = job.options.tau_x;
  result.tau_y = job.options.tau_y;
  result.n = job.x.rows();
  result.m = job.y.rows();
  result.d = job.x.cols();
  result.threads = job.team.size();
  result.seed = job.options.seed;
}

void run(const Job& job, CriticKind kind, bool population_too, Distance& result) {
  result.critic_kind = kind;
  SideAnswers solved;
  switch (kind) {
    case CriticKind::clipped:
      return run_clipped(job, result);
    case CriticKind::lipschitz:
      run_lipschitz(job, result);
      break;
    case CriticKind::automatic:
    case CriticKind::exact:
      solved = run_exact(job, result);
      break;
  }
  if (population_too && !result.stopped) result.population = estimate_population(job);
  diagnose(job, std::move(solved), result);
}

}  // namespace

Distance distance(PointsView x, PointsView y, const DistanceOptions& asked) {
  validate(x, y, asked);
  const auto start = Clock::now();
  DistanceOptions options = asked;
  Distance result;
  CriticChoice choice{.primary = options.critic};
  if (options.critic == CriticKind::automatic) {
    choice = choose_critic(x.rows(), y.rows(), x.cols());
    if (options.estimator == Estimator::plain) choice.population_too = false;
    result.why_critic = choice.why;
  }
  Team team(options.threads);
  if (options.tau_auto) result.why_tau = set_tau_from_data(x, y, choice.primary, options, team);
  const BlockPlan plan = plan_blocks(x.rows(), y.rows(), options, result.warnings);
  const Progress progress = limited(options, start);
  const Job job{x, y, options, plan, team, progress};
  describe(job, result);
  run(job, choice.primary, choice.population_too, result);
  if (!result.settled && !result.stopped)
    result.warnings.push_back("the value was still moving at the end of the run: more steps may change it");
  if (result.stopped) result.warnings.push_back("stopped early: this is the best answer so far");
  if (!options.keep_rows) result.rows_x = result.rows_y = {};
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace motmot
