#pragma once

#include "base/threads.hpp"
#include "motmot/answer.hpp"

namespace motmot {

/// Looks for tau_x and tau_y in the data, puts them into the options and says how sure that is.
std::string set_tau_from_data(PointsView x, PointsView y, CriticKind critic, DistanceOptions& options,
                              Team& team);

}  // namespace motmot
