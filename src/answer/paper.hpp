/// The estimators with blocks (Definition 2), from options to their value, bar, bounds and bracket; and plain
/// W1 of weighted rows. For other metrics the same over the unit ball of a kernel.
#pragma once

#include "answer/plan.hpp"
#include "base/progress.hpp"

namespace motmot {

/// Everything in the data's units.
struct PaperAnswer {
  PaperEstimate estimate{};
  std::optional<double> plain{}, partial{};  ///< as in Distance
  std::string why_critic{};
  std::optional<double> bandwidth{};  ///< mmd: of its kernel
  bool stopped = false;
  std::vector<Warning> warnings{};
  Phi phi{};        ///< of the rows
  Phi frequency{};  ///< exact: how often a row carries the median
  std::optional<Critic> critic{};
  std::vector<double> trace{};
  std::optional<double> bytes_a_step{};  ///< as in RunReport
};

/// `to`: the share of the whole work that is done afterwards.
/// All ranks of the options, each with its rows.
PaperAnswer paper_answer(const SamplePart& x, const SamplePart& y, const DistanceOptions& options,
                         const PerSample<double>& tau, const SampleNames& names, double to, Team& team,
                         Watch& watch);

}  // namespace motmot
