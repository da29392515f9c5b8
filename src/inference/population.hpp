/// The distance between the laws that the samples were drawn from, which W1 of the samples overstates.
#pragma once

#include <cstddef>
#include <optional>

#include "inference/noise.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// A sampling interval.
struct LawInterval {
  double low = 0, high = 0;
};

struct LawDistance {
  double value = 0;
  /// Covers in 90 of 100 cases or more, see below. None where a sample has one row: that has no spread.
  std::optional<LawInterval> interval{};
};

/// What is known of the laws' W1 from the exact W1 of n and m rows with d columns (`solved`, with its
/// potentials) and from what chance alone gives at these sizes. Free of solves.
///
/// Chance moves points across the way that the mass goes, so that lengths add up in squares: the value is
/// sqrt(W^2 - F^2), where F is the level of the noise, less up to 30 % of it as W grows beyond F (part of the
/// noise then lies along the way and averages out; in one column all of it).
///
/// W varies about its own mean by s^2 = var phi(X) / n + var phi(Y) / m, phi the potential (the central limit
/// theorem for transport; within 15 % of what was measured in 50 of 54 cells). How much of F is to be taken
/// off depends on the kind of change: the low end takes off up to 40 % more than all of it, the high end up
/// to 67 % less in two columns, 95 % in ten. Measured coverage is in docs/results-noise.md, with where it
/// fails. Rows that are wrong are not covered at all, and where the samples do not differ the low end is 0.
[[nodiscard]] LawDistance population_distance(const Transport& solved, const Noise& noise, std::size_t d);

}  // namespace motmot
