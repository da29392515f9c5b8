#pragma once

#include "blocks/sampler.hpp"
#include "motmot/answer.hpp"

namespace motmot {

/// Everything that can be wrong with samples and options is complained about here, before any work.
void validate(PointsView x, PointsView y, const DistanceOptions& options);

/// The blocks that the options ask for: explicit numbers as they are, the others chosen from tau. Appends
/// to `warnings` what the user should know about them.
BlockPlan plan_blocks(std::size_t n, std::size_t m, const DistanceOptions& options,
                      std::vector<std::string>& warnings);

}  // namespace motmot
