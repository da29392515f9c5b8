/// From options to what is done: complaints before any work, the critic, the blocks.
#pragma once

#include "base/progress.hpp"
#include "blocks/sampler.hpp"
#include "estimate/estimate.hpp"
#include "motmot/answer.hpp"

namespace motmot {

/// How messages call the samples: X and Y, or Y and X where they changed places.
using SampleNames = PerSample<char>;

/// Throws what can be wrong with samples and options.
void validate(const SamplePart& x, const SamplePart& y, const DistanceOptions& options);

struct Planned {
  BlockPlan blocks{};
  std::vector<Warning> warnings{};
};
/// The blocks that the options ask for: explicit numbers as they are, the others chosen from tau.
Planned plan_blocks(std::size_t n, std::size_t m, const DistanceOptions& options,
                    const PerSample<double>& tau, const SampleNames& names = {'X', 'Y'});

}  // namespace motmot
