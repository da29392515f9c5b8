/// One critic step and one generator step of Algorithm 2.
#pragma once

#include "checkpoint.hpp"
#include "motmot/gan/losses.hpp"

namespace motmot::gan {

/// Lines 3 and 4: ranks, descends, clips. `mix` is for the gradient penalty alone. The result is that of
/// critic_loss().
CriticLoss critic_step(Learner& learner, const TrainOptions& options, const torch::Tensor& real,
                       const torch::Tensor& latents, std::span<const std::uint8_t> banned = {},
                       const torch::Tensor& mix = {});

/// Lines 6 to 8.
void generator_step(Learner& learner, const torch::Tensor& latents);

/// Threads of libtorch and of its BLAS (which would spin on all cores), denormals as zero (they cost a factor
/// of ten when gradients vanish), and the device by name. Error(Errc::unsupported) when libtorch has no such
/// device.
torch::Device set_up_torch(std::size_t threads, const std::string& device);

}  // namespace motmot::gan
