/// The upper end of a bracket: medians of W1 between blocks.
#pragma once

#include "base/threads.hpp"
#include "inference/fixed_ascent.hpp"

namespace motmot {

struct UpperBound {
  double value = 0;
  double failure_chance = 0;
  std::size_t problems = 0;
  BlockWeights suggestion{};  ///< the majority of blocks that the bound says matter; may be empty
};

struct UpperOptions {
  std::size_t max_distances = 0;
  std::uint64_t seed = 0;
};

/// Needs odd numbers of blocks.
UpperBound block_upper_bound(const FixedProblem& problem, const UpperOptions& options, Team& team);

}  // namespace motmot
