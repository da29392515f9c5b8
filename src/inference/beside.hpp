/// The exact problems whose answers stand beside the estimators with blocks, on scaled points: plain W1 and
/// the lower bound by partial transport.
#pragma once

#include <optional>

#include "base/progress.hpp"
#include "blocks/partition_passes.hpp"
#include "critics/exact_fit.hpp"
#include "motmot/inference.hpp"

namespace motmot {

/// The lower bound of the inliers' W1 that a solution of partial transport certifies.
double proved_by(const Transport& partial);

/// partial_bound() from a critic alone, without a transport problem: a mean of phi over X that leaves out the
/// share tau_x of the largest values, less one over Y that leaves out the share tau_y of the smallest. Valid
/// for every phi with phi(x_i) - phi(y_j) <= |x_i - y_j| (weak duality), and no larger than partial_bound().
/// O(n + m).
[[nodiscard]] double partial_bound_from(std::span<const double> phi_x, std::span<const double> phi_y,
                                        double tau_x, double tau_y);

/// n m up to which partial transport is solved; beyond, the critic's own bound will do, which is 1 % lower or
/// so and costs nothing (a partial problem of 10^4 x 10^4 points in the plane takes two to four seconds).
inline constexpr double partial_pairs = 1e8;

/// What can be solved before a critic is known.
struct Ahead {
  std::optional<double> plain{}, partial{};
  /// The potentials of partial transport: it leaves out what medians of means leave out, so they are close
  /// to the critic that is looked for. None where partial transport would take too long, or where points lie
  /// too far out for its potentials to be precise.
  std::optional<ExactStart> start{};
};
Ahead solve_ahead(const Points& x, const Points& y, const PerSample<double>& tau, Team& team, Watch& watch);

/// W1 with equal weights; nothing when stopped.
std::optional<double> w1(PointsView x, PointsView y, const Progress& progress = {});

}  // namespace motmot
