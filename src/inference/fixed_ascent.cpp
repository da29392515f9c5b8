#include "inference/fixed_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "blocks/median.hpp"
#include "blocks/sampler.hpp"
#include "inference/block_w1.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

std::vector<double> row_weights(std::span<const double> block_weights, const Blocks& blocks, std::size_t n) {
  std::vector<double> weights(n, 0.0);
  for (std::size_t k = 0; k < blocks.count; ++k)
    for (const std::uint32_t row : blocks[k]) weights[row] = block_weights[k];
  return weights;
}

/// exp(-t / h) for t >= 0, a soft minimum over the majority; nothing below the median (t < 0).
double soft_weight(double t, double h) { return t < 0 ? 0.0 : std::exp(-t / h); }

/// The gradient of the smoothed objective: the median is the least of the majority above it, and the
/// minimum is smoothed at width h. As h -> 0 the median block alone is left.
BlockWeights soft_majority(Estimator estimator, std::span<const double> a, std::span<const double> b,
                           double h) {
  BlockWeights w{std::vector<double>(a.size(), 0.0), std::vector<double>(b.size(), 0.0)};
  const MedianPair median = median_pair(estimator, a, b);
  const auto add_pair = [&](std::size_t k, std::size_t l) {
    const double weight = soft_weight(a[k] - b[l] - median.value, h);
    w.x[k] += weight;
    w.y[l] += weight;
  };
  if (estimator == Estimator::mou) {
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t l = 0; l < b.size(); ++l) add_pair(k, l);
  } else if (estimator == Estimator::mou_diag) {
    for (std::size_t k = 0; k < a.size(); ++k) add_pair(k, k);
  } else {
    for (std::size_t k = 0; k < a.size(); ++k) w.x[k] = soft_weight(a[k] - a[median.x[0]], h);
    for (std::size_t l = 0; l < b.size(); ++l) w.y[l] = soft_weight(b[median.y[0]] - b[l], h);
  }
  return w;
}

/// Weight one on a random majority of the blocks.
std::vector<double> random_majority(std::size_t k, Rng& rng) {
  std::vector<double> weights(k, 0.0);
  std::fill_n(weights.begin(), k / 2 + 1, 1.0);
  for (std::size_t i = k; i > 1; --i)
    std::swap(weights[i - 1], weights[rng.below(static_cast<std::uint32_t>(i))]);
  return weights;
}

double spread(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high - low;
}

/// One start.
class Climber {
 public:
  Climber(const FixedProblem& problem, std::span<const double> between_y)
      : problem_(problem), between_y_(between_y), solver_(problem.x, problem.y, {.want_plan = false}) {}

  [[nodiscard]] double value() const noexcept { return value_; }
  [[nodiscard]] std::size_t solves() const noexcept { return solves_; }

  void start(Phi phi) {
    value_ = problem_.value(phi);
    phi_ = std::move(phi);
  }
  void respond_to(const BlockWeights& weights) { start(best_response(weights)); }

  /// Frank-Wolfe with a line search on the objective itself. The width falls whenever a step finds
  /// nothing: wide, the step sees far; narrow, it sees what binds.
  void climb(std::size_t steps) {
    auto a = block_means(phi_.x, problem_.blocks_x);
    auto b = block_means(phi_.y, problem_.blocks_y);
    const double whole = std::max(spread(a), spread(b));
    double h = whole / 4;
    for (std::size_t step = 0; step < steps && h > 1e-3 * whole; ++step) {
      if (!search(best_response(soft_majority(problem_.estimator, a, b, h)))) {
        h /= 4;
        continue;
      }
      a = block_means(phi_.x, problem_.blocks_x);
      b = block_means(phi_.y, problem_.blocks_y);
    }
  }

 private:
  /// The potential of exact W1 between the weighted samples: the 1-Lipschitz function that is best for
  /// these weights.
  Phi best_response(const BlockWeights& weights) {
    ++solves_;
    const Transport w = solver_.solve(row_weights(weights.x, problem_.blocks_x, problem_.x.n),
                                      row_weights(weights.y, problem_.blocks_y, problem_.y.n));
    // v_j >= min_i (|x_i - y_j| - u_i) on rows without weight would do no harm either: only -v on Y counts.
    const std::size_t m = problem_.y.n;
    Phi psi{w.u, std::vector<double>(m)};
    for (std::size_t i = 0; i < m; ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < m; ++j) least = std::min(least, between_y_[i * m + j] - w.v[j]);
      psi.y[i] = least;
    }
    return psi;
  }

  bool search(const Phi& psi) {
    Phi best;
    for (int halvings = 0; halvings < 7; ++halvings) {  // 1, 1/2, ..., 1/64
      Phi mixed = mix(psi, std::ldexp(1.0, -halvings));
      const double value = problem_.value(mixed);
      if (value <= value_ + 1e-9 * std::abs(value_)) continue;
      value_ = value;
      best = std::move(mixed);
    }
    if (best.x.empty()) return false;
    phi_ = std::move(best);
    return true;
  }

  [[nodiscard]] Phi mix(const Phi& psi, double t) const {
    Phi mixed = phi_;
    for (std::size_t i = 0; i < mixed.x.size(); ++i) mixed.x[i] += t * (psi.x[i] - mixed.x[i]);
    for (std::size_t j = 0; j < mixed.y.size(); ++j) mixed.y[j] += t * (psi.y[j] - mixed.y[j]);
    return mixed;
  }

  const FixedProblem& problem_;
  std::span<const double> between_y_;  ///< m x m distances
  TransportSolver solver_;
  Phi phi_;
  double value_ = 0;
  std::size_t solves_ = 0;
};

std::vector<double> distances_between(PointsView points, Team& team) {
  std::vector<double> between(points.n * points.n);
  team.run(points.n, [&](std::size_t i, std::size_t) {
    for (std::size_t j = 0; j < points.n; ++j)
      between[i * points.n + j] = euclidean(points.row(i), points.row(j));
  });
  return between;
}

}  // namespace

double FixedProblem::value(const Phi& phi) const {
  return median_pair(estimator, block_means(phi.x, blocks_x), block_means(phi.y, blocks_y)).value;
}

Phi upper_extension(PointsView x, PointsView y, std::span<const double> phi_y, Team& team) {
  Phi phi{std::vector<double>(x.n), std::vector<double>(y.n)};
  const auto extend = [&](std::span<const double> row) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < y.n; ++j) least = std::min(least, euclidean(row, y.row(j)) + phi_y[j]);
    return least;
  };
  team.run(x.n, [&](std::size_t i, std::size_t) { phi.x[i] = extend(x.row(i)); });
  team.run(y.n, [&](std::size_t j, std::size_t) { phi.y[j] = extend(y.row(j)); });
  return phi;
}

FixedAscent ascend_fixed(const FixedProblem& problem, const Phi* given, const AscentPlan& plan, Team& team) {
  const std::vector<double> between = distances_between(problem.y, team);
  const std::size_t k_x = problem.blocks_x.count;
  const std::size_t k_y = problem.blocks_y.count;
  std::vector<FixedAscent> results(plan.starts + 2);
  team.run(results.size(), [&](std::size_t s, std::size_t) {
    Climber climber(problem, between);
    Rng rng(plan.seed, Purpose::fixed_partition_x, s + 1);  // step 0 drew the partition
    if (s == 0 && given != nullptr) {
      climber.start(*given);
    } else if (s <= 1) {
      const bool suggested = s == 1 && !plan.suggestion.x.empty();
      climber.respond_to(suggested
                             ? plan.suggestion
                             : BlockWeights{std::vector<double>(k_x, 1.0), std::vector<double>(k_y, 1.0)});
    } else {
      BlockWeights weights{random_majority(k_x, rng), {}};
      weights.y = problem.estimator == Estimator::mou_diag ? weights.x : random_majority(k_y, rng);
      climber.respond_to(weights);
    }
    climber.climb(plan.steps);
    results[s] = {climber.value(), climber.solves()};
  });
  FixedAscent best = results.front();
  for (const FixedAscent& result : std::span(results).subspan(1)) {
    best.value = std::max(best.value, result.value);
    best.solves += result.solves;
  }
  return best;
}

}  // namespace motmot
