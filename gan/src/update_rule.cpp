#include "update_rule.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"

namespace motmot::gan {

void UpdateRule::descend(std::span<float> weights, std::span<const float> gradient) noexcept {
  ++steps_;
  if (options_.optimizer == Optimizer::adam) {
    adam(weights.data(), gradient.data(), weights.size());
    for (float& weight : weights) weight = std::clamp(weight, -options_.clip, options_.clip);
    return;
  }
  kernels::table().rmsprop({.w = weights.data(),
                            .s = squares_.data(),
                            .g = gradient.data(),
                            .size = weights.size(),
                            .rate = -options_.rate,  // the kernel ascends
                            .alpha = 0.99f,
                            .eps = 1e-8f,
                            .clip = options_.clip});
}

void UpdateRule::adam(float* __restrict weights, const float* __restrict gradient, std::size_t n) noexcept {
  float* __restrict means = means_.data(), * __restrict squares = squares_.data();
  const auto t = static_cast<double>(steps_);
  const auto step = static_cast<float>(static_cast<double>(options_.rate) / (1 - std::pow(0.5, t)));
  const auto root = static_cast<float>(std::sqrt(1 - std::pow(0.9, t)));
  for (std::size_t i = 0; i < n; ++i) {
    const float g = gradient[i];
    means[i] = 0.5f * means[i] + 0.5f * g;
    squares[i] = 0.9f * squares[i] + 0.1f * g * g;
    weights[i] -= step * means[i] / (std::sqrt(squares[i]) / root + 1e-8f);
  }
}

}  // namespace motmot::gan
