/// What stands beside a value: other values, bounds, an error bar, and words where they disagree.
#pragma once

#include "answer/plan.hpp"
#include "inference/beside.hpp"

namespace motmot {

/// The rows that look like outliers are named in `trimmed`. Everything in the data's units.
struct Diagnosis {
  std::optional<double> error_bar{};
  Beside beside{};
  Bounds bounds{};
  PerSample<TrimmedRows> trimmed{};
  std::vector<std::string> warnings{};
};

/// `samples` may be null: then no exact problem is solved beside the value.
Diagnosis diagnose(PointsView x, PointsView y, const ScaledSamples* samples, const EstimateTask& task,
                   const PerSample<double>& tau, const Estimate& found, const Ahead& ahead, bool certify,
                   const SampleNames& names, Team& team, Watch& watch);

}  // namespace motmot
