/// A study of schemes as files.
#pragma once

#include "report/study_report.hpp"

namespace motmot {

/// "law,estimator,scheme,blocks,size,repetitions,error,between,over_draws,seconds" and a line per place.
[[nodiscard]] std::string schemes_csv(const SchemesResult& result);
[[nodiscard]] std::string schemes_json(const SchemesResult& result, const std::vector<Claim>& claims);
[[nodiscard]] std::string schemes_markdown(const SchemesResult& result);
/// Spread over draws against K, a panel per law and estimator, a line per scheme at the usual block size.
[[nodiscard]] StudyFigure schemes_figure(const SchemesResult& result);
[[nodiscard]] Page schemes_page(const SchemesResult& result, const std::vector<Claim>& claims,
                                const std::string& command);

}  // namespace motmot
