/// The default answer: rows without company are left out, the rest is compared exactly.
#pragma once

#include "answer/plan.hpp"
#include "base/progress.hpp"
#include "inference/company.hpp"

namespace motmot {

/// What each tau of the grid would leave out: of all rows, or of 1000 of each sample where there are more.
struct TauGrid {
  std::vector<TauGridPoint> points{};
  PerSample<std::size_t> rows{};  ///< that were looked at
};
TauGrid look_over_tau(const ScaledSamples& samples, std::uint64_t seed, Team& team, const Progress& progress);

/// tau as the options give it, or what the rows that stand apart over the grid suggest: twice their share, at
/// least 2 %, because rows close to the right ones do not stand apart.
struct TauGiven {
  PerSample<double> tau{};
  std::string why{};  ///< empty unless it was looked for
};
TauGiven find_tau(const DistanceOptions& options, const TauGrid& grid, const SampleNames& names);

/// Everything but the paper's estimate and the network, which the front door adds. x and y are in the units
/// that the columns are compared in, coded like this.
Distance company_answer(PointsView x, PointsView y, const Coding& coding, const DistanceOptions& options,
                        const SampleNames& names, Team& team, Watch& watch);

}  // namespace motmot
