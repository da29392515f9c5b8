/// Partial transport and what it proves of the inliers.
#pragma once

#include "motmot/transport.hpp"

namespace motmot {

/// partial_w1() with shares that rounding cannot make too small.
Transport partial_transport(PointsView x, PointsView y, double tau_x, double tau_y,
                            const TransportOptions& options);

/// The lower bound of the inliers' W1 that such a solution certifies.
double proved_by(const Transport& partial);

}  // namespace motmot
