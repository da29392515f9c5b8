/// What a rate study is made of.
#pragma once

#include "motmot/data.hpp"
#include "motmot/study.hpp"

namespace motmot {

/// X and Y of n rows each: the first rows of X are outliers at 100 to 200 on the first axis, those of Y at
/// -100 to -200, so that every outlier pulls the samples apart; the rest are inliers of the law.
[[nodiscard]] PerSample<Points> rate_samples(RateLaw law, std::size_t d, std::size_t n, std::size_t outliers,
                                             std::uint64_t seed);

/// K of the rule for the true shares; 1 for estimators without blocks.
[[nodiscard]] PerSample<std::size_t> rate_blocks(const RateLine& line, std::size_t n);

/// Slope of log(mean error) over log(n) with its interval, from the errors of each point.
[[nodiscard]] RateFit fit_rate(const std::vector<RatePoint>& points, std::uint64_t seed);

/// "same 2 1414 tau=0.05 mom 601 601 3"; what a cell depends on besides its key.
[[nodiscard]] std::string rate_key(const RateLine& line, std::size_t n, std::size_t repetition);
[[nodiscard]] std::string rate_settings(const RateOptions& options);
[[nodiscard]] std::string schemes_settings(const SchemesOptions& options);

/// "tau=0.05", "alpha=0.5"
[[nodiscard]] std::string outlying_key(const Outlying& outliers);

}  // namespace motmot
