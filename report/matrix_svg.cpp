// Heat map with dendrogram, and the map, in the colours of the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "report/html_text.hpp"
#include "report/matrix_page.hpp"

namespace motmot {
namespace {

constexpr double tree_width = 190, gap = 10;

std::string short_name(const std::string& name, std::size_t most = 20) {
  std::string valid = valid_utf8(name);
  if (valid.size() <= most) return valid;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(valid[end]) & 0xC0) == 0x80) --end;  // between characters
  return valid.substr(0, end) + "…";
}

/// The pairs as a square.
std::vector<const MatrixPair*> square_of_pairs(const Matrix& m) {
  const std::size_t n = m.samples.size();
  std::vector<const MatrixPair*> square(n * n, nullptr);
  for (const MatrixPair& pair : m.pairs)
    square[pair.first * n + pair.second] = square[pair.second * n + pair.first] = &pair;
  return square;
}

std::string pair_words(const Matrix& m, const MatrixPair& pair) {
  return fmt::format("{} – {}: {:.4g}, chance {}, p {:.2g}{}", m.samples[pair.first].name,
                     m.samples[pair.second].name, pair.value,
                     pair.floor ? fmt::format("{:.3g}", *pair.floor) : "unknown", pair.p_value,
                     pair.differ ? "" : ", not more than chance");
}

/// Sizes of the drawing.
struct HeatLayout {
  std::size_t n = 0;
  double cell = 0, left = 0, top = 0;
  [[nodiscard]] double at(std::size_t place) const { return static_cast<double>(place) * cell; }
  [[nodiscard]] double side() const { return at(n); }
  [[nodiscard]] double width() const { return left + side() + gap + tree_width; }
  [[nodiscard]] double font() const { return std::clamp(0.72 * cell, 5.0, 13.0); }
};

HeatLayout layout_of(const Matrix& m) {
  HeatLayout layout{.n = m.samples.size()};
  layout.cell = std::clamp(620.0 / static_cast<double>(layout.n), 7.0, 46.0);
  std::size_t longest = 0;
  for (const MatrixSample& sample : m.samples) longest = std::max(longest, short_name(sample.name).size());
  layout.left = 10 + 0.6 * layout.font() * static_cast<double>(longest);
  layout.top = std::max(26.0, layout.left);
  return layout;
}

std::string names_svg(const Matrix& m, const HeatLayout& at) {
  std::string svg;
  for (std::size_t i = 0; i < at.n; ++i) {
    const std::string name = html_text(short_name(m.samples[m.order[i]].name));
    const double middle = at.at(i) + at.cell / 2, base = 0.35 * at.font();
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", at.left - 6,
                       at.top + middle + base, name);
    svg += fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}</text>\n",
                       at.left + middle + base, at.top - 6, name);
  }
  return svg;
}

/// A cell: the stronger the colour the farther; a dot where the distance is no more than chance gives.
std::string cell_svg(const Matrix& m, const HeatLayout& at, std::size_t i, std::size_t j,
                     const MatrixPair* pair, double largest) {
  const double x = at.left + at.at(j), y = at.top + at.at(i),
               share = pair == nullptr ? 0 : pair->value / largest;
  std::string svg = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var(--series-0)\" "
      "fill-opacity=\"{:.3f}\">",
      x, y, at.cell - 1, at.cell - 1, pair == nullptr ? 0 : 0.06 + 0.94 * share);
  if (pair != nullptr) svg += fmt::format("<title>{}</title>", html_text(pair_words(m, *pair)));
  svg += "</rect>";
  if (pair == nullptr) return svg + "\n";
  const double middle_x = x + (at.cell - 1) / 2, middle_y = y + (at.cell - 1) / 2;
  if (at.n <= 14)
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" pointer-events=\"none\" "
        "fill=\"var({})\">{}{}</text>",
        middle_x, middle_y + 0.35 * at.font(), share > 0.55 ? "--surface" : "--ink", readable(pair->value, 2),
        pair->differ ? "" : "·");
  else if (!pair->differ)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" pointer-events=\"none\"/>", middle_x,
                       middle_y, std::max(0.8, 0.09 * at.cell));
  return svg + "\n";
}

/// Branches to the right of the rows, as long as their height.
std::string tree_svg(const Matrix& m, const HeatLayout& at) {
  struct Branch {
    double y = 0, height = 0;
  };
  std::vector<Branch> branches(at.n);
  for (std::size_t i = 0; i < at.n; ++i) branches[m.order[i]].y = at.top + at.at(i) + (at.cell - 1) / 2;
  const double highest = m.merges.empty() ? 0 : m.merges.back().height;
  const auto x = [&](double height) {
    return at.left + at.side() + gap + (highest > 0 ? (tree_width - 20) * height / highest : 0);
  };
  std::string path;
  for (const Merge& merge : m.merges) {
    const Branch a = branches[merge.first], b = branches[merge.second];
    path += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}", x(a.height), a.y, x(merge.height), b.y,
                        x(b.height));
    branches.push_back({(a.y + b.y) / 2, merge.height});
  }
  std::string svg =
      fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"var(--muted)\" stroke-width=\"1.3\"/>\n", path);
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"var(--muted)\" font-size=\"12\">"
      "joined at {:.3g}</text>",
      x(highest), at.top - 6, highest);
  return svg;
}

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Where names go beside their points, in a picture of this size: near enough to see whose they are, over
/// neither a point nor another name. Unset: there is no such place.
std::vector<std::optional<Box>> places_of_names(const std::vector<MapPoint>& points,
                                                const std::vector<std::string>& names, const Box& picture) {
  constexpr double radius = 5.5, height = 14, per_sign = 7.2;  // of text of size 12, at most
  std::vector<Box> taken;
  taken.reserve(2 * points.size());  // names, too
  for (const auto& [x, y] : points) taken.push_back({x - radius, y - radius, x + radius, y + radius});
  std::vector<std::optional<Box>> places(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto [x, y] = points[k];
    const double width = per_sign * static_cast<double>(names[k].size());
    const auto try_at = [&](double left, double top) {
      const Box box{left, top, left + width, top + height};
      const bool inside = box.left >= picture.left && box.top >= picture.top && box.right <= picture.right &&
                          box.bottom <= picture.bottom;
      if (places[k] || !inside || std::ranges::any_of(taken, [&](const Box& one) { return box.meets(one); }))
        return;
      places[k] = box;
    };
    for (const double away : {7.0, 20.0, 36.0, 54.0, 75.0}) {
      for (const double up : {0.0, -0.7, 0.7}) {  // right, then left of the point
        try_at(x + away, y - height / 2 + up * away);
        try_at(x - away - width, y - height / 2 + up * away);
      }
      try_at(x - width / 2, y - away - height);
      try_at(x - width / 2, y + away);
    }
    if (places[k]) taken.push_back(*places[k]);
  }
  return places;
}

/// The name, and a line to its point where it is not right beside it.
std::string name_svg(const MapPoint& point, const Box& place, const std::string& name) {
  const double x = std::clamp(point.x, place.left, place.right);
  const double y = std::clamp(point.y, place.top, place.bottom);
  std::string svg;
  if (std::hypot(x - point.x, y - point.y) > 12)
    svg = fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"var(--muted)\" stroke-width=\"1\"/>",
                      point.x, point.y, x, y);
  return svg + fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", place.left,
                           place.bottom - 3, html_text(name));
}

}  // namespace

std::string matrix_heat_svg(const Matrix& m) {
  const HeatLayout at = layout_of(m);
  double largest = 0;
  for (const MatrixPair& pair : m.pairs) largest = std::max(largest, pair.value);
  if (largest == 0) largest = 1;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Heat map of the distances with a "
      "dendrogram; "
      "a table of all pairs follows\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-size=\"{2:.1f}\" fill=\"var(--ink)\">\n",
      at.width(), at.top + at.side() + 4, at.font());
  svg += names_svg(m, at);
  const std::vector<const MatrixPair*> square = square_of_pairs(m);
  for (std::size_t i = 0; i < at.n; ++i)
    for (std::size_t j = 0; j < at.n; ++j)
      svg += cell_svg(m, at, i, j, square[m.order[i] * at.n + m.order[j]], largest);
  return svg + tree_svg(m, at) + "\n</svg>";
}

std::string matrix_map_svg(const Matrix& m) {
  constexpr double width = 720, margin = 56;
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  for (const MapPoint& point : m.map) {
    low_x = std::min(low_x, point.x), high_x = std::max(high_x, point.x);
    low_y = std::min(low_y, point.y), high_y = std::max(high_y, point.y);
  }
  // One scale for both axes: distances on the page are distances.
  const double scale = high_x > low_x ? (width - 2 * margin - 70) / (high_x - low_x) : 1;
  const double height = std::clamp(scale * (high_y - low_y), 60.0, 900.0) + 2 * margin;
  const double shrink =
      high_y > low_y ? std::min(1.0, (height - 2 * margin) / (scale * (high_y - low_y))) : 1;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Map of the samples\" "
      "width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-size=\"12\" fill=\"var(--ink)\">\n",
      width, height);
  std::vector<MapPoint> points;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < m.map.size(); ++k) {
    points.push_back({margin + shrink * scale * (m.map[k].x - low_x),
                      height - margin - shrink * scale * (m.map[k].y - low_y)});
    names.push_back(short_name(m.samples[k].name, 14));
  }
  const auto places = places_of_names(points, names, {0, 0, width, height - 36});
  for (std::size_t k = 0; k < points.size(); ++k) {
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"var(--series-0)\" fill-opacity=\".8\"><title>{}"
        "</title></circle>",
        points[k].x, points[k].y, html_text(m.samples[k].name));
    if (places[k]) svg += name_svg(points[k], *places[k], names[k]);
  }
  const double length = std::pow(10, std::floor(std::log10(std::max(1e-300, 200 / (shrink * scale)))));
  svg += fmt::format(
      "<path d=\"M{0:.1f} {1:.1f}h{2:.1f}\" stroke=\"var(--muted)\" stroke-width=\"2\"/><text x=\"{0:.1f}\" "
      "y=\"{3:.1f}\" fill=\"var(--muted)\">{4:.3g}</text>",
      margin, height - 14, length * shrink * scale, height - 20, length);
  return svg + "\n</svg>";
}

}  // namespace motmot
