/// Dates and times as ISO 8601 writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace motmot {

/// Seconds since 1970-01-01 00:00 UTC of "2024-01-31" or "2024-01-31T12:30:05.25+01:00": after the day, T or
/// a blank and the time, whose seconds, fraction and zone (Z, +01:00, +0100, +01) may be absent. Without a
/// zone it is UTC. Nothing for anything else.
[[nodiscard]] std::optional<double> parse_time(std::string_view text);

/// The shortest of these that says the time to the microsecond: "2024-01-31", "2024-01-31T12:30:05.25Z".
[[nodiscard]] std::string time_text(double seconds);

}  // namespace motmot
