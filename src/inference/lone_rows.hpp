/// Rows without company in their own sample: the rule for one sample alone, and for two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "inference/passes.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// One sample at one tau.
struct LoneRows {
  std::size_t most = 0;               ///< rows that may be left out: floor(tau n)
  std::vector<std::uint32_t> rows{};  ///< those above a gap, ascending
  std::vector<double> scores{};       ///< of every row; empty where most = 0
  bool is_tied = false;               ///< more than a quarter of the rows have a twin: counts, categories
  double dimension = 1;  ///< in which rows spread: less than the number of columns along curves and surfaces
  /// Along a line or a curve, whatever the number of columns.
  [[nodiscard]] bool is_line() const { return dimension < 1.5; }
};

/// The score of a row is the distance to its k-th nearest row of the sample, k = ceil(tau n) + 1: the first
/// that a group of tau n rows does not have among itself. Rows above a gap of the scores are left out, and
/// then the same again with what is left, since outliers of several magnitudes hide one another. Where the
/// scores have no gap, each is held against those around it: modes of unequal spread hide a compact group.
/// `taus` ascend. Throws Stopped.
[[nodiscard]] std::vector<LoneRows> lone_rows(PointsView points, std::span<const double> taus, Team& team,
                                              Passes& passes);

/// The same of two samples that are compared, each of which tells how heavy the tail of the other may be: a
/// gap that the other's scores fill, in units of the body of each, is chance. As many taus for both.
[[nodiscard]] PerSample<std::vector<LoneRows>> lone_rows(const PerSample<PointsView>& samples,
                                                         const PerSample<std::span<const double>>& taus,
                                                         Team& team, Passes& passes);

/// Logarithms of scores. Small ones are lifted: between ties there are no gaps.
[[nodiscard]] std::vector<double> log_scores(std::span<const double> scores);

}  // namespace motmot
