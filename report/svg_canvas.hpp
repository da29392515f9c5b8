/// Shapes and text as SVG; one place for colours and fonts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace motmot {

namespace ink {
inline constexpr std::string_view text = "#1f2933";
inline constexpr std::string_view muted = "#52606d";
inline constexpr std::string_view grid = "#e4e7eb";
inline constexpr std::string_view axis = "#9aa5b1";
inline constexpr std::string_view accent = "#c0392b";
}  // namespace ink

/// Blank border of figures and tables.
inline constexpr double edge = 16;
inline constexpr double note_line_height = 16;

/// Colour of series i of n: apart from each other for the colour-blind up to six, from dark to light in
/// the order of the series beyond.
[[nodiscard]] std::string series_colour(std::size_t i, std::size_t n);

struct TextStyle {
  double size = 12;
  std::string_view colour = ink::text;
  std::string_view anchor = "start";  ///< start, middle, end
  bool bold = false;
  double turn = 0;    ///< degrees
  bool halo = false;  ///< on a white edge, to be read above lines
};

class SvgCanvas {
 public:
  /// `title` and `description` are what a screen reader says.
  SvgCanvas(double width, double height, std::string_view title, std::string_view description);

  void text(double x, double y, std::string_view words, const TextStyle& style = {});
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1,
            std::string_view dash = "");
  void rect(double x, double y, double width, double height, std::string_view fill, double opacity = 1,
            std::string_view stroke = "none", double radius = 0);
  void circle(double x, double y, double radius, std::string_view fill);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour, double width);
  void polygon(const std::vector<std::pair<double, double>>& points, std::string_view fill, double opacity);

  /// Lines of a note that fits a drawing of `width`, the first at y.
  void note(double y, const std::vector<std::string>& lines);
  [[nodiscard]] static std::vector<std::string> note_lines(const std::string& text, double width);

  /// The whole document.
  [[nodiscard]] std::string str() const;

 private:
  std::string body_;
};

}  // namespace motmot
