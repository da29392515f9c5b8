#include "report/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace motmot {
namespace {

std::string point_list(const std::vector<std::pair<double, double>>& points) {
  std::string list;
  for (const auto& [x, y] : points)
    fmt::format_to(std::back_inserter(list), "{}{:.1f},{:.1f}", list.empty() ? "" : " ", x, y);
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

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20) safe += ' ';
    else safe += c;
  }
  return safe;
}

std::vector<std::string> text_lines(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) lines.emplace_back(word);
    else lines.back().append(" ").append(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title, std::string_view description) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-labelledby=\"title desc\" "
      "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      width, height, escaped(title), escaped(description));
  rect(0, 0, width, height, "#ffffff", 1, "none", 6);
}

void SvgCanvas::text(double x, double y, std::string_view words, const TextStyle& s) {
  fmt::format_to(std::back_inserter(body_), "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"",
                 x, y, s.size, s.colour);
  if (s.anchor != "start") fmt::format_to(std::back_inserter(body_), " text-anchor=\"{}\"", s.anchor);
  if (s.bold) body_ += " font-weight=\"600\"";
  if (s.halo)
    body_ += " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
  if (s.turn != 0)
    fmt::format_to(std::back_inserter(body_), " transform=\"rotate({:g} {:.1f} {:.1f})\"", s.turn, x, y);
  fmt::format_to(std::back_inserter(body_), ">{}</text>\n", escaped(words));
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
                     std::string_view dash) {
  fmt::format_to(std::back_inserter(body_),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                 "stroke-width=\"{:g}\"",
                 x1, y1, x2, y2, colour, width);
  if (!dash.empty()) fmt::format_to(std::back_inserter(body_), " stroke-dasharray=\"{}\"", dash);
  body_ += "/>\n";
}

void SvgCanvas::rect(double x, double y, double width, double height, std::string_view fill, double opacity,
                     std::string_view stroke, double radius) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"", x, y,
                 width, height, fill);
  if (opacity < 1) fmt::format_to(std::back_inserter(body_), " fill-opacity=\"{:g}\"", opacity);
  if (stroke != "none") fmt::format_to(std::back_inserter(body_), " stroke=\"{}\"", stroke);
  if (radius > 0) fmt::format_to(std::back_inserter(body_), " rx=\"{:g}\"", radius);
  body_ += "/>\n";
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view fill) {
  fmt::format_to(std::back_inserter(body_), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\"/>\n",
                 x, y, radius, fill);
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                         double width) {
  fmt::format_to(std::back_inserter(body_),
                 "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
                 "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
                 point_list(points), colour, width);
}

void SvgCanvas::polygon(const std::vector<std::pair<double, double>>& points, std::string_view fill,
                        double opacity) {
  fmt::format_to(std::back_inserter(body_), "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{:g}\"/>\n",
                 point_list(points), fill, opacity);
}

std::string SvgCanvas::str() const { return body_ + "</svg>\n"; }

}  // namespace motmot
