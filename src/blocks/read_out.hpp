/// Block means of a given phi over fresh draws of blocks, and the estimator's value on them.
#pragma once

#include "base/threads.hpp"
#include "blocks/median.hpp"
#include "blocks/sampler.hpp"
#include "motmot/communicator.hpp"

namespace motmot {

/// Means over the K blocks of each of `partitions` shuffled partitions, partition after partition. Those of
/// partition t are a function of (seed, purpose, t).
std::vector<double> pooled_means(std::span<const double> phi, std::size_t k, std::size_t partitions,
                                 std::uint64_t seed, Purpose purpose, Team& team);

/// The block means of one draw of blocks, and the blocks that carry the median.
struct BlockDraw {
  std::vector<double> x, y;  ///< a_k and b_l
  MedianPair median;
};

/// Means of a fitted phi over the blocks of the given draw: those that Distance::value is a mean over (exact,
/// lipschitz), whose draws count from 0. O(n + m).
[[nodiscard]] BlockDraw draw_block_means(Estimator estimator, const BlockPlan& plan,
                                         std::span<const double> phi_x, std::span<const double> phi_y,
                                         std::uint64_t seed, std::uint64_t draw);

/// The estimator's value for a fixed phi, over blocks drawn anew.
struct ReadOut {
  double mean = 0;
  double sd = 0;  ///< between draws
};

/// Mean and standard deviation over `draws` draws of the blocks that the plan asks for; a plan that keeps one
/// partition has one draw, kept_partition(). A function of phi, plan and seed.
/// All: every rank has phi and does its share of the draws.
ReadOut read_out(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                 std::span<const float> phi_y, std::size_t draws, std::uint64_t seed, Team& team,
                 Communicator& ranks = alone());

}  // namespace motmot
