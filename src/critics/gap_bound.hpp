/// How far from optimal a critic is for given weights, bounded without solving a transport problem.
#pragma once

#include <span>

#include "blocks/partition_passes.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// At least W1(w) - <w, phi>, given a plan between other weights for which phi is (nearly) optimal. Any plan
/// of marginals w bounds the gap by the sum of mass * (|x_i - y_j| - phi(x_i) + phi(y_j)); this one reuses
/// the pairs of the old plan, where the bracket is zero, and matches what is left greedily. Worth its n m d
/// work when the weights have changed little: it then replaces an exact solve.
double gap_bound(PointsView x, PointsView y, std::span<const PlanEntry> plan, const RowWeights& w,
                 const Phi& phi);

}  // namespace motmot
