// Where methods break, in the data's units: the exact critic, and what stands beside it.
#include <algorithm>
#include <limits>

#include "blocks/sampler.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

Points gathered(PointsView points, std::span<const std::uint32_t> rows) {
  std::vector<double> values;
  for (const std::uint32_t row : rows)
    values.insert(values.end(), points.row(row).begin(), points.row(row).end());
  return {std::move(values), points.d};
}

double cost(PointsView x, PointsView y) {
  return transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
}

double true_tau_y(const GridCell& cell) { return cell.data == Toy::both ? cell.tau : 0; }

/// The front door, told the true shares of outliers, and K where the grid has one.
Distance answer(const StudyOptions& o, const GridCell& cell, Estimator estimator, const ToySample& sample,
                const Progress& progress) {
  return distance(sample.x, sample.y,
                  {.estimator = estimator,
                   .critic = CriticKind::exact,
                   .tau = {cell.tau, true_tau_y(cell)},
                   .blocks = {cell.k, cell.k},
                   .seed = o.seed + cell.repetition,
                   .threads = 1,
                   .progress = progress});
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
  const Distance w = answer(o, cell, Estimator::mom, sample, progress);
  if (w.run.stopped) return {};
  // NaN where the corrected value is withheld.
  return {cost(without(sample.x, sample.outliers_x), without(sample.y, sample.outliers_y)),
          *w.beside.plain,
          *w.bounds.partial,
          w.value,
          w.beside.corrected.value_or(std::numeric_limits<double>::quiet_NaN()),
          *w.beside.trim};
}

}  // namespace

std::vector<double> run_breakdown_cell(const StudyOptions& o, const GridCell& cell,
                                       const Progress& progress) {
  const ToySample sample = cell_sample(o, cell);
  if (cell.method == "beside") return beside(o, cell, sample, progress);
  if (cell.method == "block-median") return {block_median(o, cell, sample)};
  const Distance w = answer(o, cell, estimator_of(cell.method), sample, progress);
  if (w.run.stopped) return {};
  return {w.value};
}

}  // namespace motmot
