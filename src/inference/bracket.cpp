#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "blocks/sampler.hpp"
#include "inference/block_bounds.hpp"
#include "inference/fixed_ascent.hpp"
#include "motmot/inference.hpp"

namespace motmot {
namespace {

void require_bracket(PointsView x, PointsView y, const Blocks& blocks_x, const Blocks& blocks_y,
                     std::span<const double> phi_x, std::span<const double> phi_y, Estimator estimator) {
  require(x.d == y.d && x.d > 0, Errc::invalid_argument, "both samples need the same columns, got ", x.d,
          " and ", y.d);
  require(blocks_x.count % 2 == 1 && blocks_y.count % 2 == 1, Errc::invalid_argument,
          "a bracket needs odd numbers of blocks, got K_X = ", blocks_x.count, ", K_Y = ", blocks_y.count);
  require(estimator != Estimator::mou_diag || blocks_x.count == blocks_y.count, Errc::invalid_argument,
          "mou-diag needs K_X = K_Y, got ", blocks_x.count, " and ", blocks_y.count);
  const bool no_phi = phi_x.empty() && phi_y.empty();
  require(no_phi || (phi_x.size() == x.n && phi_y.size() == y.n), Errc::invalid_argument,
          "phi needs a value for each row, got ", phi_x.size(), " for ", x.n, " and ", phi_y.size(), " for ",
          y.n);
  const auto finite = [](double value) { return std::isfinite(value); };
  require(std::ranges::all_of(phi_x, finite) && std::ranges::all_of(phi_y, finite), Errc::numeric,
          "phi must be finite");
}

/// Exact solves in all, and how they are shared out.
AscentPlan plan_ascent(std::size_t n, std::size_t m, const BracketOptions& options) {
  const double solves = options.effort * 5e6 / (static_cast<double>(n) * static_cast<double>(m));
  const double capped = std::clamp(solves, 20.0, 800.0);
  return {.starts = static_cast<std::size_t>(capped / 20), .steps = 12, .seed = options.seed};
}

}  // namespace

Bracket bracket(PointsView x, PointsView y, const Blocks& blocks_x, const Blocks& blocks_y,
                std::span<const double> phi_x, std::span<const double> phi_y, const BracketOptions& options) {
  require_bracket(x, y, blocks_x, blocks_y, phi_x, phi_y, options.estimator);
  Team team(options.threads);
  const FixedProblem problem{x, y, blocks_x, blocks_y, options.estimator};
  const UpperBound upper =
      block_upper_bound(problem, {.max_distances = options.max_distances, .seed = options.seed}, team);
  const bool has_phi = !phi_x.empty();
  const Phi start = upper_extension(x, y, has_phi ? phi_y : std::vector<double>(y.n, 0.0), team);
  FixedAscent best{.value = problem.value(start)};
  if (options.effort > 0 &&
      static_cast<double>(y.n) * static_cast<double>(x.n + y.n) <= most_distances_for_ascent) {
    AscentPlan plan = plan_ascent(x.n, y.n, options);
    plan.suggestion = upper.suggestion;
    best = ascend_fixed(problem, has_phi ? &start : nullptr, plan, team);
  }
  const double fixed =
      has_phi ? problem.value({{phi_x.begin(), phi_x.end()}, {phi_y.begin(), phi_y.end()}}) : best.value;
  // The two ends meet where the bound is attained; rounding must not cross them.
  return {.lower = std::min(best.value, upper.value),
          .upper = upper.value,
          .fixed_partition_value = fixed,
          .failure_chance = upper.failure_chance,
          .block_problems = upper.problems,
          .solves = best.solves};
}

Bracket bracket(PointsView x, PointsView y, std::span<const double> phi_x, std::span<const double> phi_y,
                const BracketOptions& options) {
  const bool plain = options.estimator == Estimator::plain;
  Rng rng_x(options.seed, Purpose::fixed_partition_x);
  Rng rng_y(options.seed, Purpose::fixed_partition_y);
  const Blocks blocks_x = partition_blocks(x.n, plain ? 1 : options.k_x, rng_x);
  const Blocks blocks_y = partition_blocks(y.n, plain ? 1 : options.k_y, rng_y);
  return bracket(x, y, blocks_x, blocks_y, phi_x, phi_y, options);
}

}  // namespace motmot
