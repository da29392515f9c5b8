#include <algorithm>

#include "report/svg.hpp"
#include "report/svg_panel.hpp"

namespace motmot {
namespace {

constexpr double panel_width = 400, panel_height = 270;

bool same_legend(const std::vector<Chart>& charts) {
  return std::ranges::all_of(charts, [&](const Chart& chart) {
    return std::ranges::equal(chart.series, charts.front().series, {}, &Series::name, &Series::name);
  });
}

std::string description_of(const Figure& figure) {
  std::string text = figure.note;
  for (const Chart& chart : figure.panels) text += (text.empty() ? "" : " ") + described(chart);
  return text;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
  const std::size_t columns =
      std::clamp<std::size_t>(figure.columns, 1, std::max<std::size_t>(1, figure.panels.size()));
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const double width = 2 * edge + static_cast<double>(columns) * panel_width;
  const bool shared = !figure.panels.empty() && same_legend(figure.panels);
  const double title = figure.title.empty() ? 6 : 34;
  const double shared_height = shared ? legend_height(figure.panels.front(), width - 2 * edge) : 0;
  double own_height = 0;
  if (!shared)
    for (const Chart& chart : figure.panels)
      own_height = std::max(own_height, legend_height(chart, panel_width - 60));
  const double row_height = panel_height + own_height;
  const std::vector<std::string> note = SvgCanvas::note_lines(figure.note, width);
  const double note_height = note_line_height * static_cast<double>(note.size());
  const double top = title + shared_height + 8;
  const double height = top + static_cast<double>(rows) * row_height + note_height + (note.empty() ? 6 : 14);
  SvgCanvas canvas(width, height, figure.title.empty() ? "Chart" : figure.title, description_of(figure));
  if (!figure.title.empty()) canvas.text(edge, 26, figure.title, {.size = 16, .bold = true});
  if (shared) draw_legend(canvas, figure.panels.front(), edge, title, width - 2 * edge);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const double x = edge + static_cast<double>(i % columns) * panel_width;
    const std::size_t line = i / columns;
    const double y = top + static_cast<double>(line) * row_height;
    if (!shared) draw_legend(canvas, figure.panels[i], x + 58, y, panel_width - 60);
    draw_panel(canvas, figure.panels[i],
               {.x = x, .y = y + own_height, .width = panel_width, .height = panel_height});
  }
  canvas.note(height + 2 - note_height, note);
  return canvas.str();
}

}  // namespace motmot
