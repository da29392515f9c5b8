/// A study as a list of cells.
#pragma once

#include <string>
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

/// Every cell once, the first repetition first, so that a run that was stopped has whole repetitions.
[[nodiscard]] std::vector<GridCell> all_cells(const StudyOptions& options);

/// What breakdown measures without a K of its own, in the order of the values of the cell "beside".
inline constexpr std::string_view beside_methods[] = {"plain", "partial", "mom", "corrected", "trim"};

/// What a cell depends on besides its key, as one line, and the digest of it.
[[nodiscard]] std::string settings_line(const StudyOptions& options);
[[nodiscard]] std::string settings_digest(const StudyOptions& options);

/// Epochs that convergence keeps for K blocks: 1, 2, 3, ... with growing steps, the last one included.
[[nodiscard]] std::vector<std::size_t> kept_epochs(const StudyOptions& options, std::size_t k);

}  // namespace motmot
