/// From cells to measurements, from measurements to what figures draw.
#pragma once

#include "study/store.hpp"

namespace motmot {

/// Every number of a grid whose cells are all in the store, in the order of the grid, repetitions innermost.
[[nodiscard]] std::vector<Measurement> measure(const StudyOptions& options, const CellStore& store);

/// What the study's figures show of a measurement: |value - reference| (error), the value (convergence),
/// 100 (value / reference - 1) (breakdown).
[[nodiscard]] double shown(Study study, const Measurement& measurement);

/// shown() over repetitions; needs them next to each other. Quartiles are linear between order statistics.
[[nodiscard]] std::vector<StudySummary> summarise(Study study, const std::vector<Measurement>& measurements);

}  // namespace motmot
