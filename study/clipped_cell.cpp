// Figures 2 to 5: the paper's network on the raw data.
#include <span>

#include "base/statistics.hpp"
#include "motmot/answer.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

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

}  // namespace

ToySample cell_sample(const StudyOptions& o, const GridCell& cell) {
  return generate(
      {.toy = cell.data, .n = o.n, .m = o.n, .d = 2, .tau_x = cell.tau, .seed = o.seed + cell.repetition});
}

Estimator estimator_of(std::string_view method) {
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag})
    if (name(estimator) == method) return estimator;
  return Estimator::plain;
}

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

}  // namespace motmot
