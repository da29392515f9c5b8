#include "base/bucket_select.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace motmot {
namespace {

constexpr std::size_t few = 24;

struct Range {
  double low, high;
};

/// Four lanes, so that comparisons do not wait for each other.
Range range_of(std::span<const double> values) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> low, high;
  low.fill(values.front());
  high.fill(values.front());
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      low[k] = std::min(low[k], values[i + k]);
      high[k] = std::max(high[k], values[i + k]);
    }
  for (; i < values.size(); ++i) {
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
  }
  return {std::ranges::min(low), std::ranges::max(high)};
}

double nth(std::span<double> values, std::size_t rank) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

BucketSelect::Two BucketSelect::operator()(std::span<const double> values, std::size_t first,
                                           std::size_t last) {
  assert(first <= last && last < values.size());
  if (values.size() <= few || !count(values)) {
    kept_.assign(values.begin(), values.end());
    return {nth(kept_, first), nth(kept_, last)};
  }
  const double low = within_bucket(values, first);
  return {low, first == last ? low : within_bucket(values, last)};
}

void BucketSelect::operator()(std::span<const double> values, std::span<const std::size_t> ranks,
                              std::span<double> out) {
  assert(ranks.size() == out.size());
  if (values.size() <= few || !count(values)) {
    kept_.assign(values.begin(), values.end());
    std::ranges::sort(kept_);
    for (std::size_t k = 0; k < ranks.size(); ++k) out[k] = kept_[ranks[k]];
    return;
  }
  put_in_order_of_buckets(values);
  std::size_t bucket = 0, first = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    if (ranks[k] < first) bucket = first = 0;
    for (; ranks[k] >= first + count_[bucket]; ++bucket) first += count_[bucket];
    out[k] = nth(std::span(kept_).subspan(first, count_[bucket]), ranks[k] - first);
  }
}

void BucketSelect::put_in_order_of_buckets(std::span<const double> values) {
  std::array<std::uint32_t, buckets> next;
  std::exclusive_scan(count_.begin(), count_.end(), next.begin(), 0u);
  kept_.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) kept_[next[place_[i]]++] = values[i];
}

bool BucketSelect::count(std::span<const double> values) {
  const Range range = range_of(values);
  const double scale = static_cast<double>(buckets) / (range.high - range.low);
  if (!std::isfinite(scale) || scale == 0) return false;
  count_.fill(0);
  place_.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {  // rounding keeps the order
    const auto bucket = std::min(static_cast<std::int32_t>((values[i] - range.low) * scale),
                                 static_cast<std::int32_t>(buckets) - 1);
    place_[i] = static_cast<std::uint8_t>(bucket);
    ++count_[static_cast<std::size_t>(bucket)];
  }
  return true;
}

double BucketSelect::within_bucket(std::span<const double> values, std::size_t rank) {
  std::size_t wanted = 0;
  for (; rank >= count_[wanted]; ++wanted) rank -= count_[wanted];
  kept_.resize(values.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    kept_[size] = values[i];
    size += place_[i] == wanted ? 1 : 0;
  }
  return nth(std::span(kept_).first(size), rank);
}

}  // namespace motmot
