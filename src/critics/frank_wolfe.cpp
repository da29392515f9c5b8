// Frank-Wolfe: the best response to the rows that carry the median is a Kantorovich potential, so each step
// is one exact transport problem between weighted samples.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "critics/exact_problem.hpp"
#include "critics/semi_dual.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

constexpr std::array<double, 6> step_lengths{1, 0.5, 0.25, 0.125, 0.0625, 0};

// The value is a mean over random partitions, whose own noise is about 0.1 % of it. A gap of 1 % is what a
// step promises and hardly ever keeps: from there on further solves moved the value by less than that noise
// (shift and shape, n = 500 to 10^4), so such a critic counts as settled.
constexpr double fair_gap = 1e-2;
// gap_bound() was three to eight times the true gap (D1, n = 500 and 2000): below three tolerances the true
// gap is below one.
constexpr double looseness_of_bound = 3;
// A polish costs a hundred passes over all pairs. Up to 3e7 pairs that is less than one exact solve.
constexpr double pairs_to_polish = 3e7;
constexpr std::size_t polish_steps = 100;
// A step that gains less than this share of the value is not worth another solve: 1e-4 is below the noise of
// the partitions, 1e-3 is at it and does where a polish has been made and the gap is fair.
constexpr double least_gain = 1e-4, least_gain_after_polish = 1e-3;

double inner(std::span<const double> w, std::span<const double> phi) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] > 0) sum += w[i] * phi[i];
  return sum;
}

/// phi + length (psi - phi), tightened: values on Y are moved, those on X follow as far up as they may.
Phi moved(ExactProblem& problem, Phi phi, Phi psi, double length) {
  if (length == 1) return psi;
  for (std::size_t j = 0; j < phi.y.size(); ++j) phi.y[j] += length * (psi.y[j] - phi.y[j]);
  return problem.highest_on_x(std::move(phi.y));
}

}  // namespace

ExactFit fit_frank_wolfe(ExactProblem& problem, const Progress& progress) {
  const ExactTask& task = problem.task();
  const double pairs = static_cast<double>(task.x.rows()) * static_cast<double>(task.y.rows());
  PartitionPasses draws = problem.passes(Purpose::blocks_x, Purpose::blocks_y);
  PartitionPasses search = problem.passes(Purpose::line_search_x, Purpose::line_search_y);
  ExactFit fit;
  Progress solving;  // The number of solves is not known beforehand; two are usual.
  if (progress)
    solving = [&](double done) {
      return progress(std::min(1.0, (static_cast<double>(fit.solves) + done) / 3));
    };
  TransportSolver solver(problem.x(), problem.y(), {.stored_costs = task.stored_costs, .progress = solving});

  Phi phi, psi;                 // the critic, and the best response to its weights
  RowWeights w;                 // how often each row carries the median of phi
  std::vector<PlanEntry> plan;  // of the last exact solve
  double value = 0, gap = 0;    // <w, phi>, and W1(w) - <w, phi> or a bound of it
  std::size_t responses = 0;    // exact solves behind phi, the one behind the start among them
  const auto relative_gap = [&] { return gap <= 0 ? 0 : gap / std::max(std::abs(value), 1e-300); };
  const auto weigh = [&] {
    w = draws.weights(phi, problem.weight_partitions(), 0);
    value = inner(w.x, phi.x) - inner(w.y, phi.y);
  };
  const auto respond = [&] {
    Transport solved = solver.solve(w.x, w.y);
    ++fit.solves;
    ++responses;
    gap = solved.cost - value;
    plan = std::move(solved.plan);
    psi = problem.lowest_on_y(std::move(solved.u));
    fit.stopped = solved.status == TransportStatus::stopped;
  };

  // Outliers of both samples may be each other's neighbours: partial transport, which does not look at sides,
  // would join them, so its potentials are not used as a start then.
  const ExactStart* given = problem.remote_on_both_sides() ? nullptr : task.start;
  for (int attempt = given != nullptr ? 0 : 1; attempt < 2; ++attempt) {
    const ExactStart* start = attempt == 0 ? given : nullptr;
    if (start == nullptr && given != nullptr && (fit.stopped || relative_gap() <= fair_gap)) break;
    if (start != nullptr) {
      phi = problem.lowest_on_y(problem.highest_on_x(start->phi_y).x);
      plan = start->plan;
      responses = 1;
      fit.stopped = solving && !solving(0);
    } else {
      responses = fit.ascent_steps = 0;
      phi = problem.start();
      weigh();
      respond();
      phi =
          std::exchange(psi, {});  // the linear start ranks blocks and is no critic: leave it by a full step
    }
    weigh();  // (1) of DESIGN 3.2: the rows that carry the median
    if (fit.stopped) continue;
    // phi is the best response to other weights than w. On shifts it is good enough for w too.
    gap = gap_bound(problem.x(), problem.y(), plan, w, phi);
    if (relative_gap() < looseness_of_bound * task.gap_tolerance) continue;
    // Best responses overshoot where medians depend much on phi (shape changes, both samples dirty): many
    // short steps by Adam first, as long as they are cheap, kept if they help.
    if (relative_gap() > fair_gap && pairs <= pairs_to_polish) {
      SemiDual ascent(problem.x(), problem.y(), task.stored_costs, problem.team());
      PartitionPasses minibatches = problem.passes(Purpose::minibatch_x, Purpose::minibatch_y);
      const std::vector<double> g =
          ascent.ascend(negated(phi.y), minibatches, polish_steps, solving, fit.ascent_steps);
      fit.stopped = fit.ascent_steps < polish_steps;
      psi = problem.lowest_on_y(problem.highest_on_x(negated(g)).x);
      const std::vector<double> values =
          search.values_between(phi, psi, std::array{1.0, 0.0}, problem.search_partitions(), 0);
      if (values[0] > values[1]) {
        phi = std::exchange(psi, {});
        weigh();
      }
    }
    while (!fit.stopped && fit.solves < task.most_solves) {
      respond();                                                      // (2) the best response to w
      if (fit.stopped || relative_gap() < task.gap_tolerance) break;  // (3) nothing left to gain
      const std::vector<double> values =                              // (4) how far to go
          search.values_between(phi, psi, step_lengths, problem.search_partitions(), 0);
      const auto best = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
      if (step_lengths[best] > 0) {
        phi = moved(problem, std::move(phi), std::exchange(psi, {}), step_lengths[best]);
        weigh();  // (1)
      }
      // Large samples have little noise and expensive solves: two responses are enough there, else three.
      const bool fair = relative_gap() <= fair_gap;
      if (fair && responses >= (pairs > pairs_to_polish ? 2 : 3)) break;
      const double worthwhile = fit.ascent_steps > 0 && fair ? least_gain_after_polish : least_gain;
      if (!(values[best] - values.back() > worthwhile * std::abs(values.back()))) break;
    }
  }
  if (given != nullptr) ++fit.solves;  // the one behind the start
  fit.stationarity_gap = relative_gap();
  fit.settled = !fit.stopped && relative_gap() <= fair_gap;
  fit.w_x = std::move(w.x);
  fit.w_y = std::move(w.y);
  problem.read_out(phi, fit);
  return fit;
}

}  // namespace motmot
