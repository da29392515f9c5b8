/// The losses of Section 4.3 and their one-sided, row-wise alternative, as functions of a critic and two
/// batches.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "motmot/gan/nets.hpp"
#include "motmot/gan/selection.hpp"

namespace motmot::gan {

struct CriticLoss {
  torch::Tensor loss;  ///< mean f(fake) - mean f(real) over the selection; backward() gives the gradient
  std::vector<float> real_values;  ///< f of every real image, before the step
  Selection selection;             ///< what carried the gradient
};

/// What a critic step minimises. `real` holds the K blocks one after the other (mom, mou, mou-diag: sizes are
/// multiples of K; `fake` too for mou and mou-diag). Block losses rank all blocks in one pass without
/// gradients and then go through the median block alone: a backward pass through the whole batch would
/// compute zeros. trim needs one pass. With Norm::batch blocks are normalised one by one, real and fake
/// apart.
[[nodiscard]] CriticLoss critic_loss(const Critic& critic, const torch::Tensor& real,
                                     const torch::Tensor& fake, const LossOptions& options,
                                     std::span<const std::uint8_t> banned = {});

/// The rows of a batch that a selection names; all of them where it names none.
[[nodiscard]] torch::Tensor rows_of(const torch::Tensor& batch, const std::vector<std::int64_t>& rows);

/// Mean over images of (|gradient of f| - 1)^2, at mix * real + (1 - mix) * fake (Gulrajani et al., 2017);
/// `mix` has one number per image.
[[nodiscard]] torch::Tensor gradient_penalty(const Critic& critic, const torch::Tensor& real,
                                             const torch::Tensor& fake, const torch::Tensor& mix);

/// What a generator step minimises: -mean f(fake).
[[nodiscard]] torch::Tensor generator_loss(const Critic& critic, const torch::Tensor& fake);

}  // namespace motmot::gan
