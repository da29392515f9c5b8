/// One dimension: the plan of the sorted samples is optimal, and the potential has slope +-1 by which
/// of the two distribution functions is ahead.
#pragma once

#include "motmot/transport.hpp"
#include "transport/masses.hpp"

namespace motmot::solver {

Transport solve_one_dimension(PointsView x, PointsView y, const Masses& masses,
                              const TransportOptions& options);

}  // namespace motmot::solver
