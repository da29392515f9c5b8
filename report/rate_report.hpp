/// A rate study as files.
#pragma once

#include "report/study_report.hpp"

namespace motmot {

/// "law,d,outliers,estimator,rule,n,blocks_x,blocks_y,repetition,error" and a line per run.
[[nodiscard]] std::string rate_csv(const RateResult& result);
/// A line per curve and n: mean and quartiles of the error, the bound of Theorem 6 where there is one.
[[nodiscard]] std::string rate_summary_csv(const RateResult& result);
[[nodiscard]] std::string rate_json(const RateResult& result, const std::vector<Claim>& claims);

/// The slopes with their intervals beside the theorem's exponents.
[[nodiscard]] PageTable slopes_table(const RateResult& result);
/// The same in Markdown, and the grid that was run.
[[nodiscard]] std::string slopes_markdown(const RateResult& result);

/// For each way in which outliers go with n: a panel per law and d, a line per estimator, K by Prop. 4 where
/// it is in the grid, else by the first rule.
[[nodiscard]] std::vector<StudyFigure> rate_figures(const RateResult& result);

[[nodiscard]] Page rate_page(const RateResult& result, const std::vector<Claim>& claims,
                             const std::string& command);

}  // namespace motmot
