/// The distance, and what it would be otherwise: with all rows, without the most remote ones, with the rows
/// that lie together, with another tau; and where it lies if the rest of the share tau is wrong too.
#pragma once

#include "answer/sides.hpp"
#include "inference/permuted.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// What leaving out the most remote rows does where there is no difference: the kept rows mixed and dealt
/// anew.
struct MixedProfile {
  double whole = 0;    ///< mean W1
  double left = 1;     ///< mean share of it that is left
  double left_sd = 0;  ///< of that share, over draws
};

/// Lengths are in the data's units. Unset: not asked, or stopped before.
struct WhatIfs {
  Transport solved{};  ///< of the kept rows, scaled
  std::optional<double> plain{}, partial{}, lower{}, upper{};
  std::optional<double> without_suspects{};
  std::vector<ProfilePoint> profile{};
  std::vector<Reading> readings{};
  std::vector<std::optional<double>> other_taus{};  ///< in the order of WhatIfTask::other_taus
  std::optional<MixedProfile> mixed{};
  std::size_t solves = 0;
};

struct WhatIfTask {
  const Sides& used;
  const PerSample<Points>& kept;
  bool strangers;  ///< rows left out lie where the other sample has none
  const PerSample<LyingTogether>& together;
  bool in_both;  ///< the rows that lie together are one group of both samples
  const PerSample<std::optional<SharedValue>>& shared;  ///< by the rows that lie together
  const PerSample<RowList>& copies;                     ///< left out since they repeat a row
  const PerSample<RowList>& suspects;                   ///< kept: Company::suspects
  std::span<const TauGridPoint> other_taus;
  double unit;  ///< of the scaled points
  std::uint64_t seed;
};

/// All problems side by side: what chance gives (`permuted`) needs no answer of the others, so those of its
/// solves that are made in any case are among them.
WhatIfs ask_what_ifs(const WhatIfTask& task, PermutedSolves& permuted, Team& team, Watch& watch);

}  // namespace motmot
