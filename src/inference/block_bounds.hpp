/// The upper end of a bracket: medians of W1 between blocks.
#pragma once

#include "base/threads.hpp"
#include "inference/fixed_ascent.hpp"
#include "motmot/inference.hpp"

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

/// bracket() looks for a better lower end where the distances of Y to all rows are no more than these: they
/// are kept.
inline constexpr double most_distances_for_ascent = 0x1p23;

/// bracket() for blocks that are given; options.k_x and k_y are not read.
[[nodiscard]] Bracket bracket(PointsView x, PointsView y, const Blocks& blocks_x, const Blocks& blocks_y,
                              std::span<const double> phi_x, std::span<const double> phi_y,
                              const BracketOptions& options);

}  // namespace motmot
