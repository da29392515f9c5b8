#include "critics/update_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/kernels.hpp"

namespace motmot {

void ClippedRmsProp::ascend(std::span<float> weights, std::span<const float> gradient) noexcept {
  kernels::table().rmsprop({.w = weights.data(),
                            .s = squares_.data(),
                            .g = gradient.data(),
                            .size = weights.size(),
                            .rate = options_.rate,
                            .alpha = options_.alpha,
                            .eps = options_.eps,
                            .clip = options_.clip});
}

void Adam::ascend(std::span<float> weights, std::span<const float> gradient) noexcept {
  const auto t = static_cast<double>(step_++);
  const double done = std::min(1.0, t / static_cast<double>(options_.steps));
  const double rate = options_.rate * (1 + std::cos(std::numbers::pi * done)) / 2;
  const auto step = static_cast<float>(rate / (1 - std::pow(options_.beta1, t + 1)));
  const auto unbias = static_cast<float>(1 / (1 - std::pow(options_.beta2, t + 1)));
  const auto beta1 = static_cast<float>(options_.beta1), beta2 = static_cast<float>(options_.beta2);
  const auto eps = static_cast<float>(options_.eps);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i];
    means_[i] = beta1 * means_[i] + (1 - beta1) * g;
    squares_[i] = beta2 * squares_[i] + (1 - beta2) * (g * g);
    weights[i] += step * means_[i] / (std::sqrt(squares_[i] * unbias) + eps);
  }
}

}  // namespace motmot
