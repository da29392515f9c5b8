// The definition of every kernel. Vector versions must agree with it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.hpp"

namespace motmot::kernels {
namespace {

void sort_pair(const Dense& k, std::size_t pair, std::size_t r) noexcept {
  float& even = k.out[2 * pair * k.out_ld + r];
  float& odd = k.out[(2 * pair + 1) * k.out_ld + r];
  if (k.order != nullptr) k.order[pair * k.out_ld + r] = even - odd;
  if (even < odd) std::swap(even, odd);
}

void unsort_pair(const Dense& k, std::size_t pair, std::size_t r) noexcept {
  if (k.mask[pair * k.out_ld + r] < 0)
    std::swap(k.out[2 * pair * k.out_ld + r], k.out[(2 * pair + 1) * k.out_ld + r]);
}

void dense(const Dense& k) noexcept {
  for (std::size_t o = 0; o < k.outputs; ++o) {
    for (std::size_t r = 0; r < tile_rows; ++r) {
      float sum = k.bias == nullptr ? 0.0f : k.bias[o];
      for (std::size_t i = 0; i < k.inputs; ++i) sum += k.w[o * k.w_out + i * k.w_in] * k.in[i * k.in_ld + r];
      if (k.activation == Activation::relu) sum = std::max(sum, 0.0f);
      if (k.activation == Activation::relu_mask && !(k.mask[o * k.out_ld + r] > 0)) sum = 0.0f;
      k.out[o * k.out_ld + r] = sum;
    }
  }
  for (std::size_t pair = 0; pair < k.outputs / 2; ++pair) {
    for (std::size_t r = 0; r < tile_rows; ++r) {
      if (k.activation == Activation::max_min) sort_pair(k, pair, r);
      if (k.activation == Activation::max_min_back) unsort_pair(k, pair, r);
    }
  }
}

void outer(const Outer& k) noexcept {
  for (std::size_t o = 0; o < k.outputs; ++o) {
    for (std::size_t i = 0; i < k.inputs; ++i) {
      float sum = 0;
      for (std::size_t r = 0; r < k.rows; ++r) sum += k.delta[r * k.outputs + o] * k.in[r * k.inputs + i];
      k.w[o * k.inputs + i] += sum;
    }
    for (std::size_t r = 0; r < k.rows; ++r) k.bias[o] += k.delta[r * k.outputs + o];
  }
}

void rmsprop(const RmsPropStep& k) noexcept {
  for (std::size_t i = 0; i < k.size; ++i) {
    k.s[i] = k.alpha * k.s[i] + (1 - k.alpha) * (k.g[i] * k.g[i]);
    const float step = k.rate * k.g[i] / (std::sqrt(k.s[i]) + k.eps);
    k.w[i] = std::clamp(k.w[i] + step, -k.clip, k.clip);
  }
}

}  // namespace

const Table scalar_table{"scalar", dense, outer, rmsprop};

}  // namespace motmot::kernels
