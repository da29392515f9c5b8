/// One chart inside a drawing, and its axes: from numbers to places on paper.
#pragma once

#include "report/chart.hpp"
#include "report/svg_canvas.hpp"

namespace motmot {

/// Linear or logarithmic, from data in [low, high] to places in [from, to].
class Axis {
 public:
  Axis(double low, double high, bool log, double from, double to);

  [[nodiscard]] double place(double value) const;
  /// Round numbers inside the range, six or so.
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }

 private:
  double low_, high_;
  bool log_;
  double from_, to_;
};

/// The fewest digits that tell ticks apart: "0.05", "1 000", "1e+06".
[[nodiscard]] std::string tick_label(double value);

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
