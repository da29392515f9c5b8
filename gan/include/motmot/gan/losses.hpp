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
  std::vector<float> fake_values;  ///< f of every fake; empty for mom, mou and mou-diag
  Selection selection;             ///< what carried the gradient
};

/// What a critic step minimises. `real` holds the K blocks one after the other (mom, mou, mou-diag: sizes are
/// multiples of K; `fake` too for mou and mou-diag). Block losses rank all blocks in one pass without
/// gradients and then go through the median block alone: a backward pass through the whole batch would
/// compute zeros. The others need one pass. With Norm::batch blocks are normalised one by one, real and fake
/// apart.
///
/// The two losses in which no image is left out:
///
///   unbalanced   Transport that may create and destroy mass on either side at the price L. Its semi-dual is
///                sup of mean u(f(x)) + mean u(-f(g)) with u(s) = -L psi*(-s / L); psi*(s) = 2 log(1 + e^s) -
///                2 log 2 is the conjugate that UOTM uses (Choi, Choi, Kang, 2023). u has slope 1 at 0, so
///                that for L -> infinity it is wgan; a real image of high value has the weight u'(s) =
///                2 / (1 + e^(s/L)), which vanishes. For the cost |x - y| the c-transform of a 1-Lipschitz f
///                is -f, so one network serves, as in wgan. UOTM's own setting has Penalty::r1 instead of the
///                Lipschitz bound, and the generator is that of wgan in both.
///   partial      mean f(x) - mean f(g) - eps (max f - min f), eps = 1 - mass, max and min over both batches
///                (Nietert, Cummings, Goldfeld, 2022; their code: max over real, min over fakes). Sound:
///                moving the share eps of the real mass lowers mean f(x) by eps (max f - min f) at most, so
///                that, as far as batches show the range, a 1-Lipschitz critic is paid no more than W1 from
///                the fakes to any law within eps of the data, the clean one among them. Mass 1 is wgan. On
///                the real side alone the dual is the mean of the lowest 1 - eps of f(x): `trim`, cut = 0.
[[nodiscard]] CriticLoss critic_loss(const Critic& critic, const torch::Tensor& real,
                                     const torch::Tensor& fake, const LossOptions& options,
                                     std::span<const std::uint8_t> banned = {});

/// The rows of a batch that a selection names; all of them where it names none.
[[nodiscard]] torch::Tensor rows_of(const torch::Tensor& batch, const std::vector<std::int64_t>& rows);

/// Mean over images of (|gradient of f| - 1)^2, at mix * real + (1 - mix) * fake (Gulrajani et al., 2017);
/// `mix` has one number per image.
[[nodiscard]] torch::Tensor gradient_penalty(const Critic& critic, const torch::Tensor& real,
                                             const torch::Tensor& fake, const torch::Tensor& mix);

/// Mean over images of |gradient of f|^2 / 2 at the real ones (R1: Mescheder, Geiger, Nowozin, 2018).
[[nodiscard]] torch::Tensor r1_penalty(const Critic& critic, const torch::Tensor& real);

/// What a generator step minimises: -mean f(fake).
[[nodiscard]] torch::Tensor generator_loss(const Critic& critic, const torch::Tensor& fake);

}  // namespace motmot::gan
