#include "critics/semi_dual.hpp"

#include <algorithm>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "critics/update_rules.hpp"
#include "data/robust_scale.hpp"
#include "kernels/min_plus_kernels.hpp"
#include "kernels/transport_kernels.hpp"

namespace motmot {
namespace {

constexpr std::size_t tile = 32;
constexpr double far_norm = 1e3;
constexpr double first_rate = 0.02;     ///< of the median distance, falling to 0 along a cosine
constexpr double costs_a_second = 4e9;  ///< that one core passes over
constexpr std::size_t partitions_per_step = 8, steps_between_lifts = 25;

std::vector<double> norms(PointsView points) {
  return distances_from(points, std::vector<double>(points.cols()));
}

/// Of some thousand pairs spread over both samples.
double median_distance(PointsView x, PointsView y) {
  if (x.rows() == 0 || y.rows() == 0) return 0;
  std::vector<double> distances(2001);
  for (std::size_t k = 0; k < distances.size(); ++k)
    distances[k] = euclidean(x.row(k * 7919 % x.rows()), y.row(k * 104729 % y.rows()));
  return upper_median(distances);
}

}  // namespace

SemiDual::SemiDual(PointsView x, PointsView y, std::size_t stored_costs, Team& team)
    : x_(x),
      y_(y),
      team_(team),
      stride_(kernels::min_plus_padded(y.rows())),
      r_(norms(x)),
      s_(norms(y)),
      distance_(median_distance(x, y)),
      g_(y.rows()),
      g32_(stride_, -kernels::no_anchor),
      value_(x.rows()),
      at_(x.rows()),
      phi_{std::vector<double>(x.rows()), std::vector<double>(y.rows())},
      gradient_(y.rows()),
      scratch_(team.size(), std::vector<float>(stride_)),
      lowest_(team.size(), std::vector<float>(stride_)) {
  far_ = std::max(std::ranges::max(r_), std::ranges::max(s_)) > far_norm;
  x.rows() <= stored_costs / sizeof(float) / stride_ ? store_costs() : store_points();
}

/// visit(row, worker) for the rows of X, a tile of them at a time.
template <class Visit>
void SemiDual::for_each_row(Visit visit) {
  const Work work{static_cast<double>(x_.rows() * stride_) / costs_a_second};
  team_.run((x_.rows() + tile - 1) / tile, work, [&](std::size_t t, std::size_t worker) {
    for (std::size_t i = t * tile; i < std::min(x_.rows(), (t + 1) * tile); ++i) visit(i, worker);
  });
}

void SemiDual::store_costs() {
  cost_.resize(x_.rows() * stride_);
  for_each_row([&](std::size_t i, std::size_t) {
    for (std::size_t j = 0; j < y_.rows(); ++j)
      cost_[i * stride_ + j] = static_cast<float>(euclidean(x_.row(i), y_.row(j)) - r_[i] - s_[j]);
  });
}

void SemiDual::store_points() {
  x32_.assign(x_.data, x_.data + x_.rows() * x_.cols());
  y32_.resize(y_.cols() * stride_);
  s32_.resize(stride_);
  for (std::size_t j = 0; j < y_.rows(); ++j) {
    for (std::size_t k = 0; k < y_.cols(); ++k) y32_[k * stride_ + j] = static_cast<float>(y_(j, k));
    s32_[j] = static_cast<float>(s_[j]);
  }
}

const float* SemiDual::cost_row(std::size_t i, std::span<float> scratch) const {
  if (!cost_.empty()) return cost_.data() + i * stride_;
  const kernels::GaugeRow row{.x = x32_.data() + i * x_.cols(),
                              .r = static_cast<float>(r_[i]),
                              .y = y32_.data(),
                              .stride = stride_,
                              .s = s32_.data(),
                              .d = x_.cols()};
  const auto& gauge = kernels::transport_kernels();
  (far_ ? gauge.gauge_row_far : gauge.gauge_row)(row, stride_, scratch.data());
  return scratch.data();
}

/// phi on X by the minimum, on Y by its bound -g.
void SemiDual::evaluate() {
  for (std::size_t j = 0; j < g_.size(); ++j) {
    g32_[j] = static_cast<float>(g_[j]);
    phi_.y[j] = -(g_[j] + s_[j]);
  }
  for_each_row([&](std::size_t i, std::size_t worker) {
    const kernels::MinAt best =
        kernels::min_plus_kernels().min_plus(cost_row(i, scratch_[worker]), g32_.data(), stride_);
    value_[i] = best.value;
    at_[i] = best.at;
    phi_.x[i] = r_[i] + static_cast<double>(best.value);
  });
}

/// The largest g that leaves phi on X as it is, g_j = min_i (c_ij - phi_i): no value falls, and -g becomes
/// phi(Y). Without it an anchor that no row touches climbs by one rate a step, however far it has to go.
void SemiDual::lift() {
  for (auto& lowest : lowest_) std::ranges::fill(lowest, kernels::no_anchor);
  for_each_row([&](std::size_t i, std::size_t worker) {
    kernels::min_plus_kernels().lower(cost_row(i, scratch_[worker]), value_[i], stride_,
                                      lowest_[worker].data());
  });
  for (std::size_t j = 0; j < g_.size(); ++j) {
    float lowest = lowest_.front()[j];
    for (const auto& other : lowest_) lowest = std::min(lowest, other[j]);
    g_[j] = static_cast<double>(lowest);
    phi_.y[j] = -(g_[j] + s_[j]);
  }
}

/// d/dg_j of <w_x, phi_g(X)> - <w_y, -g>.
void SemiDual::set_gradient(const RowWeights& w) {
  std::ranges::copy(w.y, gradient_.begin());
  for (std::size_t i = 0; i < at_.size(); ++i) gradient_[at_[i]] -= w.x[i];
}

std::vector<double> SemiDual::ascend(std::span<const double> g, PartitionPasses& draws, std::size_t steps,
                                     const Progress& progress, std::size_t& steps_done) {
  for (std::size_t j = 0; j < g_.size(); ++j) g_[j] = g[j] - s_[j];
  Adam<double> adam(g_.size(),
                    1e-3 / static_cast<double>(g_.size()));  // a gradient's entries are shares of 1
  for (std::size_t t = 0; t < steps; ++t, ++steps_done) {
    const double done = static_cast<double>(t) / static_cast<double>(steps);
    if (progress && t % 16 == 0 && !progress(done)) break;
    evaluate();
    if (t % steps_between_lifts == 0) lift();
    set_gradient(draws.weights(phi_, partitions_per_step, t));
    adam.ascend(g_, gradient_, first_rate * distance_ * cosine_decay(done));
  }
  std::vector<double> result(g_.size());
  for (std::size_t j = 0; j < g_.size(); ++j) result[j] = g_[j] + s_[j];
  return result;
}

}  // namespace motmot
