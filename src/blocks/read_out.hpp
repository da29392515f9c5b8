#pragma once

#include "base/threads.hpp"
#include "blocks/sampler.hpp"

namespace motmot {

/// The estimator's value for a fixed phi, over blocks drawn anew.
struct ReadOut {
  double mean = 0;
  double sd = 0;  ///< between draws
};

/// Mean and standard deviation over `draws` draws of the blocks that the plan asks for; partitions are drawn
/// afresh, whether the plan's scheme would keep one or not. A function of phi, plan and seed.
ReadOut read_out(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                 std::span<const float> phi_y, std::size_t draws, std::uint64_t seed, Team& team);

}  // namespace motmot
