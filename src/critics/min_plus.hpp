/// The min-plus critic phi_g(x) = min_j (|x - y_j| - g_j): 1-Lipschitz whatever g is, and rich enough, since
/// the medians grow with phi(X_i) and this is the largest 1-Lipschitz function with given values on Y.
#pragma once

#include <span>
#include <vector>

#include "base/threads.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Coordinates (of data centred and scaled robustly) beyond +-this count as +-this. Cutting off shortens
/// distances, so a 1-Lipschitz function of the cut point is one of the point; and it bounds the rounding of
/// a distance, 2^-53 of it, to 1e-8, so that an anchor far away cannot disturb phi nearby.
inline constexpr double farthest_coordinate = 1e8;
Points within_reach(PointsView points);
bool is_within_reach(PointsView points);

/// Points for minima to run over, stored coordinate after coordinate.
class Anchors {
 public:
  explicit Anchors(PointsView points);
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  /// out[i] = min_j (|rows_i - anchor_j| - g_j) in double: n m d work, the same bits for any team.
  void min_plus(PointsView rows, std::span<const double> g, std::span<double> out, Team& team) const;

 private:
  std::size_t count_, d_, stride_;
  std::vector<double> coordinates_;
};

}  // namespace motmot
