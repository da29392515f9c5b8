/// The page of one run of distance(): the answer in words, and all that one would want to look at before
/// believing it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "motmot/answer.hpp"
#include "motmot/data.hpp"
#include "report/page.hpp"

namespace motmot {

/// A sample as the page speaks of it.
struct PageSample {
  PointsView points{};
  std::string name{};                      ///< of the file
  std::span<const std::string> columns{};  ///< names; empty: "1", "2", ...
  std::span<const std::uint64_t> rows{};   ///< numbers of the rows in the file; empty: 1, 2, ...
  std::size_t left_out = 0;                ///< rows of the file that were not read
};

/// Values side by side with their error bars, the ascent (or the spread over fresh blocks), the block means
/// with their median, the data with the rows that trim drops, a list of these, settings, and `command`, which
/// the reader may repeat. Page::json is distance_json(). The estimate must have been made with keep_rows (and
/// keep_trace for networks); what it lacks is left out. Of large samples some thousand rows are drawn, all
/// suspects (up to 2000 of a sample) among them. O((n + m) d), and the same bits for the same input.
[[nodiscard]] Page distance_page(const Distance& estimate, const PageSample& x, const PageSample& y,
                                 const std::string& command = {});

}  // namespace motmot
