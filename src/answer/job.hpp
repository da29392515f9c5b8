#pragma once

#include "answer/side_problems.hpp"
#include "base/threads.hpp"
#include "blocks/sampler.hpp"
#include "motmot/answer.hpp"

namespace motmot {

/// One call of distance(), after validation.
struct Job {
  PointsView x, y;
  const DistanceOptions& options;
  BlockPlan plan;
  Team& team;
  const Progress& progress;
};

/// n m up to which exact transport problems are solved without being asked for: some ten seconds each at the
/// end.
inline constexpr double affordable_pairs = 2e8;

inline bool affordable(PointsView x, PointsView y) {
  return static_cast<double>(x.rows()) * static_cast<double>(y.rows()) <= affordable_pairs;
}

/// Each fills what its critic knows of the estimate; critic values on the rows go to rows_x and rows_y.
void run_clipped(const Job& job, Distance& result);
/// Returns the problems beside the value that it solved on the way.
SideAnswers run_exact(const Job& job, Distance& result);
void run_lipschitz(const Job& job, Distance& result);
/// The lipschitz critic beside another.
PopulationEstimate estimate_population(const Job& job);

/// plain, trim, partial, error bar, certificate and warnings, from the critic's values on the rows and what
/// is solved already.
void diagnose(const Job& job, SideAnswers solved, Distance& result);

}  // namespace motmot
