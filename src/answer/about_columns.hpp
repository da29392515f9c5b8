/// What the tables' columns give cause to warn of, whatever the estimator.
#pragma once

#include "answer/warnings.hpp"

namespace motmot {

/// Of samples in the units that they are compared in, and the answer. All: the same on every rank.
[[nodiscard]] Warnings about_columns(const SamplePart& x, const SamplePart& y, const Coding& coding,
                                     const Distance& w, const DistanceOptions& options);

/// Nearly all values of coordinate k: without a twentieth at either end.
[[nodiscard]] Interval body_of(PointsView points, std::size_t k);

/// Rows of which one can say "all": ten of each lie apart by chance once in 90 000 times.
inline constexpr std::size_t enough_to_say_all = 10;

}  // namespace motmot
