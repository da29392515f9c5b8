/// One critic step and one generator step of Algorithm 2.
#pragma once

#include "checkpoint.hpp"
#include "motmot/gan/losses.hpp"

namespace motmot::gan {

/// Lines 3 and 4: ranks, descends, clips. Only the gradient penalty needs `mix`; it looks at images that
/// carry the loss alone. Returns what critic_loss() does.
CriticLoss critic_step(Learner& learner, const TrainOptions& options, const torch::Tensor& real,
                       const torch::Tensor& latents, std::span<const std::uint8_t> banned = {},
                       const torch::Tensor& mix = {});

/// Lines 6 to 8.
void generator_step(Learner& learner, const torch::Tensor& latents);

/// One step of the rule, by the sum of the gradients of all ranks. Weights on another device are copied to
/// this machine's memory and back.
void descend(Parameters& parameters, UpdateRule& rule, Communicator& ranks = alone());

/// Sets libtorch's threads and the device. Its BLAS gets one thread, because more would spin on all cores.
/// Denormals become zero: they are ten times slower, and vanishing gradients are full of them.
/// Error(Errc::unsupported) when libtorch has no such device.
torch::Device set_up_torch(std::size_t threads, const std::string& device);

}  // namespace motmot::gan
