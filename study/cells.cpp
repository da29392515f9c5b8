// What the cells of a study compute.
#include "study/cells.hpp"

#include "base/memory.hpp"
#include "base/statistics.hpp"
#include "blocks/sampler.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

constexpr std::size_t columns = 2;

/// `motmot generate --seed` with the study's seed plus the repetition.
ToySample cell_sample(const StudyOptions& o, const GridCell& cell) {
  return generate({.toy = cell.data,
                   .n = o.n,
                   .m = o.n,
                   .d = columns,
                   .tau_x = cell.tau,
                   .seed = o.seed + cell.repetition,
                   .memory_limit = o.memory_limit});
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

DistanceOptions clipped_options(const StudyOptions& o, const GridCell& cell) {
  DistanceOptions options{.estimator = estimator_of(cell.method), .critic = CriticKind::clipped};
  options.blocks.x = options.blocks.y = cell.k;
  options.tau.x = options.tau.y = 0;  // K is given: nothing depends on it
  options.ascent.hidden = o.hidden;
  options.ascent.trace = o.study == Study::convergence;
  options.ascent.steps = options.ascent.trace ? kept_epochs(o, cell.k).back() * cell.k : o.steps;
  options.seed = o.seed + cell.repetition;
  options.threads = 1;
  options.memory_limit = o.memory_limit;
  return options;
}

/// Figures 2, 3, 5 and 6: the paper's network on the raw data. error: {value}; convergence: the value of
/// every kept epoch, the mean over its K steps.
std::vector<double> run_clipped_cell(const StudyOptions& o, const GridCell& cell, const Progress& progress) {
  const ToySample sample = cell_sample(o, cell);
  DistanceOptions options = clipped_options(o, cell);
  options.progress = progress;
  const Distance result = distance(sample.x, sample.y, options);
  if (result.run.stopped) return {};
  return options.ascent.trace ? epoch_means(result.run.trace, cell.k, kept_epochs(o, cell.k))
                              : std::vector<double>{result.value};
}

Points gathered(PointsView points, std::span<const std::uint32_t> rows) {
  std::vector<double> values;
  for (const std::uint32_t row : rows)
    values.insert(values.end(), points.row(row).begin(), points.row(row).end());
  return {std::move(values), points.d};
}

double cost(const StudyOptions& o, PointsView x, PointsView y) {
  return transport(x, y, {}, {},
                   {.memory_limit = o.memory_limit, .want_plan = false, .want_potentials = false})
      .cost;
}

double true_tau_y(const GridCell& cell) { return cell.data == Toy::both ? cell.tau : 0; }

DistanceOptions exact_options(const StudyOptions& o, const GridCell& cell, Estimator estimator) {
  return {.estimator = estimator,
          .critic = CriticKind::exact,
          .tau = {cell.tau, true_tau_y(cell)},
          .permutations = 0,
          .paper = estimator == Estimator::company,
          .blocks = {cell.k, cell.k},
          .seed = o.seed + cell.repetition,
          .threads = 1,
          .memory_limit = o.memory_limit};
}

/// The front door, told the true shares of outliers, and K where the grid has one.
Distance answer(const StudyOptions& o, const GridCell& cell, Estimator estimator, const ToySample& sample,
                const Progress& progress) {
  DistanceOptions options = exact_options(o, cell, estimator);
  options.progress = progress;
  return distance(sample.x, sample.y, options);
}

/// The median of exact W1 between the blocks of one partition: what one would try first.
double block_median(const StudyOptions& o, const GridCell& cell, const ToySample& sample) {
  const std::uint64_t seed = o.seed + cell.repetition;
  Rng rng_x(seed, Purpose::fixed_partition_x), rng_y(seed, Purpose::fixed_partition_y);
  const Blocks blocks_x = partition_blocks(o.n, cell.k, rng_x);
  const Blocks blocks_y = partition_blocks(o.n, cell.k, rng_y);
  std::vector<double> costs;
  for (std::size_t k = 0; k < cell.k; ++k)
    costs.push_back(cost(o, gathered(sample.x, blocks_x[k]), gathered(sample.y, blocks_y[k])));
  return median_of(std::move(costs));
}

std::vector<double> beside(const StudyOptions& o, const GridCell& cell, const ToySample& sample,
                           const Progress& progress) {
  const Distance w = answer(o, cell, Estimator::company, sample, progress);
  if (w.run.stopped) return {};
  return {cost(o, without(sample.x, sample.outliers_x), without(sample.y, sample.outliers_y)), *w.plain,
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

double cell_bytes(const StudyOptions& o, const GridCell& cell) {
  if (cell.method == "block-median") return transport_bytes(o.n / cell.k, o.n / cell.k, columns);
  if (o.study == Study::breakdown) {
    const Estimator estimator = cell.method == "beside" ? Estimator::company : estimator_of(cell.method);
    return distance_bytes(o.n, o.n, columns, exact_options(o, cell, estimator));
  }
  const DistanceOptions options = clipped_options(o, cell);
  const double trace = options.ascent.trace ? 2 * sample_bytes(options.ascent.steps, 1) : 0;  // it grows
  return distance_bytes(o.n, o.n, columns, options) + trace;
}

}  // namespace motmot
