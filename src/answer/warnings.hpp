/// What the default answer warns of: few sentences, each with what to do about it.
#pragma once

#include "answer/plan.hpp"
#include "answer/what_ifs.hpp"
#include "inference/company.hpp"
#include "inference/noise.hpp"

namespace motmot {

using Warnings = std::vector<Warning>;

/// Taus at which more rows stand apart, and the distance there.
struct LargerTau {
  PerSample<double> tau{};
  PerSample<std::vector<std::uint32_t>> left_out{};
  std::optional<double> value{};
};

struct WarningTask {
  PointsView x, y;
  const Coding& coding;
  const SampleNames& names;
  const PerSample<double>& tau;
  const PerSample<Company>& company;
  const std::optional<LargerTau>& larger;
  const WhatIfs& found;
  const Distance& w;  ///< with its value, profile and path over tau
};

struct Said {
  Warnings warnings{};
  bool lower_end_holds = true;  ///< nothing speaks against the premise of the interval's certified end
};
Said company_warnings(const WarningTask& task);

/// Where no difference could be seen, however far apart the rows kept are.
Warnings test_warnings(const Noise& noise, const PerSample<Points>& kept);

/// "50 rows of X and 20 of Y", X first whichever sample went in first.
std::string rows_of_both(std::size_t x, std::size_t y, const SampleNames& names);

}  // namespace motmot
