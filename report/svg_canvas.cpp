#include "report/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "report/html_text.hpp"

namespace motmot {
namespace {

std::string point_list(const std::vector<std::pair<double, double>>& points) {
  std::string list;
  for (const auto& [x, y] : points) list += fmt::format("{}{:.1f},{:.1f}", list.empty() ? "" : " ", x, y);
  return list;
}

struct Rgb {
  double r, g, b;
};

std::string hex(Rgb c) {
  const auto byte = [](double v) { return static_cast<int>(std::lround(std::clamp(v, 0.0, 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.r), byte(c.g), byte(c.b));
}

/// From dark violet over blue and green to ochre: lightness grows, and nothing is too pale for white paper.
constexpr std::array<Rgb, 5> ordered{
    {{59, 15, 112}, {49, 84, 149}, {32, 140, 141}, {94, 170, 62}, {222, 160, 16}}};

}  // namespace

std::string series_colour(std::size_t i, std::size_t n) {
  constexpr std::array<std::string_view, 6> apart{"#0b4f8a", "#d55e00", "#009e73",
                                                  "#b0408a", "#8a6d00", "#4d4d4d"};
  if (n <= apart.size()) return std::string(apart[i]);
  const double at = static_cast<double>(i) / static_cast<double>(n - 1) * (ordered.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(at), ordered.size() - 2);
  const double t = at - static_cast<double>(low);
  const Rgb a = ordered[low], b = ordered[low + 1];
  return hex({a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)});
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title, std::string_view description) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"system-ui, 'Segoe UI', "
      "Helvetica, Arial, sans-serif\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      width, height, html_text(title), html_text(description));
  rect(0, 0, width, height, "#ffffff", 1, "none", 6);
}

void SvgCanvas::text(double x, double y, std::string_view words, const TextStyle& s) {
  body_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"", x, y, s.size, s.colour);
  if (s.anchor != "start") body_ += fmt::format(" text-anchor=\"{}\"", s.anchor);
  if (s.bold) body_ += " font-weight=\"600\"";
  if (s.halo)
    body_ += " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
  if (s.turn != 0) body_ += fmt::format(" transform=\"rotate({:g} {:.1f} {:.1f})\"", s.turn, x, y);
  body_ += fmt::format(">{}</text>\n", html_text(words));
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
                     std::string_view dash) {
  body_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"", x1,
      y1, x2, y2, colour, width);
  if (!dash.empty()) body_ += fmt::format(" stroke-dasharray=\"{}\"", dash);
  body_ += "/>\n";
}

void SvgCanvas::rect(double x, double y, double width, double height, std::string_view fill, double opacity,
                     std::string_view stroke, double radius) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"", x, y,
                       width, height, fill);
  if (opacity < 1) body_ += fmt::format(" fill-opacity=\"{:g}\"", opacity);
  if (stroke != "none") body_ += fmt::format(" stroke=\"{}\"", stroke);
  if (radius > 0) body_ += fmt::format(" rx=\"{:g}\"", radius);
  body_ += "/>\n";
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\"/>\n", x, y, radius, fill);
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                         double width) {
  body_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\"/>\n",
      point_list(points), colour, width);
}

void SvgCanvas::polygon(const std::vector<std::pair<double, double>>& points, std::string_view fill,
                        double opacity) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{:g}\"/>\n", point_list(points),
                       fill, opacity);
}

void SvgCanvas::note(double y, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    text(edge, y, line, {.size = 12, .colour = ink::muted});
    y += note_line_height;
  }
}

std::vector<std::string> SvgCanvas::note_lines(const std::string& text, double width) {
  constexpr double letter = 6.1;  // its usual width at this size
  return text_lines(text, static_cast<std::size_t>((width - 2 * edge) / letter));
}

std::string SvgCanvas::str() const { return body_ + "</svg>\n"; }

}  // namespace motmot
