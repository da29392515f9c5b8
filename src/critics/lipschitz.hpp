/// The critic `lipschitz`: a network that is 1-Lipschitz by construction, fitted by the ascent of Algorithms
/// 1, 3 and 4. A network of bounded size cannot tell every row from its neighbours, so its value aims at the
/// distance of the laws, where the exact critic's is the distance of the samples.
#pragma once

#include <cstdint>
#include <optional>

#include "blocks/read_out.hpp"
#include "critics/checkpoint.hpp"
#include "critics/feature_major.hpp"
#include "critics/lipschitz_mlp.hpp"
#include "critics/row_split.hpp"
#include "motmot/base.hpp"
#include "motmot/critics.hpp"

namespace motmot {

struct LipschitzTask {
  SamplePart x{}, y{};  ///< as they were given: `standard` is applied on the way into float32
  Standard standard{};  ///< robust centre and scale
  Estimator estimator = Estimator::mom;
  BlockPlan plan{};
  std::optional<RowSplit> split{};  ///< which rows are here; unset: all
  Communicator* ranks = &alone();   ///< that read the value together
  Checkpoint* checkpoint = nullptr;
  std::vector<std::size_t> hidden{64, 64, 64};
  std::size_t steps = 1000;
  double rate = 0.01;                 ///< Adam's at the first step; falls to 0 along a cosine
  double band = 0.1;                  ///< share of the blocks, nearest to the median, that carry a gradient
  std::size_t mini_rows = 4096;       ///< a step draws about this many rows of a sample ...
  std::size_t mini_above = 8192;      ///< ... whose blocks hold more than this many
  std::size_t draws = 500;            ///< of blocks, that the value is a mean over
  std::size_t copy_values = 1 << 24;  ///< rows of more values (rows x columns) are not copied to float32
  bool held_out = false;              ///< fit on one half of the rows too, and read on the other
  bool keep_trace = false;
  std::uint64_t seed = 0;
};

/// All in the data's units.
struct LipschitzFit {
  double value = 0;                      ///< mean over fresh draws of blocks, with the final critic
  double sd = 0;                         ///< between draws
  std::optional<double> held_out{};      ///< the same on rows that a critic of its own was not fitted on
  double lipschitz = 0;                  ///< certified Lipschitz constant of the critic
  std::vector<double> phi_x{}, phi_y{};  ///< the critic on the samples
  std::size_t steps = 0;
  bool settled = false;
  bool stopped = false;
  std::optional<double> bytes_a_step{};
  std::vector<double> trace{};  ///< the median's value at every step, of the step's own blocks
  Mlp network;                  ///< of standardised rows, normalised
};

/// Cost per step: one evaluation of the network on the rows of the step's blocks, all n + m or some
/// 2 mini_rows of them, whatever n is. Memory beside the data: a few numbers a row, and a float32 copy of
/// samples up to copy_values. Larger ones are looked at where they lie, so they may be mapped files.
LipschitzFit fit_lipschitz(const LipschitzTask& task, Team& team, const Progress& progress);

/// The blocks of a step: the plan itself, or mini-blocks where a sample's blocks hold more than mini_above
/// rows. Mini-blocks keep the size B, which decides how many of them are dirty; where fewer than 31 would fit
/// into mini_rows they are smaller, which makes fewer of them dirty.
BlockPlan step_plan(const LipschitzTask& task, const BlockPlan& plan);

/// The fitted critic, to keep: takes rows in the data's own units.
Critic lipschitz_critic(Mlp network, Standard standard);

}  // namespace motmot
