#include <atomic>

#include "base/threads.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

/// Runs the cells, each on one thread; how many were finished. The caller's progress is asked from the
/// calling thread alone, and its "stop" reaches all.
std::size_t run_missing(const StudyOptions& o, const std::vector<const GridCell*>& missing, std::size_t done,
                        CellStore& store) {
  const std::size_t all = done + missing.size();
  std::atomic<std::size_t> finished{done};
  std::atomic<bool> stop{false};
  const auto ask = [&](std::size_t worker) {
    if (worker == 0 && o.progress &&
        !o.progress(static_cast<double>(finished.load()) / static_cast<double>(all)))
      stop.store(true);
    return !stop.load();
  };
  Team team(o.threads, missing.size());
  team.run(missing.size(), [&](std::size_t i, std::size_t worker) {
    if (!ask(worker)) return;
    std::vector<double> values = run_cell(o, *missing[i], [&](double) { return ask(worker); });
    if (values.empty()) return;
    store.add(missing[i]->key(), std::move(values));
    finished.fetch_add(1);
  });
  if (o.progress && finished.load() == all) o.progress(1);
  return finished.load();
}

}  // namespace

StudyResult run_study(const StudyOptions& options) {
  validate(options);
  CellStore store(options);
  const std::vector<GridCell> cells = all_cells(options);
  std::vector<const GridCell*> missing;
  for (const GridCell& cell : cells)
    if (store.find(cell.key()) == nullptr) missing.push_back(&cell);
  StudyResult result{
      .options = options, .cells = cells.size(), .cells_reused = cells.size() - missing.size()};
  result.options.progress = {};
  result.cells_done = run_missing(options, missing, result.cells_reused, store);
  if (!result.complete()) return result;
  result.measurements = measure(options, store);
  result.summary = summarise(options.study, result.measurements);
  return result;
}

}  // namespace motmot
