/// A study as a list of cells, the file that keeps finished ones, and the way from cells to what figures
/// draw.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "motmot/study.hpp"

namespace motmot {

/// One piece of work, done by one thread.
struct GridCell {
  Toy data{};
  double tau = 0;
  std::string method{};
  std::size_t k = 0;
  std::size_t repetition = 0;

  /// "d1 0.1 mou-diag 70 3"
  [[nodiscard]] std::string key() const;
};

/// Throws where the options break a rule.
void validate(const StudyOptions& options);

/// The cell that has a measurement: K = 1 is plain for every estimator, and without outliers data sets with
/// the same inliers are one.
[[nodiscard]] GridCell cell_for(const StudyOptions& options, Toy data, double tau, std::string_view method,
                                std::size_t k, std::size_t repetition);

/// What a cell computes, on one thread (study/cells.cpp). Empty when progress stopped it.
[[nodiscard]] std::vector<double> run_cell(const StudyOptions& options, const GridCell& cell,
                                           const Progress& progress);

/// Bytes that run_cell() takes at most.
[[nodiscard]] double cell_bytes(const StudyOptions& options, const GridCell& cell);

/// Every cell once, the first repetition first, so that a run that was stopped has whole repetitions.
[[nodiscard]] std::vector<GridCell> all_cells(const StudyOptions& options);

/// What breakdown measures without a K of its own, in the order of the values of the cell "beside".
inline constexpr std::string_view beside_methods[] = {"plain", "partial", "mom", "company"};

/// What a cell depends on besides its key, as one line.
[[nodiscard]] std::string settings_line(const StudyOptions& options);

/// Epochs that convergence keeps for K blocks: 1, 2, 3, ... with growing steps, the last one included.
[[nodiscard]] std::vector<std::size_t> kept_epochs(const StudyOptions& options, std::size_t k);

// ------------------------------------------------------------------------------------------- store

/// Finished cells in a file, one line each, appended as they finish: what a run that was killed leaves
/// behind. The first line says which settings the file is for; every other is {"cell": "...", "values":
/// [...]}, a number in the fewest digits that read back to the same double. A last line that was cut short is
/// dropped; any other damage is an error. One process at a time.
class CellStore {
 public:
  /// Cells of the settings in FOLDER/STUDY-cells-DIGEST.jsonl. Without a folder nothing is read or kept
  /// beyond the life of the object.
  CellStore(const std::string& folder, const std::string& study, const std::string& settings);
  ~CellStore();
  CellStore(const CellStore&) = delete;
  CellStore& operator=(const CellStore&) = delete;

  /// Null when the cell is not there yet. Not while other threads add.
  [[nodiscard]] const std::vector<double>* find(const std::string& key) const;
  /// Safe from several threads; on the disk when it returns.
  void add(const std::string& key, std::vector<double> values);

 private:
  CellStore() = default;
  void open(const std::string& path);
  void read(const std::string& path, const std::string& settings);
  void append(const std::string& line);

  std::string path_{};
  int fd_ = -1;
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<double>> cells_;
};

/// DIR/error-cells-0123456789abcdef.jsonl: the digits are a digest of the settings.
[[nodiscard]] std::string cell_file(const std::string& folder, const std::string& study,
                                    const std::string& settings);
[[nodiscard]] std::string cell_file(const StudyOptions& options);

/// How many cells there are, were finished, and were found finished.
struct CellCount {
  std::size_t cells = 0, done = 0, reused = 0;
  [[nodiscard]] bool complete() const noexcept { return done == cells; }
};

/// Runs the cells that the store does not hold yet, each on one thread: run(i, progress) is the values of the
/// cell with key i, or none when progress stopped it. The caller's progress is asked from the calling thread
/// alone, and its "stop" reaches all. All: several ranks share the cells, and those of all go into the store
/// of rank 0, which alone knows how many are done.
[[nodiscard]] CellCount run_cells(const std::vector<std::string>& keys, CellStore& store, std::size_t threads,
                                  const Progress& progress,
                                  const std::function<std::vector<double>(std::size_t, const Progress&)>& run,
                                  Communicator& ranks = alone());

/// Bytes of a study: its largest cell, which is work for one thread, on each of them, and what is kept of
/// every number that its cells give.
[[nodiscard]] double grid_bytes(double largest_cell, double cells, double numbers, std::size_t threads);

/// Refuses a study that is forecast to take more than it may.
void require_grid_memory(double forecast, std::uint64_t memory_limit);

/// All: the store of a study whose options hold on every rank; on all but rank 0 one without a folder.
[[nodiscard]] std::unique_ptr<CellStore> agreed_store(Communicator& ranks,
                                                      const std::function<void()>& validate,
                                                      const std::string& folder, const std::string& study,
                                                      const std::string& settings);

// ------------------------------------------------------------------------------------------ results

/// Every number of a grid whose cells are all in the store, in the order of the grid, repetitions innermost.
[[nodiscard]] std::vector<Measurement> measure(const StudyOptions& options, const CellStore& store);

/// What the study's figures show of a measurement: |value - reference| (error), the value (convergence),
/// 100 (value / reference - 1) (breakdown).
[[nodiscard]] double shown(Study study, const Measurement& measurement);

/// shown() over repetitions; needs them next to each other. Quartiles are linear between order statistics.
[[nodiscard]] std::vector<StudySummary> summarise(Study study, const std::vector<Measurement>& measurements);

}  // namespace motmot
