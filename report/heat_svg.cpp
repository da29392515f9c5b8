#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/svg.hpp"
#include "report/svg_canvas.hpp"

namespace motmot {
namespace {

constexpr double group_width = 178, name_width = 74, cell_width = 74, cell_height = 24;

/// 0 up to `mild`, 1 from `strong` on, logarithmic between.
double intensity(const HeatTable& table, double value) {
  const double size = std::abs(value);
  if (size <= table.mild) return 0;
  return std::min(1.0, 0.15 + 0.85 * std::log(size / table.mild) / std::log(table.strong / table.mild));
}

std::string cell_colour(const HeatTable& table, double value) {
  const double t = intensity(table, value);
  if (t == 0) return "#e6f4ea";
  const int fade = static_cast<int>(std::lround(235 - 190 * t));
  return value > 0
             ? fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(std::lround(250 - 70 * t)), fade, fade)
             : fmt::format("#{:02x}{:02x}{:02x}", fade, static_cast<int>(std::lround(240 - 150 * t)),
                           static_cast<int>(std::lround(250 - 60 * t)));
}

std::string cell_text(double value) {
  if (std::abs(value) < 0.05) return "0.0";
  return std::abs(value) < 99.5 ? fmt::format("{:+.1f}", value) : fmt::format("{:+.0f}", value);
}

std::string description_of(const HeatTable& table) {
  std::string text = table.note + " Columns: ";
  for (const std::string& column : table.columns) text += column + ", ";
  for (const HeatTable::Row& row : table.rows) {
    text += row.group + " " + row.name + ":";
    for (const std::optional<double>& value : row.values) text += value ? " " + cell_text(*value) : " none";
    text += "; ";
  }
  return text;
}

void draw_row(SvgCanvas& canvas, const HeatTable& table, const HeatTable::Row& row, double y) {
  canvas.text(edge + group_width, y + 16, row.name, {.size = 12, .colour = ink::muted});
  for (std::size_t c = 0; c < row.values.size(); ++c) {
    const double x = edge + group_width + name_width + static_cast<double>(c) * cell_width;
    const std::optional<double>& value = row.values[c];
    canvas.rect(x + 1, y + 1, cell_width - 2, cell_height - 2, value ? cell_colour(table, *value) : "#f2f4f6",
                1, "none", 3);
    const bool light = value && intensity(table, *value) > 0.62;
    canvas.text(x + cell_width / 2, y + 16, value ? cell_text(*value) : "\u2013",
                {.size = 12, .colour = light ? "#ffffff" : ink::text, .anchor = "middle"});
  }
}

}  // namespace

std::string heat_svg(const HeatTable& table) {
  const double width =
      2 * edge + group_width + name_width + cell_width * static_cast<double>(table.columns.size());
  const std::vector<std::string> note = SvgCanvas::note_lines(table.note, width);
  const double top = 84;
  double height = top + note_line_height * static_cast<double>(note.size()) + 18;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    height += cell_height + (r > 0 && table.rows[r].group != table.rows[r - 1].group ? 7 : 0);
  SvgCanvas canvas(width, height, table.title, description_of(table));
  canvas.text(edge, 26, table.title, {.size = 16, .bold = true});
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const double x = edge + group_width + name_width + (static_cast<double>(c) + 0.5) * cell_width;
    const std::vector<std::string> words = text_lines(table.columns[c], 10);
    for (std::size_t i = 0; i < words.size(); ++i)
      canvas.text(x, top - 8 - 14 * static_cast<double>(words.size() - 1 - i), words[i],
                  {.size = 12, .anchor = "middle", .bold = true});
  }
  double y = top;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool first = r == 0 || table.rows[r].group != table.rows[r - 1].group;
    if (first && r > 0) {
      canvas.line(edge, y + 3.5, width - edge, y + 3.5, ink::grid);
      y += 7;
    }
    if (first) canvas.text(edge, y + 16, table.rows[r].group, {.size = 12, .bold = true});
    draw_row(canvas, table, table.rows[r], y);
    y += cell_height;
  }
  canvas.note(y + 20, note);
  return canvas.str();
}

}  // namespace motmot
