/// A study as files: tables, JSON, text, and the charts that its figures are.
#pragma once

#include <string>
#include <vector>

#include "motmot/study.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"

namespace motmot {

/// "data,tau,method,blocks,epoch,repetition,value,reference,shown" and a line per measurement.
[[nodiscard]] std::string study_csv(const StudyResult& result);
/// "data,tau,method,blocks,epoch,repetitions,mean,sd,q25,median,q75,reference" and a line per place of the
/// grid.
[[nodiscard]] std::string summary_csv(const StudyResult& result);
/// One object: settings, the summary with the numbers of summary_csv(), claims.
[[nodiscard]] std::string study_json(const StudyResult& result, const std::vector<Claim>& claims);

/// A drawing and the name of its file, "figure2.svg".
struct StudyFigure {
  std::string file{};
  Figure figure{};
};

/// error: Figures 2 and 5; convergence: Figures 3 and 6; breakdown: error over K, one panel per kind of
/// outliers, at the largest tau up to 0.1.
[[nodiscard]] std::vector<StudyFigure> study_figures(const StudyResult& result);

/// breakdown: every method in every situation, at a glance. Empty for other studies.
[[nodiscard]] HeatTable breakdown_table(const StudyResult& result);
/// breakdown: one estimator over K. Empty for other studies.
[[nodiscard]] HeatTable blocks_table(const StudyResult& result, const std::string& method);

/// Figures, tables and claims for page_html(); `command` made them.
[[nodiscard]] Page study_page(const StudyResult& result, const std::vector<Claim>& claims,
                              const std::string& command);

}  // namespace motmot
