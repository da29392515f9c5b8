/// The page of one run of distance(): the answer in words, and all that one would want to look at before
/// believing it.
#pragma once

#include <string>

#include "motmot/answer.hpp"
#include "motmot/data.hpp"
#include "motmot/report.hpp"
#include "report/page.hpp"

namespace motmot {

/// A sample as the page speaks of it.
struct PageSample {
  PointsView points{};
  RowNumbers rows{};             ///< in its file
  const Frame* table = nullptr;  ///< that the points were encoded from; none: they are as they were given
};

/// The sentences of text(), the distance over tau and as remote rows are left out, what chance gives,
/// columns, the data, the rows left out, other estimates, settings, and `command`, which the reader may
/// repeat; for estimators with blocks their draws and ascent. Page::json is distance_json(). The answer must
/// have been made with keep_rows (and a trace for networks); what it lacks is left out. Of large samples some
/// thousand rows are drawn, all those left out (up to 2000 of a sample) among them. O((n + m) d), and the
/// same bits for the same input.
[[nodiscard]] Page distance_page(const Distance& w, const PageSample& x, const PageSample& y,
                                 const std::string& command = {});

}  // namespace motmot
