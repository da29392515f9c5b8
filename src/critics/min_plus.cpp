#include "critics/min_plus.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/min_plus_kernels.hpp"

namespace motmot {

Points within_reach(PointsView points) {
  Points result(points.rows(), points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i)
    std::ranges::transform(points.row(i), result.row(i).begin(), [](double value) {
      return std::clamp(value, -farthest_coordinate, farthest_coordinate);
    });
  return result;
}

bool is_within_reach(PointsView points) {
  return std::all_of(points.data, points.data + points.rows() * points.cols(),
                     [](double value) { return std::abs(value) <= farthest_coordinate; });
}

Anchors::Anchors(PointsView points)
    : count_(points.rows()),
      d_(points.cols()),
      stride_(kernels::min_plus_padded(count_)),
      coordinates_(d_ * stride_) {
  for (std::size_t j = 0; j < count_; ++j)
    for (std::size_t k = 0; k < d_; ++k) coordinates_[k * stride_ + j] = points(j, k);
}

void Anchors::min_plus(PointsView rows, std::span<const double> g, std::span<double> out, Team& team) const {
  assert(rows.cols() == d_ && g.size() == count_ && out.size() == rows.rows());
  std::vector<double> offset(stride_, kernels::no_anchor_double);
  std::ranges::transform(g, offset.begin(), [](double value) { return -value; });
  constexpr std::size_t tile = 32;
  constexpr double coordinates_a_second = 2e9;
  const Work work{static_cast<double>(rows.rows() * stride_ * d_) / coordinates_a_second};
  team.run((rows.rows() + tile - 1) / tile, work, [&](std::size_t t, std::size_t) {
    const std::size_t first = t * tile;
    kernels::min_plus_kernels().scan({.rows = rows.data + first * d_,
                                      .count = std::min(tile, rows.rows() - first),
                                      .d = d_,
                                      .anchors = coordinates_.data(),
                                      .stride = stride_,
                                      .offset = offset.data(),
                                      .out = out.data() + first});
  });
}

}  // namespace motmot
