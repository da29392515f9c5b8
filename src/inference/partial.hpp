/// Partial transport and what it proves of the inliers.
#pragma once

#include "motmot/transport.hpp"

namespace motmot {

/// The lower bound of the inliers' W1 that such a solution certifies.
double proved_by(const Transport& partial);

}  // namespace motmot
