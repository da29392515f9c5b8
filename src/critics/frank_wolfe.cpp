// Frank-Wolfe: the best response to the rows that carry the median is a Kantorovich potential, so each step
// is one exact transport problem between weighted samples.
#include <algorithm>
#include <array>
#include <cmath>

#include "critics/exact_problem.hpp"
#include "critics/gap_bound.hpp"
#include "critics/semi_dual.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

constexpr std::array<double, 6> step_lengths{1, 0.5, 0.25, 0.125, 0.0625, 0};
constexpr double fair_gap = 1e-2;  // of the value: what more solves would gain is not worth them
constexpr double loose = 3;        // gap_bound() is three to eight times the gap (D1, n = 500 and 2000)
constexpr double pairs_to_polish = 3e7;
constexpr std::size_t polish_steps = 100;

std::vector<double> negated(std::span<const double> values) {
  std::vector<double> result(values.size());
  std::ranges::transform(values, result.begin(), std::negate<>());
  return result;
}

double inner(std::span<const double> w, std::span<const double> phi) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] > 0) sum += w[i] * phi[i];
  return sum;
}

/// Progress of a run whose number of solves is not known: two are usual.
class SolveProgress {
 public:
  explicit SolveProgress(const Progress& progress) : progress_(progress) {}
  [[nodiscard]] Progress callback() {
    if (!progress_) return {};
    return [this](double done) { return progress_(std::min(0.9, (solves_ + done) / 3)); };
  }
  [[nodiscard]] bool go_on() { return !progress_ || callback()(0); }
  void next() { solves_ += 1; }

 private:
  const Progress& progress_;
  double solves_ = 0;
};

class FrankWolfe {
 public:
  FrankWolfe(ExactProblem& problem, const Progress& progress)
      : problem_(problem),
        solve_progress_(progress),
        solver_(problem.x(), problem.y(),
                {.memory_limit = problem.task().memory_limit, .progress = solve_progress_.callback()}),
        draws_(problem.passes(Purpose::blocks_x, Purpose::blocks_y)),
        search_(problem.passes(Purpose::line_search_x, Purpose::line_search_y)) {}

  ExactFit run() {
    fit_.path = "frank-wolfe";
    // Outliers of both samples may be each other's neighbours: transport that knows of no sides would join
    // them.
    const ExactStart* start = problem_.remote_on_both_sides() ? nullptr : problem_.task().start;
    if (start != nullptr) {
      start_from(*start);
      ascend();
    }
    if (start == nullptr || (!fit_.stopped && relative_gap() > fair_gap)) {
      start_from_line();
      ascend();
    }
    if (start != nullptr) ++fit_.solves;  // the one behind the start
    fit_.stationarity_gap = relative_gap();
    fit_.settled = !fit_.stopped && relative_gap() <= fair_gap;
    fit_.w_x = std::move(w_.x);
    fit_.w_y = std::move(w_.y);
    problem_.read_out(phi_, fit_);
    return std::move(fit_);
  }

 private:
  void start_from(const ExactStart& start) {
    phi_ = problem_.lowest_on_y(problem_.highest_on_x(start.phi_y).x);
    transport_.plan = start.plan;
    responses_ = 1;
    fit_.stopped = !solve_progress_.go_on();
  }

  void ascend() {
    weigh();
    if (!fit_.stopped && !certified()) climb();
  }

  void start_from_line() {
    responses_ = fit_.ascent_steps = 0;
    phi_ = problem_.start();
    weigh();
    respond();
    phi_ = std::move(psi_);  // the start ranks blocks and is no critic: leave it by a full step
  }

  /// w: how often each row carries the median of phi.
  void weigh() {
    w_ = draws_.weights(phi_, problem_.weight_partitions(), 0);
    value_ = inner(w_.x, phi_.x) - inner(w_.y, phi_.y);
  }

  /// psi: the best response to w, and the gap of phi.
  void respond() {
    transport_ = solver_.solve(w_.x, w_.y);
    solve_progress_.next();
    ++fit_.solves;
    ++responses_;
    psi_ = problem_.lowest_on_y(transport_.u);
    gap_ = transport_.cost - value_;
    fit_.stopped = transport_.status == TransportStatus::stopped;
  }

  /// Whether phi, the response to the last weights, is good enough for the new ones too. On shifts it is.
  bool certified() {
    gap_ = gap_bound(problem_.x(), problem_.y(), transport_.plan, w_, phi_);
    return relative_gap() < loose * problem_.task().gap_tolerance;
  }

  /// Best responses overshoot where medians depend much on phi (shape changes, both samples dirty): many
  /// short steps first, as long as they are cheap, then full ones.
  void climb() {
    if (relative_gap() > fair_gap && pairs() <= pairs_to_polish) polish();
    while (!fit_.stopped && fit_.solves < problem_.task().most_solves && step()) {
    }
  }

  /// One step; false when there is nothing left to gain, or little after a polish.
  bool step() {
    respond();
    if (fit_.stopped || relative_gap() < problem_.task().gap_tolerance) return false;
    const std::vector<double> values =
        search_.values_between(phi_, psi_, step_lengths, problem_.search_partitions(), 0);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    move_by(step_lengths[best]);
    const double gain = values[best] - values.back();
    if (relative_gap() <= fair_gap && responses_ >= (pairs() > pairs_to_polish ? 2 : 3)) return false;
    return gain > (polished() && relative_gap() <= fair_gap ? 1e-3 : 1e-4) * std::abs(values.back());
  }

  void move_by(double length) {
    if (length == 0) return;
    if (length == 1) {
      phi_ = std::move(psi_);
    } else {
      for (std::size_t j = 0; j < phi_.y.size(); ++j) phi_.y[j] += length * (psi_.y[j] - phi_.y[j]);
      phi_ = problem_.highest_on_x(std::move(phi_.y));
    }
    weigh();
  }

  /// Short steps by Adam, kept if they help.
  void polish() {
    SemiDual ascent(problem_.x(), problem_.y(), problem_.task().memory_limit, problem_.team());
    PartitionPasses draws = problem_.passes(Purpose::minibatch_x, Purpose::minibatch_y);
    std::vector<double> g = negated(phi_.y);
    g = ascent.ascend(g, draws, {.steps = polish_steps, .rate = 0.02}, {}, fit_.ascent_steps);
    psi_ = problem_.lowest_on_y(problem_.highest_on_x(negated(g)).x);
    const std::vector<double> values =
        search_.values_between(phi_, psi_, std::array{1.0, 0.0}, problem_.search_partitions(), 0);
    fit_.path = "frank-wolfe + adam";
    if (values[0] > values[1]) move_by(1);
  }

  [[nodiscard]] double relative_gap() const {
    return gap_ <= 0 ? 0 : gap_ / std::max(std::abs(value_), 1e-300);
  }
  [[nodiscard]] bool polished() const { return fit_.ascent_steps > 0; }
  [[nodiscard]] double pairs() const {
    return static_cast<double>(phi_.x.size()) * static_cast<double>(phi_.y.size());
  }

  ExactProblem& problem_;
  SolveProgress solve_progress_;
  TransportSolver solver_;
  PartitionPasses draws_, search_;
  Phi phi_, psi_;
  RowWeights w_;
  Transport transport_;
  double value_ = 0, gap_ = 0;
  std::size_t responses_ = 0;  ///< exact solves, the one behind the start among them
  ExactFit fit_;
};

}  // namespace

ExactFit fit_frank_wolfe(ExactProblem& problem, const Progress& progress) {
  return FrankWolfe(problem, progress).run();
}

}  // namespace motmot
