#pragma once

#include <torch/torch.h>

namespace motmot::gan {

/// torch::conv_transpose2d of 4 x 4 kernels, stride 2, padding 1: doubles height and width. libtorch 1.13
/// computes that by one matrix product per image; as the gradient of a convolution, which is what it is,
/// oneDNN does the whole batch. Once differentiable.
[[nodiscard]] torch::Tensor transposed_convolution(const torch::Tensor& x, const torch::Tensor& weight);

}  // namespace motmot::gan
