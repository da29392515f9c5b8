/// The pages of outliers() and doctor().
#pragma once

#include <string>

#include "motmot/report.hpp"
#include "report/page.hpp"

namespace motmot {

/// The sentences of text(), the scores by rank, the rows with their reasons, and `command`, which the reader
/// may repeat. Page::json is outliers_json().
[[nodiscard]] Page outliers_page(const Outliers& found, const PerSample<RowNumbers>& from = {},
                                 const std::string& command = {});

/// The findings with what to type, the forecast, and `command`. Page::json is doctor_json().
[[nodiscard]] Page doctor_page(const Checkup& checkup, const std::string& command = {});

}  // namespace motmot
