#include "critics/exact_fit.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "critics/exact_problem.hpp"
#include "critics/semi_dual.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

/// One block of all rows on either side: no partitions, no median, plain W1.
bool is_plain(const ExactTask& task) {
  const BlockPlan& plan = task.plan;
  return task.estimator == Estimator::plain ||
         (plan.scheme != Scheme::pairs && plan.k_x == 1 && plan.k_y == 1 && plan.b_x == task.x.rows() &&
          plan.b_y == task.y.rows());
}

/// The value is the exact solver's on the points as they are, the critic's anchors are within reach: where
/// that makes a difference the critic comes from a second solve.
ExactFit fit_plain(const ExactTask& task, const Progress& progress) {
  const TransportOptions options{.stored_costs = task.stored_costs, .want_plan = false, .progress = progress};
  Transport solved = transport(task.x, task.y, {}, {}, options);
  ExactFit fit;
  fit.value = solved.cost;
  fit.stationarity_gap = solved.cost > 0 ? solved.gap / solved.cost : 0;
  fit.solves = 1;
  fit.settled = solved.status == TransportStatus::optimal;
  fit.stopped = solved.status == TransportStatus::stopped;
  if (!is_within_reach(task.x) || !is_within_reach(task.y)) {
    solved = transport(within_reach(task.x), within_reach(task.y), {}, {}, options);
    ++fit.solves;
  }
  fit.phi_x = std::move(solved.u);
  fit.phi_y = negated(solved.v);
  fit.g = std::move(solved.v);
  fit.w_x.assign(task.x.rows(), 1 / static_cast<double>(task.x.rows()));
  fit.w_y.assign(task.y.rows(), 1 / static_cast<double>(task.y.rows()));
  return fit;
}

}  // namespace

ExactFit fit_adam(ExactProblem& problem, const Progress& progress) {
  ExactFit fit;
  const ExactTask& task = problem.task();
  PartitionPasses draws = problem.passes(Purpose::minibatch_x, Purpose::minibatch_y);
  SemiDual ascent(problem.x(), problem.y(), task.stored_costs, problem.team());
  std::vector<double> g = problem.start().y;
  // The start puts far rows of Y below everything; as anchors they would then rule all others. They begin out
  // of the way instead, and the first lift brings them to where they just touch.
  std::ranges::transform(g, g.begin(), [](double phi) { return phi < -farthest_coordinate ? phi : -phi; });
  const std::size_t steps = std::max<std::size_t>(400, task.y.rows() * 2 / 5);
  g = ascent.ascend(g, draws, steps, progress, fit.ascent_steps);
  fit.stopped = fit.ascent_steps < steps;
  const Phi phi = problem.lowest_on_y(problem.highest_on_x(negated(std::move(g))).x);
  RowWeights w = draws.weights(phi, problem.weight_partitions(), fit.ascent_steps);
  fit.w_x = std::move(w.x);
  fit.w_y = std::move(w.y);
  problem.read_out(phi, fit);
  return fit;
}

ExactFit fit_exact(const ExactTask& task, Team& team, const Progress& progress) {
  require(task.x.cols() == task.y.cols() && task.x.rows() > 0 && task.y.rows() > 0, Errc::invalid_argument,
          "X is ", task.x.rows(), " x ", task.x.cols(), ", Y is ", task.y.rows(), " x ", task.y.cols());
  if (is_plain(task)) return fit_plain(task, progress);
  ExactProblem problem(task, team);
  const double pairs = static_cast<double>(task.x.rows()) * static_cast<double>(task.y.rows());
  const bool adam =
      task.path == ExactPath::adam || (task.path == ExactPath::automatic && pairs > exact_pairs_limit);
  return adam ? fit_adam(problem, progress) : fit_frank_wolfe(problem, progress);
}

}  // namespace motmot
