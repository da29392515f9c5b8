#include "inference/score_gap.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/statistics.hpp"

namespace motmot {

double body_end(std::size_t n, std::size_t most) {
  return 1 - std::clamp(2 * static_cast<double>(most) / static_cast<double>(n), 0.1, 0.4);
}

double body_slope(std::span<const double> values, std::size_t most) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted_body_slope(sorted, most);
}

double body_place(std::span<const double> values, std::size_t most) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted_quantile(sorted, body_end(sorted.size(), most));
}

double sorted_body_slope(std::span<const double> sorted, std::size_t most) {
  const double q = body_end(sorted.size(), most);
  return (sorted_quantile(sorted, q) - sorted_quantile(sorted, 0.5)) / std::log(0.5 / (1 - q));
}

std::vector<double> in_units(std::span<const double> values, const GapRule& rule) {
  std::vector<double> units(values.begin(), values.end());
  std::ranges::sort(units, std::greater<>());
  for (double& value : units) value = (value - rule.place) / rule.slope;
  return units;
}

namespace {

/// The widest part of the gap from `low` to `high` without values of the other sample; all of it where these
/// say too little about a tail that reaches as far as the `above` of `n` own values beyond the gap: where
/// their share beyond `low` is smaller, unless eight of them are half of it.
double left_empty(double low, double high, std::size_t above, std::size_t n, const GapRule& rule) {
  constexpr std::ptrdiff_t enough_for_half = 8;
  const double from = (low - rule.place) / rule.slope, to = (high - rule.place) / rule.slope;
  const auto end = std::ranges::find_if(rule.other, [&](double unit) { return unit <= from; });
  const std::ptrdiff_t beyond = end - rule.other.begin();
  const double wanted = static_cast<double>(above * rule.other.size()) / static_cast<double>(n);
  if (static_cast<double>(beyond) < (beyond >= enough_for_half ? wanted / 2 : wanted)) return high - low;
  double widest = 0, last = to;
  for (auto unit = rule.other.begin(); unit != end; ++unit) {
    if (*unit >= to) continue;
    widest = std::max(widest, last - *unit);
    last = *unit;
  }
  return rule.slope * std::max(widest, last - from);
}

}  // namespace

std::vector<std::uint32_t> above_gap(std::span<const double> values, std::span<const double> scores,
                                     const GapRule& rule) {
  assert(values.size() == scores.size() && rule.most < values.size());
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return values[i] != values[j] ? values[i] > values[j] : i < j;
  });
  const auto gap = [&](std::size_t i) { return values[order[i - 1]] - values[order[i]]; };
  const auto significance = [&](std::size_t i) { return static_cast<double>(i) * gap(i); };
  const double limit = rule.slope * std::log(static_cast<double>(rule.most) / rule.alpha);
  const auto counts = [&](std::size_t i) {
    const auto suffices = [&](double width) {
      return static_cast<double>(i) * width > limit && width > rule.need;
    };
    return suffices(gap(i)) && i >= rule.least &&
           scores[order[i - 1]] - scores[order[i]] >= rule.need_in_score &&
           suffices(left_empty(values[order[i]], values[order[i - 1]], i, values.size(), rule));
  };
  double best = 0;
  for (std::size_t i = 1; i <= rule.most; ++i)
    if (counts(i)) best = std::max(best, significance(i));
  constexpr double share_of_best = 0.3;
  for (std::size_t i = rule.most; i >= 1; --i)
    if (counts(i) && significance(i) >= share_of_best * best) {
      order.resize(i);
      return order;
    }
  return {};
}

}  // namespace motmot
