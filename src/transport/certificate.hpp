/// What is proved about a plan: row potentials as exact minima over all columns, and the distance
/// between primal and dual that they leave.
#pragma once

#include <span>
#include <vector>

#include "transport/flow_auction.hpp"

namespace motmot::solver {

/// u_i = min_j (c'_ij - v_j), exactly (in double), for every row; `plan` has at least one entry of each
/// row and only serves to look in the right place first.
void exact_row_minima(const Geometry& geometry, Scanner& scanner, std::span<const FlowEntry> plan,
                      std::span<const double> v, RaisedPrices& raised, std::vector<double>& u);

/// sum of flow * (c'_ij - u_i - v_j), each term not negative: primal minus dual, in units of mass.
double duality_gap(const Geometry& geometry, std::span<const FlowEntry> plan, std::span<const double> u,
                   std::span<const double> v);

}  // namespace motmot::solver
