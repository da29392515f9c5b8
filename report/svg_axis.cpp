#include "report/svg_axis.hpp"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace motmot
