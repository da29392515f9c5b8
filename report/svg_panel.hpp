/// One chart inside a drawing.
#pragma once

#include "report/chart.hpp"
#include "report/svg_canvas.hpp"

namespace motmot {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// Title, axes, guides, series; no legend and no note.
void draw_panel(SvgCanvas& canvas, const Chart& chart, const Box& box);

/// Names and colours of the chart's series from (x, y) on, in lines of at most `width`; returns the height.
double draw_legend(SvgCanvas& canvas, const Chart& chart, double x, double y, double width);
[[nodiscard]] double legend_height(const Chart& chart, double width);

/// "value over K: series a from 3 to 5; ..." for those who cannot see the drawing.
[[nodiscard]] std::string described(const Chart& chart);

}  // namespace motmot
