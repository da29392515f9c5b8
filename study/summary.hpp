/// From cells to measurements, from measurements to what figures draw.
#pragma once

#include "study/store.hpp"

namespace motmot {

/// Every number of a grid whose cells are all in the store, in the order of the grid, repetitions innermost.
[[nodiscard]] std::vector<Measurement> measure(const StudyOptions& options, const CellStore& store);

/// Over repetitions; needs them next to each other. Quartiles are linear between order statistics.
[[nodiscard]] std::vector<StudySummary> summarise(Study study, const std::vector<Measurement>& measurements);

}  // namespace motmot
