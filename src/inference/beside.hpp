/// The exact problems whose answers stand beside a robust value, on scaled points: plain W1, the lower bound
/// by partial transport, W1 without the rows that look like outliers.
#pragma once

#include <optional>

#include "base/progress.hpp"
#include "blocks/partition_passes.hpp"
#include "critics/exact_fit.hpp"
#include "inference/trim.hpp"
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

/// What can be solved before a critic is known.
struct Ahead {
  std::optional<double> plain{}, partial{};
  /// The potentials of partial transport: it leaves out what medians of means leave out, so they are close
  /// to the critic that is looked for. None where partial transport would take too long, or where points lie
  /// too far out for its potentials to be precise.
  std::optional<ExactStart> start{};
};
Ahead solve_ahead(const Points& x, const Points& y, const PerSample<double>& tau, Team& team, Watch& watch);

/// All of them. Unset: the run was stopped before.
struct ExactNeighbours {
  std::optional<double> plain{}, partial{}, trim{};
  PerSample<TrimmedRows> trimmed{};  ///< the rows that trim leaves out
};
/// phi: the critic's values on the rows, in any unit; `phi_unit` times smaller in the unit of the points.
ExactNeighbours solve_beside(const Points& x, const Points& y, const PerSample<double>& tau, const Phi& phi,
                             double phi_unit, const Ahead& ahead, Team& team, Watch& watch);

}  // namespace motmot
