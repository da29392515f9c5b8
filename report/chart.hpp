/// Charts as data: figure_svg() (svg.hpp) draws them for a document, page_html() (page.hpp) in a browser.
#pragma once

#include <string>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// One named set of points, drawn in the order given.
struct Series {
  enum class Mark { line, points, bars };
  std::string name{};
  std::vector<double> x{}, y{};       ///< of equal length; a NaN in y breaks the line
  std::vector<double> low{}, high{};  ///< a band around y (whiskers on points and bars); empty: none
  Mark mark = Mark::line;
  bool highlight = false;             ///< drawn in the accent colour, above the others; points become crosses
  bool muted = false;                 ///< drawn in grey, for comparison
  std::vector<std::string> labels{};  ///< what each point is called, when touched and in the table; or empty
};

template <>
inline constexpr auto names<Series::Mark> = names_in_order<Series::Mark>("line", "points", "bars");

/// A drawn horizontal or vertical line with a label: a true value, a median, a limit.
struct Guide {
  double at = 0;
  std::string label{};
  bool vertical = false;
};

struct Chart {
  std::string title{};
  std::string x_label{}, y_label{};
  bool x_log = false, y_log = false;
  std::vector<std::string> categories{};  ///< names of x = 0, 1, 2, ...; empty: x is a number
  std::vector<Series> series{};
  std::vector<Guide> guides{};
  std::string note{};       ///< one sentence under the chart: what one should see
  bool horizontal = false;  ///< needs categories: they go down the side, values to the right
};

}  // namespace motmot
