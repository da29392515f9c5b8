#include "report/svg_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace motmot {
namespace {

double nice_step(double range, int wanted) {
  const double raw = range / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double step : {1.0, 2.0, 2.5, 5.0})
    if (raw <= step * power) return step * power;
  return 10 * power;
}

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  const bool few = std::log10(high / low) < 3.2;
  for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, e) <= high; ++e)
    for (const double step : {1.0, 2.0, 5.0}) {
      const double tick = step * std::pow(10.0, e);
      if ((few || step == 1.0) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
        ticks.push_back(tick);
    }
  return ticks;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Range {
  double low = infinity, high = -infinity;
  void add(double value, bool log) {
    if (!std::isfinite(value) || (log && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range x_range(const Chart& chart) {
  Range range;
  for (const Series& s : chart.series)
    for (const double x : s.x) range.add(x, chart.x_log);
  for (const Guide& g : chart.guides)
    if (g.vertical) range.add(g.at, chart.x_log);
  for (std::size_t i = 0; i < chart.categories.size(); ++i) range.add(static_cast<double>(i), false);
  if (!std::isfinite(range.low)) range = {chart.x_log ? 1.0 : 0.0, chart.x_log ? 10.0 : 1.0};
  if (!chart.categories.empty()) return {range.low - 0.5, range.high + 0.5};
  const double room = (range.high - range.low) * 0.02;
  if (!chart.x_log) return {range.low - room, range.high + room};
  return {range.low / 1.08, std::max(range.high * 1.08, range.low * 1.2)};
}

Range y_range(const Chart& chart) {
  Range range;
  bool bars = false;
  for (const Series& s : chart.series) {
    for (const std::vector<double>* values : {&s.y, &s.low, &s.high})
      for (const double y : *values) range.add(y, chart.y_log);
    bars = bars || s.mark == Series::Mark::bars;
  }
  for (const Guide& g : chart.guides)
    if (!g.vertical) range.add(g.at, chart.y_log);
  if (!std::isfinite(range.low)) range = {chart.y_log ? 1.0 : 0.0, chart.y_log ? 10.0 : 1.0};
  if (chart.y_log) return {range.low / 1.15, std::max(range.high * 1.15, range.low * 2)};
  if (bars || (range.low > 0 && range.low < 0.4 * range.high)) range.low = std::min(range.low, 0.0);
  const double room = (range.high - range.low) * 0.06;
  return {range.low == 0 ? 0 : range.low - room, range.high + (room > 0 ? room : 1)};
}

std::string colour_of(const Chart& chart, std::size_t i) {
  return chart.series[i].highlight ? std::string(ink::accent) : series_colour(i, chart.series.size());
}

/// Draws inside one box; knows both axes.
class Panel {
 public:
  Panel(SvgCanvas& canvas, const Chart& chart, const Box& box)
      : canvas_(canvas),
        chart_(chart),
        left_(box.x + 58),
        right_(box.x + box.width - 14),
        top_(box.y + 26),
        bottom_(box.y + box.height - 44),
        x_(x_range(chart).low, x_range(chart).high, chart.x_log, left_, right_),
        y_(y_range(chart).low, y_range(chart).high, chart.y_log, bottom_, top_) {}

  void draw() {
    canvas_.text((left_ + right_) / 2, top_ - 10, chart_.title,
                 {.size = 13, .anchor = "middle", .bold = true});
    draw_axes();
    for (const Guide& guide : chart_.guides) draw_guide(guide);
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      if (!chart_.series[i].low.empty()) draw_spread(chart_.series[i], colour(i));
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      if (!chart_.series[i].highlight) draw_series(i);
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      if (chart_.series[i].highlight) draw_series(i);
    for (const Guide& guide : chart_.guides) label_guide(guide);
  }

 private:
  [[nodiscard]] std::string colour(std::size_t i) const { return colour_of(chart_, i); }
  [[nodiscard]] double y_place(double y) const {
    return std::clamp(y_.place(chart_.y_log ? std::max(y, y_.low()) : y), top_, bottom_);
  }
  [[nodiscard]] bool drawable(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!chart_.x_log || x > 0) && (!chart_.y_log || y > 0);
  }

  void draw_axes() {
    for (const double tick : y_.ticks()) {
      canvas_.line(left_, y_.place(tick), right_, y_.place(tick), ink::grid);
      canvas_.text(left_ - 6, y_.place(tick) + 4, tick_label(tick),
                   {.size = 11, .colour = ink::muted, .anchor = "end"});
    }
    canvas_.line(left_, bottom_, right_, bottom_, ink::axis);
    const TextStyle style{.size = 11, .colour = ink::muted, .anchor = "middle"};
    if (chart_.categories.empty()) {
      for (const double tick : x_.ticks()) {
        canvas_.line(x_.place(tick), bottom_, x_.place(tick), bottom_ + 4, ink::axis);
        canvas_.text(x_.place(tick), bottom_ + 16, tick_label(tick), style);
      }
    }
    for (std::size_t i = 0; i < chart_.categories.size(); ++i)
      canvas_.text(x_.place(static_cast<double>(i)), bottom_ + 16, chart_.categories[i], style);
    canvas_.text((left_ + right_) / 2, bottom_ + 34, chart_.x_label, {.size = 12, .anchor = "middle"});
    canvas_.text(left_ - 44, (top_ + bottom_) / 2, chart_.y_label,
                 {.size = 12, .anchor = "middle", .turn = -90});
  }

  void draw_guide(const Guide& g) {
    if (g.vertical) canvas_.line(x_.place(g.at), top_, x_.place(g.at), bottom_, ink::muted, 1.2, "5 4");
    else canvas_.line(left_, y_place(g.at), right_, y_place(g.at), ink::muted, 1.2, "5 4");
  }

  /// After the series, so that lines do not cross the words.
  void label_guide(const Guide& g) {
    const TextStyle style{
        .size = 11, .colour = ink::muted, .anchor = g.vertical ? "start" : "end", .halo = true};
    if (g.vertical) return canvas_.text(x_.place(g.at) + 4, top_ + 11, g.label, style);
    const bool below = y_place(g.at) - top_ < 24;
    canvas_.text(right_ - 2, y_place(g.at) + (below ? 17 : -5), g.label, style);
  }

  /// A band around a line, whiskers on points and bars.
  void draw_spread(const Series& s, const std::string& fill) {
    if (s.mark == Series::Mark::line) return draw_band(s, fill);
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (drawable(s.x[i], s.y[i]))
        canvas_.line(x_.place(s.x[i]), y_place(s.low[i]), x_.place(s.x[i]), y_place(s.high[i]), fill, 1.4);
  }

  void draw_band(const Series& s, const std::string& fill) {
    std::vector<std::pair<double, double>> outline;
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (drawable(s.x[i], s.y[i])) outline.emplace_back(x_.place(s.x[i]), y_place(s.high[i]));
    for (std::size_t i = s.x.size(); i-- > 0;)
      if (drawable(s.x[i], s.y[i])) outline.emplace_back(x_.place(s.x[i]), y_place(s.low[i]));
    canvas_.polygon(outline, fill, 0.13);
  }

  void draw_series(std::size_t index) {
    const Series& s = chart_.series[index];
    if (s.mark == Series::Mark::bars) return draw_bars(index);
    std::vector<std::pair<double, double>> piece;
    const auto end_piece = [&] {
      if (s.mark == Series::Mark::line && piece.size() > 1)
        canvas_.polyline(piece, colour(index), s.highlight ? 2.6 : 1.8);
      piece.clear();
    };
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s.x[i], s.y[i])) {
        end_piece();
        continue;
      }
      piece.emplace_back(x_.place(s.x[i]), y_place(s.y[i]));
      if (s.mark == Series::Mark::points || s.x.size() <= 12)
        canvas_.circle(piece.back().first, piece.back().second, 2.6, colour(index));
    }
    end_piece();
  }

  void draw_bars(std::size_t index) {
    const Series& s = chart_.series[index];
    std::size_t others = 0, before = 0, most = 1;
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      if (chart_.series[i].mark == Series::Mark::bars) {
        ++others;
        before += i < index ? 1 : 0;
        most = std::max(most, chart_.series[i].x.size());
      }
    const double slot = (right_ - left_) / static_cast<double>(std::max(most, chart_.categories.size()));
    const double width = 0.8 * slot / static_cast<double>(others);
    const double ground = y_place(chart_.y_log ? y_.low() : 0);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s.x[i], s.y[i])) continue;
      const double at = x_.place(s.x[i]) - 0.4 * slot + width * static_cast<double>(before);
      const double end = y_place(s.y[i]);
      canvas_.rect(at, std::min(end, ground), width, std::abs(end - ground), colour(index), 0.85);
    }
  }

  SvgCanvas& canvas_;
  const Chart& chart_;
  double left_, right_, top_, bottom_;
  Axis x_, y_;
};

double entry_width(const Series& s) { return 42 + 7.0 * static_cast<double>(s.name.size()); }

template <class Draw>
double lay_out_legend(const Chart& chart, double width, Draw draw) {
  double x = 0, y = 0;
  bool any = false;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (chart.series[i].name.empty()) continue;
    if (x > 0 && x + entry_width(chart.series[i]) > width) {
      x = 0;
      y += 18;
    }
    draw(i, x, y);
    x += entry_width(chart.series[i]);
    any = true;
  }
  return any ? y + 18 : 0;
}

}  // namespace

Axis::Axis(double low, double high, bool log, double from, double to)
    : low_(low), high_(high), log_(log), from_(from), to_(to) {
  if (log_) return;
  if (high_ <= low_) high_ = low_ + (low_ == 0 ? 1 : std::abs(low_));
}

double Axis::place(double value) const {
  const double t = log_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return from_ + t * (to_ - from_);
}

std::vector<double> Axis::ticks() const {
  if (log_) return log_ticks(low_, high_);
  std::vector<double> ticks;
  const double step = nice_step(high_ - low_, 6);
  const double first = std::ceil(low_ / step - 1e-9);
  for (double i = first; i * step <= high_ + 1e-9 * step; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string tick_label(double value) {
  if (std::abs(value) < 1e-12) return "0";
  const double size = std::abs(value);
  if (size >= 1e5 || size < 1e-4) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", std::round(value * 1e6) / 1e6);
}

void draw_panel(SvgCanvas& canvas, const Chart& chart, const Box& box) { Panel(canvas, chart, box).draw(); }

double legend_height(const Chart& chart, double width) {
  return lay_out_legend(chart, width, [](std::size_t, double, double) {});
}

double draw_legend(SvgCanvas& canvas, const Chart& chart, double x, double y, double width) {
  return lay_out_legend(chart, width, [&](std::size_t i, double dx, double dy) {
    const Series& s = chart.series[i];
    const std::string colour = colour_of(chart, i);
    if (s.mark == Series::Mark::line)
      canvas.line(x + dx, y + dy + 8, x + dx + 18, y + dy + 8, colour, s.highlight ? 3 : 2.4);
    else canvas.rect(x + dx + 4, y + dy + 3, 10, 10, colour);
    canvas.text(x + dx + 23, y + dy + 12, s.name, {.size = 12});
  });
}

std::string described(const Chart& chart) {
  std::string text = chart.title.empty() ? "" : chart.title + ": ";
  text += fmt::format("{} over {}.", chart.y_label.empty() ? "values" : chart.y_label,
                      chart.x_label.empty() ? "x" : chart.x_label);
  for (const Series& s : chart.series) {
    if (s.y.empty()) continue;
    text += fmt::format(" {} from {:.3g} to {:.3g};", s.name.empty() ? "values" : s.name, s.y.front(),
                        s.y.back());
  }
  text.back() = '.';
  return text;
}

}  // namespace motmot
