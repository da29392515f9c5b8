#include "blocks/band_shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace motmot {
namespace {

double halfway(double low, double high) { return low == high ? low : low / 2 + high / 2; }

double median(RankWindow& window, std::span<const double> values) {
  const auto [low, high] = window.select(values, (values.size() - 1) / 2, values.size() / 2);
  return halfway(low, high);
}

void shares_of_values(RankWindow& window, std::span<const double> values, std::span<std::uint64_t> shares) {
  const RankBand band = rank_band(values.size());
  const auto [low, high] = window.select(values, band.first, band.last);
  std::uint64_t count = 0;  // >= 1: low and high are values
  for (const double value : values) count += low <= value && value <= high ? 1 : 0;
  const std::uint64_t share = BandShares::unit / std::max<std::uint64_t>(1, count);
  for (std::size_t k = 0; k < values.size(); ++k)
    shares[k] = low <= values[k] && values[k] <= high ? share : 0;
}

}  // namespace

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

// Below 20 values the band is the median itself: one more on each side would be 20 % of the ranks for
// K = 5, and dirty blocks may begin at 10 % from the median.
RankBand rank_band(std::uint64_t count) noexcept {
  const std::uint64_t half = count / 20;
  return {(count - 1) / 2 - half, count / 2 + half};
}

void BandShares::differences(std::span<const double> a, std::span<const double> b) {
  differences_.resize(a.size());
  std::ranges::transform(a, b, differences_.begin(), std::minus<>());
}

double BandShares::value(Estimator estimator, std::span<const double> a, std::span<const double> b) {
  switch (estimator) {
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
    case Estimator::mom:
      break;
    case Estimator::mou_diag:
      differences(a, b);
      return median(window_a_, differences_);
    case Estimator::mou:
      pairs_.assign(a, b);
      const double high = pairs_.select(pairs_.size() / 2);
      return pairs_.size() % 2 == 1 ? high : halfway(pairs_.select(pairs_.size() / 2 - 1), high);
  }
  return median(window_a_, a) - median(window_b_, b);
}

void BandShares::shares_of_pairs(std::span<const double> a, std::span<const double> b,
                                 std::span<std::uint64_t> of_a, std::span<std::uint64_t> of_b) {
  pairs_.assign(a, b);
  const RankBand band = rank_band(pairs_.size());
  const double low = pairs_.select(band.first);
  const double high = pairs_.select(band.last);
  const std::uint64_t share = std::max<std::uint64_t>(1, unit / pairs_.count_between(low, high, of_a, of_b));
  for (std::uint64_t& pairs : of_a) pairs *= share;
  for (std::uint64_t& pairs : of_b) pairs *= share;
}

void BandShares::shares(Estimator estimator, std::span<const double> a, std::span<const double> b,
                        std::span<std::uint64_t> of_a, std::span<std::uint64_t> of_b) {
  switch (estimator) {
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
    case Estimator::mom:
      shares_of_values(window_a_, a, of_a);
      return shares_of_values(window_b_, b, of_b);
    case Estimator::mou_diag:
      differences(a, b);
      shares_of_values(window_a_, differences_, of_a);
      std::ranges::copy(of_a, of_b.begin());
      return;
    case Estimator::mou:
      return shares_of_pairs(a, b, of_a, of_b);
  }
}

}  // namespace motmot
