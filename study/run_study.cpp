#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/memory.hpp"
#include "base/spread.hpp"
#include "base/threads.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

/// A finished cell on its way to the rank that keeps them: its key, an end of line, its values.
std::string note_of(const std::string& key, const std::vector<double>& values) {
  return key + "\n" +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

void keep(const std::string& note, CellStore& store) {
  const std::size_t cut = note.find('\n');
  std::vector<double> values((note.size() - cut - 1) / sizeof(double));
  std::memcpy(values.data(), note.data() + cut + 1, values.size() * sizeof(double));
  store.add(note.substr(0, cut), std::move(values));
}

/// Finished cells find their way into the store of rank 0. Threads hand them over; the calling thread of each
/// rank carries them on when it is asked to.
class Delivery {
 public:
  Delivery(Communicator& ranks, CellStore& store) : ranks_(ranks), store_(store) {}

  /// From any thread.
  void finished(const std::string& key, std::vector<double> values) {
    if (ranks_.rank() == 0) return store_.add(key, std::move(values));
    const std::lock_guard lock(mutex_);
    waiting_.push_back(note_of(key, values));
  }

  /// From the calling thread; how many came from other ranks.
  std::size_t carry() {
    if (ranks_.alone()) return 0;
    if (ranks_.rank() != 0) return post_waiting();
    std::size_t came = 0;
    while (const auto note = ranks_.next_note(false)) came += take(*note);
    return came;
  }

  /// All: when this rank has no more; returns when rank 0 has everything.
  std::size_t finish() {
    if (ranks_.alone()) return 0;
    if (ranks_.rank() != 0) {
      post_waiting();
      ranks_.post("", 0);
      return 0;
    }
    std::size_t came = 0;
    while (ended_ + 1 < ranks_.size()) came += take(*ranks_.next_note(true));
    return came;
  }

 private:
  std::size_t post_waiting() {
    const std::lock_guard lock(mutex_);
    for (const std::string& note : waiting_) ranks_.post(note, 0);
    waiting_.clear();
    return 0;
  }
  std::size_t take(const std::string& note) {
    if (note.empty()) {
      ++ended_;
      return 0;
    }
    keep(note, store_);
    return 1;
  }

  Communicator& ranks_;
  CellStore& store_;
  std::mutex mutex_;
  std::vector<std::string> waiting_;
  std::size_t ended_ = 0;  ///< ranks that have no more
};

/// All: which of the cells rank 0 does not have yet.
std::vector<std::size_t> missing_cells(const std::vector<std::string>& keys, const CellStore& store,
                                       Communicator& ranks) {
  std::string there;
  if (ranks.rank() == 0)
    for (const std::string& key : keys) there += store.find(key) == nullptr ? '0' : '1';
  there = ranks.gather(there).front();
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (there[i] == '0') missing.push_back(i);
  return missing;
}

}  // namespace

CellCount run_cells(const std::vector<std::string>& keys, CellStore& store, std::size_t threads,
                    const Progress& progress,
                    const std::function<std::vector<double>(std::size_t, const Progress&)>& run,
                    Communicator& ranks) {
  const std::vector<std::size_t> missing = missing_cells(keys, store, ranks);
  std::atomic<std::size_t> finished{keys.size() - missing.size()};
  std::atomic<bool> stop{false};
  Delivery delivery(ranks, store);
  const auto ask = [&](std::size_t worker) {
    if (worker != 0) return !stop.load();
    finished.fetch_add(delivery.carry());
    if (progress && !progress(static_cast<double>(finished.load()) / static_cast<double>(keys.size())))
      stop.store(true);
    return !stop.load();
  };
  const std::vector<std::size_t> mine = tasks_of_rank(missing.size(), ranks);
  Team team(threads, mine.size());
  team.run(
      mine.size(),
      [&](std::size_t k, std::size_t worker) {
        if (!ask(worker)) return;
        const std::size_t cell = missing[mine[k]];
        std::vector<double> values = run(cell, [&](double) { return ask(worker); });
        if (values.empty()) return;
        delivery.finished(keys[cell], std::move(values));
        finished.fetch_add(1);
      },
      [&] { ask(0); });
  finished.fetch_add(delivery.finish());
  if (progress && finished.load() == keys.size()) progress(1);
  return {keys.size(), finished.load(), keys.size() - missing.size()};
}

std::unique_ptr<CellStore> agreed_store(Communicator& ranks, const std::function<void()>& validate,
                                        const std::string& folder, const std::string& study,
                                        const std::string& settings) {
  std::unique_ptr<CellStore> store;
  ranks.agree([&] {
    validate();
    store = std::make_unique<CellStore>(ranks.rank() == 0 ? folder : "", study, settings);
  });
  return store;
}

double grid_bytes(double largest_cell, double cells, double numbers, std::size_t threads) {
  constexpr double to_spare = 1.25, of_a_cell = 600, of_a_number = 600,
                   after_others = 1.75;  // what a cell leaves is not always fit for the next one
  const double at_once = std::min(cells, static_cast<double>(thread_count(threads)));
  return to_spare * process_bytes + at_once * after_others * (largest_cell - to_spare * process_bytes) +
         of_a_cell * cells + of_a_number * numbers;
}

void require_grid_memory(double forecast, std::uint64_t memory_limit) {
  require_memory(forecast, memory_limit, "take fewer rows, repetitions or threads");
}

double study_bytes(const StudyOptions& options) {
  StudyOptions once = options;
  once.repetitions = 1;
  const std::vector<GridCell> cells = all_cells(once);
  double largest = 0, numbers = 0;
  for (const GridCell& cell : cells) {
    largest = std::max(largest, cell_bytes(options, cell));
    numbers +=
        options.study == Study::convergence ? static_cast<double>(kept_epochs(options, cell.k).size()) : 1;
  }
  const auto repetitions = static_cast<double>(options.repetitions);
  return grid_bytes(largest, repetitions * static_cast<double>(cells.size()), repetitions * numbers,
                    options.threads);
}

StudyResult run_study(const StudyOptions& options) {
  Communicator& ranks = *options.ranks;
  const auto store = agreed_store(
      ranks,
      [&] {
        validate(options);
        require_grid_memory(study_bytes(options), options.memory_limit);
      },
      options.folder, std::string(name(options.study)), settings_line(options));
  const std::vector<GridCell> cells = all_cells(options);
  std::vector<std::string> keys;
  keys.reserve(cells.size());
  for (const GridCell& cell : cells) keys.push_back(cell.key());
  const CellCount count = run_cells(
      keys, *store, options.threads, options.progress,
      [&](std::size_t i, const Progress& progress) { return run_cell(options, cells[i], progress); }, ranks);
  StudyResult result{
      .options = options, .cells = count.cells, .cells_done = count.done, .cells_reused = count.reused};
  result.options.progress = {};
  result.options.ranks = &alone();
  if (ranks.rank() != 0 || !result.complete()) return result;
  result.measurements = measure(options, *store);
  result.summary = summarise(options.study, result.measurements);
  return result;
}

}  // namespace motmot
