#include "blocks/rank_window.hpp"

#include <algorithm>
#include <cmath>

namespace motmot {

/// Puts the values within [low, high] to the front of inside_; returns how many lie below.
std::size_t RankWindow::fill(std::span<const double> values, double low, double high) {
  inside_.resize(values.size());
  std::size_t count = 0, below = 0;
  for (const double value : values) {
    inside_[count] = value;
    count += value >= low && value <= high ? 1 : 0;
    below += value < low ? 1 : 0;
  }
  inside_count_ = count;
  return below;
}

/// From all values: a window that reaches 2 sqrt(n) ranks to either side. A median of n values moves by
/// sqrt(n / 2) ranks from one array to the next (sd).
void RankWindow::widen(std::size_t first, std::size_t last) {
  const std::span<double> all(inside_.data(), inside_count_);
  const auto margin = static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(all.size()))) + 1;
  const double low = nth_(all, first > margin ? first - margin : 0);
  const double high = nth_(all, std::min(all.size() - 1, last + margin));
  below_ = std::min(nth_(all, first) - low, std::numeric_limits<double>::max());
  above_ = std::min(high - nth_(all, last), std::numeric_limits<double>::max());
}

RankWindow::Values RankWindow::select(std::span<const double> values, std::size_t first, std::size_t last) {
  std::size_t below = fill(values, low_, high_);
  if (first < below || last >= below + inside_count_) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    below = fill(values, -infinity, infinity);
    widen(first, last);
  }
  const std::span<double> inside(inside_.data(), inside_count_);
  const Values result = nth_(inside, first - below, last - below);
  low_ = result.first - below_;
  high_ = result.last + above_;
  return result;
}

}  // namespace motmot
