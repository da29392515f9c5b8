// Where methods break, in the data's units: the exact critic, and what stands beside it.
#include <algorithm>
#include <limits>

#include "blocks/sampler.hpp"
#include "critics/exact_fit.hpp"
#include "motmot/inference.hpp"
#include "motmot/theory.hpp"
#include "motmot/transport.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

Points without(PointsView points, const std::vector<std::uint32_t>& rows) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < points.n; ++i)
    if (!std::ranges::binary_search(rows, static_cast<std::uint32_t>(i)))
      kept.insert(kept.end(), points.row(i).begin(), points.row(i).end());
  return {std::move(kept), points.d};
}

Points gathered(PointsView points, std::span<const std::uint32_t> rows) {
  std::vector<double> values;
  for (const std::uint32_t row : rows)
    values.insert(values.end(), points.row(row).begin(), points.row(row).end());
  return {std::move(values), points.d};
}

double cost(PointsView x, PointsView y) {
  return transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
}

/// Scaled samples, as fit_exact() wants them.
struct Scaled {
  explicit Scaled(const ToySample& sample)
      : by(robust_scale(sample.x, sample.y)), x(scaled(sample.x, by)), y(scaled(sample.y, by)) {}
  RobustScale by;
  Points x, y;
};

BlockPlan plan_for(const StudyOptions& o, const GridCell& cell, Estimator estimator) {
  if (cell.k > 0)
    return {
        .scheme = Scheme::shuffle, .k_x = cell.k, .k_y = cell.k, .b_x = o.n / cell.k, .b_y = o.n / cell.k};
  // The default K for the true shares, which the methods beside it are told too.
  const double tau_y = cell.data == Toy::both ? cell.tau : 0;
  const BlockChoice c = choose_blocks(estimator, o.n, o.n, cell.tau, tau_y);
  return {.scheme = Scheme::shuffle, .k_x = c.k_x, .k_y = c.k_y, .b_x = c.b_x, .b_y = c.b_y};
}

ExactFit fit(const StudyOptions& o, const GridCell& cell, Estimator estimator, const Scaled& data,
             const Progress& progress) {
  Team alone(1);
  return fit_exact({.x = data.x,
                    .y = data.y,
                    .estimator = estimator,
                    .plan = plan_for(o, cell, estimator),
                    .seed = o.seed + cell.repetition,
                    .read_out = 200},
                   alone, progress);
}

/// The median of exact W1 between the blocks of one partition: what one would try first.
double block_median(const StudyOptions& o, const GridCell& cell, const ToySample& sample) {
  const std::uint64_t seed = o.seed + cell.repetition;
  Rng rng_x(seed, Purpose::fixed_partition_x), rng_y(seed, Purpose::fixed_partition_y);
  const Blocks blocks_x = partition_blocks(o.n, cell.k, rng_x);
  const Blocks blocks_y = partition_blocks(o.n, cell.k, rng_y);
  std::vector<double> costs;
  for (std::size_t k = 0; k < cell.k; ++k)
    costs.push_back(cost(gathered(sample.x, blocks_x[k]), gathered(sample.y, blocks_y[k])));
  std::ranges::sort(costs);
  return (costs[(cell.k - 1) / 2] + costs[cell.k / 2]) / 2;
}

std::vector<double> beside(const StudyOptions& o, const GridCell& cell, const ToySample& sample,
                           const Progress& progress) {
  const Scaled data(sample);
  const ExactFit found = fit(o, cell, Estimator::mom, data, progress);
  if (found.stopped) return {};
  const double tau_y = cell.data == Toy::both ? cell.tau : 0;
  const BlockPlan plan = plan_for(o, cell, Estimator::mom);
  const Trim trim = trimmed_w1(data.x, data.y, found.phi_x, found.phi_y, {.distance_cut = 10, .threads = 1});
  const ErrorBar bar = contamination_error_bar(found.phi_x, found.phi_y, trim.x, trim.y,
                                               {.k_x = plan.k_x,
                                                .k_y = plan.k_y,
                                                .tau_x = cell.tau,
                                                .tau_y = tau_y,
                                                .partitions = 40,
                                                .seed = o.seed + cell.repetition,
                                                .threads = 1});
  const double scale = data.by.scale;
  const double target = cost(without(sample.x, sample.outliers_x), without(sample.y, sample.outliers_y));
  // NaN where the corrected value is withheld.
  return {target,
          cost(sample.x, sample.y),
          scale * partial_bound(data.x, data.y, cell.tau, tau_y),
          scale * found.value,
          scale * bar.corrected.value_or(std::numeric_limits<double>::quiet_NaN()),
          scale * trim.value};
}

}  // namespace

std::vector<double> run_breakdown_cell(const StudyOptions& o, const GridCell& cell,
                                       const Progress& progress) {
  const ToySample sample = cell_sample(o, cell);
  if (cell.method == "beside") return beside(o, cell, sample, progress);
  if (cell.method == "block-median") return {block_median(o, cell, sample)};
  const Scaled data(sample);
  const ExactFit found = fit(o, cell, estimator_of(cell.method), data, progress);
  if (found.stopped) return {};
  return {data.by.scale * found.value};
}

}  // namespace motmot
