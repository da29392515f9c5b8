#include <atomic>

#include "base/threads.hpp"
#include "study/cells.hpp"

namespace motmot {
CellCount run_cells(const std::vector<std::string>& keys, CellStore& store, std::size_t threads,
                    const Progress& progress,
                    const std::function<std::vector<double>(std::size_t, const Progress&)>& run) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (store.find(keys[i]) == nullptr) missing.push_back(i);
  std::atomic<std::size_t> finished{keys.size() - missing.size()};
  std::atomic<bool> stop{false};
  const auto ask = [&](std::size_t worker) {
    if (worker == 0 && progress &&
        !progress(static_cast<double>(finished.load()) / static_cast<double>(keys.size())))
      stop.store(true);
    return !stop.load();
  };
  Team team(threads, missing.size());
  team.run(missing.size(), [&](std::size_t i, std::size_t worker) {
    if (!ask(worker)) return;
    std::vector<double> values = run(missing[i], [&](double) { return ask(worker); });
    if (values.empty()) return;
    store.add(keys[missing[i]], std::move(values));
    finished.fetch_add(1);
  });
  if (progress && finished.load() == keys.size()) progress(1);
  return {keys.size(), finished.load(), keys.size() - missing.size()};
}

StudyResult run_study(const StudyOptions& options) {
  validate(options);
  CellStore store(options.folder, std::string(name(options.study)), settings_line(options));
  const std::vector<GridCell> cells = all_cells(options);
  std::vector<std::string> keys;
  for (const GridCell& cell : cells) keys.push_back(cell.key());
  const CellCount count = run_cells(
      keys, store, options.threads, options.progress,
      [&](std::size_t i, const Progress& progress) { return run_cell(options, cells[i], progress); });
  StudyResult result{
      .options = options, .cells = count.cells, .cells_done = count.done, .cells_reused = count.reused};
  result.options.progress = {};
  if (!result.complete()) return result;
  result.measurements = measure(options, store);
  result.summary = summarise(options.study, result.measurements);
  return result;
}

}  // namespace motmot
