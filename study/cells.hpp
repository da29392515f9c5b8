/// What the cells compute.
#pragma once

#include "study/grid.hpp"

namespace motmot {

/// error: {value}. convergence: the value of every kept epoch, the mean over its K steps. Empty when
/// stopped.
std::vector<double> run_clipped_cell(const StudyOptions& options, const GridCell& cell,
                                     const Progress& progress);

/// breakdown. "beside": {W1 of the inliers, then beside_methods}; otherwise {value}. Empty when stopped.
std::vector<double> run_breakdown_cell(const StudyOptions& options, const GridCell& cell,
                                       const Progress& progress);

/// The data of a cell: `motmot generate --seed` with the study's seed plus the repetition.
ToySample cell_sample(const StudyOptions& options, const GridCell& cell);

/// The estimator whose name a method is; plain where it is none.
Estimator estimator_of(std::string_view method);

}  // namespace motmot
