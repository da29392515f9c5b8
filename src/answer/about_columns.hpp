/// What the tables' columns give cause to warn of, whatever the estimator.
#pragma once

#include "answer/warnings.hpp"

namespace motmot {

/// Of samples in the units that they are compared in, and the answer. All: the same on every rank.
[[nodiscard]] Warnings about_columns(const SamplePart& x, const SamplePart& y, const Coding& coding,
                                     const Distance& w, const DistanceOptions& options);

}  // namespace motmot
