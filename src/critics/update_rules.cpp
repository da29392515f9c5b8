#include "critics/update_rules.hpp"

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

}  // namespace motmot
