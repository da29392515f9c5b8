/// The ground cost: Euclidean distance between two rows.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace motmot {

/// The squares of p - q, summed from the first column to the last.
inline double squared_distance(const double* p, const double* q, std::size_t d) noexcept {
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) sum += (p[k] - q[k]) * (p[k] - q[k]);
  return sum;
}

/// The same where squares would leave the range of double. Large coordinates are shrunk before the
/// difference, which could overflow; small differences are grown after it. Powers of two, so that neither
/// rounds.
inline double extreme_distance(std::span<const double> p, std::span<const double> q, bool large) noexcept {
  const double shrink = large ? 0x1p-600 : 1;
  const double grow = large ? 1 : 0x1p600;
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double step = (p[k] * shrink - q[k] * shrink) * grow;
    sum += step * step;
  }
  return std::sqrt(sum) / shrink / grow;
}

/// |p - q| for any finite rows. A distance beyond the range of double is the largest double.
inline double euclidean(std::span<const double> p, std::span<const double> q) noexcept {
  assert(p.size() == q.size());
  const double sum = squared_distance(p.data(), q.data(), p.size());
  // Between these no square that matters has overflowed or lost bits.
  if (1e-280 < sum && sum < 1e300) [[likely]]
    return std::sqrt(sum);
  const double distance = extreme_distance(p, q, !(sum < 1));
  return distance < std::numeric_limits<double>::max() ? distance : std::numeric_limits<double>::max();
}

}  // namespace motmot
