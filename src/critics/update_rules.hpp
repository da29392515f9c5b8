/// How weights follow a gradient. A rule keeps its own state.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/kernels.hpp"

namespace motmot {

/// RMSProp, then every weight clipped to [-clip, clip]: lines 7.1 and 7.2 of Algorithms 1, 3, 4.
class ClippedRmsProp {
 public:
  struct Options {
    float rate = 5e-5f;
    float alpha = 0.99f;
    float eps = 1e-8f;
    float clip = 0.01f;
  };

  ClippedRmsProp(std::size_t size, const Options& options) : options_(options), squares_(size) {}
  void ascend(std::span<float> weights, std::span<const float> gradient) noexcept {
    kernels::table().rmsprop({.w = weights.data(),
                              .s = squares_.data(),
                              .g = gradient.data(),
                              .size = weights.size(),
                              .rate = options_.rate,
                              .alpha = options_.alpha,
                              .eps = options_.eps,
                              .clip = options_.clip});
  }

  /// What it remembers, for a checkpoint, and the way back.
  [[nodiscard]] std::vector<float> state() const { return squares_; }
  void restore(std::span<const float> state, std::size_t /*steps*/) {
    squares_.assign(state.begin(), state.end());
  }

 private:
  Options options_;
  std::vector<float> squares_;
};

/// From 1 at the start of a run to 0 at its end, along a cosine: what Adam's rates are multiplied by.
inline double cosine_decay(double share_done) {
  return (1 + std::cos(std::numbers::pi * std::min(1.0, share_done))) / 2;
}

/// Adam (Kingma and Ba, 2015). The caller gives the rate of each step.
template <class T>
class Adam {
 public:
  explicit Adam(std::size_t size, double eps = 1e-8)
      : eps_(static_cast<T>(eps)), means_(size), squares_(size) {}

  void ascend(std::span<T> weights, std::span<const T> gradient, double rate) noexcept {
    constexpr auto beta1 = static_cast<T>(0.9), beta2 = static_cast<T>(0.99);
    const auto t = static_cast<double>(++step_);
    const double unbias1 = 1 - std::pow(0.9, t), unbias2 = 1 - std::pow(0.99, t);
    // Networks have many weights: in float one product does for rate and correction, and none divides.
    const auto step = static_cast<float>(rate / unbias1), inverse2 = static_cast<float>(1 / unbias2);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const T g = gradient[i];
      means_[i] = beta1 * means_[i] + (1 - beta1) * g;
      if constexpr (std::is_same_v<T, float>) {
        squares_[i] = beta2 * squares_[i] + (1 - beta2) * (g * g);
        weights[i] += step * means_[i] / (std::sqrt(squares_[i] * inverse2) + eps_);
      } else {
        squares_[i] = beta2 * squares_[i] + (1 - beta2) * g * g;
        weights[i] += rate * (means_[i] / unbias1) / (std::sqrt(squares_[i] / unbias2) + eps_);
      }
    }
  }

  /// What it remembers: the means, then the squares.
  [[nodiscard]] std::vector<T> state() const {
    std::vector<T> both = means_;
    both.insert(both.end(), squares_.begin(), squares_.end());
    return both;
  }
  void restore(std::span<const T> state, std::size_t steps) {
    std::ranges::copy(state.first(means_.size()), means_.begin());
    std::ranges::copy(state.last(squares_.size()), squares_.begin());
    step_ = steps;
  }

 private:
  T eps_;
  std::size_t step_ = 0;
  std::vector<T> means_, squares_;
};

}  // namespace motmot
