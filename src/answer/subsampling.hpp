/// What taking some of the rows does to their distance.
#pragma once

#include "answer/sides.hpp"
#include "motmot/answer.hpp"

namespace motmot {

struct SubsamplingTask {
  PointsView x, y;                  ///< all kept rows that there are, scaled
  PerSample<std::size_t> used{};    ///< of these, those whose distance is the answer
  PerSample<std::uint64_t> read{};  ///< rows that they stand for
  double value = 0;                 ///< W1 of the rows used
  double unit = 1;                  ///< of the scaled points
  std::uint64_t seed = 0;
};

/// W1 at a half, a quarter, an eighth and a sixteenth of the rows used, several draws of rows that do not
/// overlap each, and of the same rows mixed; then the fit. Nothing where there are too few rows to look at
/// (64 at the smallest size) or when stopped.
[[nodiscard]] std::optional<Subsampling> look_at_sizes(const SubsamplingTask& task, Team& team, Watch& watch,
                                                       double done);

/// The fit alone: slope, power, all_rows, all_rows_sd, spread of sizes that are known, for `rows` (the
/// harmonic mean of both samples). Lengths in any unit.
[[nodiscard]] Subsampling fit_sizes(std::vector<SizePoint> sizes, double rows);

/// How many rows of each the two samples are like: the harmonic mean.
[[nodiscard]] double common_rows(double x, double y);

}  // namespace motmot
