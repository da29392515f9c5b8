/// What the files of the theory share: checks, and rounding that forgives the last bits.
#pragma once

#include <cmath>
#include <cstddef>

#include "base/require.hpp"
#include "motmot/theory.hpp"

namespace motmot {

inline void require_tau(double tau) {
  require(tau >= 0 && tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 0.5), got ", tau);
}

inline void require_sizes(std::size_t n, std::size_t m) {
  require(n >= 1 && m >= 1, Errc::invalid_argument, "need n >= 1 and m >= 1, got n = ", n, ", m = ", m);
}

/// floor and ceil of a value >= 0 that is exact in decimal but not in binary: 0.07 * 200 is 14 and a
/// bit, and a rule that says ceil must not make 15 of it.
inline std::size_t floor_count(double value) {
  return static_cast<std::size_t>(std::floor(value * (1 + 1e-12)));
}
inline std::size_t ceil_count(double value) {
  return static_cast<std::size_t>(std::ceil(value * (1 - 1e-12)));
}

/// tau_x + tau_y - tau_x tau_y: the share of pairs (i, j) that are dirty.
inline double pair_tau(double tau_x, double tau_y) { return tau_x + tau_y - tau_x * tau_y; }

/// The tau that Prop. 4 (prop:consistency) puts into each sample's K.
struct OwnTau {
  double x = 0;
  double y = 0;
};
OwnTau own_tau(Estimator estimator, double tau_x, double tau_y) noexcept;

/// p, p_x and p_y for given K.
BlockChoice describe_blocks(Estimator estimator, BlockCounts k, std::size_t n, std::size_t m, double tau_x,
                            double tau_y);

}  // namespace motmot
