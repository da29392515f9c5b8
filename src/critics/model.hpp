#pragma once

#include "critics/mlp.hpp"
#include "motmot/critics.hpp"

namespace motmot {

/// The paper's network, as a critic to keep.
Critic clipped_critic(Mlp mlp);

/// A min-plus critic fitted to data that were centred and scaled.
struct ExactCriticParts {
  Points anchors;              ///< the rows of Y, centred and scaled
  std::vector<double> g;       ///< one for each anchor, ExactFit::g
  std::vector<double> centre;  ///< of the data, one for each column
  double scale = 1;            ///< what the centred data were divided by
};
/// Takes rows and gives phi in the units of the data; 1-Lipschitz up to rounding.
Critic exact_critic(ExactCriticParts parts);

}  // namespace motmot
