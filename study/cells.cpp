// What the cells of a study compute.
#include "study/cells.hpp"

#include "base/statistics.hpp"
#include "blocks/sampler.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

/// `motmot generate --seed` with the study's seed plus the repetition.
ToySample cell_sample(const StudyOptions& o, const GridCell& cell) {
  return generate(
      {.toy = cell.data, .n = o.n, .m = o.n, .d = 2, .tau_x = cell.tau, .seed = o.seed + cell.repetition});
}

/// The estimator of that name; plain for a method that is not an estimator.
Estimator estimator_of(std::string_view method) {
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag})
    if (name(estimator) == method) return estimator;
  return Estimator::plain;
}

std::vector<double> epoch_means(std::span<const double> trace, std::size_t k,
                                const std::vector<std::size_t>& epochs) {
  std::vector<double> means;
  for (const std::size_t epoch : epochs) {
    const std::size_t first = std::min((epoch - 1) * k, trace.size() - 1);
    const std::span<const double> steps = trace.subspan(first, std::min(k, trace.size() - first));
    means.push_back(mean_of(steps));
  }
  return means;
}

/// Figures 2, 3, 5 and 6: the paper's network on the raw data. error: {value}; convergence: the value of
/// every kept epoch, the mean over its K steps.
std::vector<double> run_clipped_cell(const StudyOptions& o, const GridCell& cell, const Progress& progress) {
  const ToySample sample = cell_sample(o, cell);
  const bool trace = o.study == Study::convergence;
  const std::vector<std::size_t> epochs = kept_epochs(o, cell.k);
  DistanceOptions options{.estimator = estimator_of(cell.method), .critic = CriticKind::clipped};
  options.blocks.x = options.blocks.y = cell.k;
  options.tau.x = options.tau.y = 0;  // K is given: nothing depends on it
  options.ascent.hidden = o.hidden;
  options.ascent.steps = trace ? epochs.back() * cell.k : o.steps;
  options.ascent.trace = trace;
  options.seed = o.seed + cell.repetition;
  options.threads = 1;
  options.progress = progress;
  const Distance result = distance(sample.x, sample.y, options);
  if (result.run.stopped) return {};
  return trace ? epoch_means(result.run.trace, cell.k, epochs) : std::vector<double>{result.value};
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

double true_tau_y(const GridCell& cell) { return cell.data == Toy::both ? cell.tau : 0; }

/// The front door, told the true shares of outliers, and K where the grid has one.
Distance answer(const StudyOptions& o, const GridCell& cell, Estimator estimator, const ToySample& sample,
                const Progress& progress) {
  return distance(sample.x, sample.y,
                  {.estimator = estimator,
                   .critic = CriticKind::exact,
                   .tau = {cell.tau, true_tau_y(cell)},
                   .permutations = 0,
                   .paper = estimator == Estimator::company,
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
  return median_of(std::move(costs));
}

std::vector<double> beside(const StudyOptions& o, const GridCell& cell, const ToySample& sample,
                           const Progress& progress) {
  const Distance w = answer(o, cell, Estimator::company, sample, progress);
  if (w.run.stopped) return {};
  return {cost(without(sample.x, sample.outliers_x), without(sample.y, sample.outliers_y)), *w.plain,
          *w.partial, w.neighbours.paper->value, w.value};
}

/// Where methods break, in the data's units: the exact critic, and what stands beside it. "beside": {W1 of
/// the inliers, then beside_methods}; otherwise {value}.
std::vector<double> run_breakdown_cell(const StudyOptions& o, const GridCell& cell,
                                       const Progress& progress) {
  const ToySample sample = cell_sample(o, cell);
  if (cell.method == "beside") return beside(o, cell, sample, progress);
  if (cell.method == "block-median") return {block_median(o, cell, sample)};
  const Distance w = answer(o, cell, estimator_of(cell.method), sample, progress);
  if (w.run.stopped) return {};
  return {w.value};
}

}  // namespace

std::vector<double> run_cell(const StudyOptions& o, const GridCell& cell, const Progress& progress) {
  return o.study == Study::breakdown ? run_breakdown_cell(o, cell, progress)
                                     : run_clipped_cell(o, cell, progress);
}

}  // namespace motmot
