/// Ascent on one fixed partition: the lower end of a bracket (Definition 2, def:estimators, taken literally).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "blocks/partition_passes.hpp"
#include "blocks/sampler.hpp"
#include "motmot/data.hpp"

namespace motmot {

struct FixedProblem {
  PointsView x, y;
  const Blocks& blocks_x;
  const Blocks& blocks_y;
  Estimator estimator = Estimator::mom;

  [[nodiscard]] double value(const Phi& phi) const;  ///< of the estimator, on these blocks
};

/// The largest 1-Lipschitz function that is phi_y or less on the rows of y: min_j (|z - y_j| + phi_y[j]).
/// All estimators grow with phi on X and fall with phi on Y, so a 1-Lipschitz phi loses nothing by it.
Phi upper_extension(PointsView x, PointsView y, std::span<const double> phi_y, Team& team);

/// Weights on the blocks of each sample that a Frank-Wolfe step solves for.
using BlockWeights = PerSample<std::vector<double>>;

struct AscentPlan {
  std::size_t starts = 4;  ///< random ones among them, after phi's own and the suggested one
  std::size_t steps = 10;  ///< exact solves from each
  std::uint64_t seed = 0;
  BlockWeights suggestion{};  ///< where to look first, may be empty
};

struct FixedAscent {
  double value = 0;
  std::size_t solves = 0;
};

/// The best value that local ascents find on the fixed partition, each by a 1-Lipschitz function. One
/// partition has severe local maxima (single starts reach half of the optimum): hence the starts. Starts
/// run side by side; each has a solver of its own, so that the schedule does not show.
FixedAscent ascend_fixed(const FixedProblem& problem, const Phi* given, const AscentPlan& plan, Team& team);

}  // namespace motmot
