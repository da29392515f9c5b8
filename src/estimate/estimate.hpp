/// The estimators of Definition 2 (def:estimators) over each family of critics: samples and a task in, an
/// Estimate out.
#pragma once

#include <optional>

#include "base/threads.hpp"
#include "blocks/partition_passes.hpp"
#include "critics/checkpoint.hpp"
#include "critics/exact_fit.hpp"
#include "critics/kernel_fit.hpp"
#include "critics/row_split.hpp"
#include "data/robust_scale.hpp"
#include "motmot/critics.hpp"

namespace motmot {

/// Both samples about their robust centre, in units of their robust scale.
struct ScaledSamples {
  RobustScale by;
  Points x, y;
};
ScaledSamples scale(PointsView x, PointsView y);

/// What to estimate, with every choice made.
struct EstimateTask {
  Estimator estimator = Estimator::mom;
  BlockPlan plan{};
  std::size_t read_out = 500;
  AscentOptions ascent{};
  std::uint64_t seed = 0;
  Communicator* ranks = &alone();    ///< that hold the rows, where rows are split; and draw for the value
  Checkpoint* checkpoint = nullptr;  ///< of the ascents
};

/// n m up to which exact transport problems are solved without being asked for: some ten seconds each at the
/// end. Such samples are whole on every rank.
inline constexpr double affordable_pairs = 2e8;
inline bool affordable(std::size_t n, std::size_t m) {
  return static_cast<double>(n) * static_cast<double>(m) <= affordable_pairs;
}

/// How the rows of an estimate are cut: a function of the samples' sizes, the critic and the blocks, never of
/// the ranks. One leaf, which is no cut, where the samples are affordable or the critic is exact.
[[nodiscard]] RowSplit row_split(CriticKind critic, std::size_t n, std::size_t m, Estimator estimator,
                                 const BlockPlan& plan, Communicator& ranks);

/// What came out, in the data's units.
struct Estimate {
  double value = 0;
  double sd = 0;
  Target target = Target::unknown;
  double scale = 1;  ///< what the samples were divided by
  std::optional<double> gap{}, lipschitz{}, held_out{};
  std::size_t solves = 0, steps = 0;
  bool settled = false, stopped = false;
  std::optional<double> bytes_a_step{};
  std::vector<double> trace{};
  Phi phi{};        ///< the critic on the rows
  Phi frequency{};  ///< exact: how often a row carries the median
  std::optional<Critic> critic{};
};

/// All 1-Lipschitz functions. `start` may be null.
Estimate estimate_exact(const ScaledSamples& samples, const EstimateTask& task, const ExactStart* start,
                        Team& team, const Progress& progress);
/// The same over the unit ball of a kernel (metric mmd and energy); Estimate::scale is then the unit of the
/// value. Needs blocks.
Estimate estimate_kernel(const ScaledSamples& samples, const RowKernel& kernel, const EstimateTask& task,
                         Team& team, const Progress& progress);
/// One block: the closed form, on the rows as they are, each of the given weight (any sum) or all alike.
Estimate estimate_plain_kernel(PointsView x, PointsView y, const RowKernel& kernel,
                               const PerSample<std::span<const double>>& weights, Team& team);
/// Plain W1 of weighted rows: one exact solve; no blocks, no critic.
Estimate estimate_weighted(PointsView x, PointsView y, const PerSample<std::span<const double>>& weights,
                           const Progress& progress);
/// All, from here on: a rank holds the rows that row_split() gives it.
/// 1-Lipschitz networks on points that are scaled on their way into float32.
Estimate estimate_lipschitz(const SamplePart& x, const SamplePart& y, const EstimateTask& task, Team& team,
                            const Progress& progress);
/// Paper mode: raw data, one median block (the upper one of an even number), clipped weights.
Estimate estimate_clipped(const SamplePart& x, const SamplePart& y, const EstimateTask& task, Team& team,
                          const Progress& progress);

}  // namespace motmot
