/// Pages of a reference, of a check and of a series.
#pragma once

#include <string>

#include "motmot/watch.hpp"
#include "report/page.hpp"
#include "watch/check.hpp"

namespace motmot {

[[nodiscard]] Page reference_page(const Reference& reference, const std::string& command = {});
/// distance_page() with the verdict of the check.
[[nodiscard]] Page check_page(const Checked& checked, const std::string& command = {});
/// The series with its band, the score with its limit, columns and rows behind each alarm.
[[nodiscard]] Page monitored_page(const Monitored& series, const std::string& command = {});

}  // namespace motmot
