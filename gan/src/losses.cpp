#include "motmot/gan/losses.hpp"

#include <algorithm>
#include <cmath>

namespace motmot::gan {
namespace {

std::vector<float> numbers(const torch::Tensor& values) {
  const torch::Tensor here = values.detach().to(torch::kCPU).contiguous();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

/// Selects nothing when a value is not finite; train() reports the loss, which is not finite either.
Selection selected(const LossOptions& options, std::span<const float> real, std::span<const float> fake,
                   std::span<const std::uint8_t> banned = {}) {
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(real, finite) || !std::ranges::all_of(fake, finite)) return {};
  return select_images(options, real, fake, banned);
}

struct BothValues {
  torch::Tensor real, fake;
};

/// One pass over both if possible. Batch norm must normalise them apart, which needs groups of equal size.
BothValues values_of(const Critic& critic, const torch::Tensor& real, const torch::Tensor& fake) {
  const bool apart = critic.norm() == Norm::batch;
  if (apart && real.size(0) != fake.size(0)) return {critic.values(real), critic.values(fake)};
  const torch::Tensor values = critic.values(torch::cat({real, fake}), apart ? 2 : 1);
  return {values.narrow(0, 0, real.size(0)), values.narrow(0, real.size(0), fake.size(0))};
}

/// Values of all blocks without gradients.
std::vector<float> ranked(const Critic& critic, const torch::Tensor& images, std::size_t blocks) {
  const torch::NoGradGuard no_gradients;
  return numbers(critic.values(images, static_cast<std::int64_t>(blocks)));
}

/// L (2 log(1 + e^(s / L)) - 2 log 2): s for small s / L.
torch::Tensor conjugate(const torch::Tensor& s, double price) {
  return 2 * price * (torch::softplus(s / price) - std::log(2.0));
}

CriticLoss block_loss(const Critic& critic, const torch::Tensor& real, const torch::Tensor& fake,
                      const LossOptions& options) {
  CriticLoss result;
  result.real_values = ranked(critic, real, options.blocks);
  const bool fakes_in_blocks = options.loss != Loss::mom;
  const std::vector<float> fake_values =
      fakes_in_blocks ? ranked(critic, fake, options.blocks) : std::vector<float>{};
  result.selection = selected(options, result.real_values, fake_values);
  const BothValues f =
      values_of(critic, rows_of(real, result.selection.real), rows_of(fake, result.selection.fake));
  result.loss = f.fake.mean() - f.real.mean();
  return result;
}

}  // namespace

torch::Tensor rows_of(const torch::Tensor& batch, const std::vector<std::int64_t>& rows) {
  if (rows.empty()) return batch;
  const auto n = static_cast<std::int64_t>(rows.size());
  if (rows.back() - rows.front() + 1 == n) return batch.narrow(0, rows.front(), n);  // a block: no copy
  return batch.index_select(0, torch::tensor(rows).to(batch.device()));
}

CriticLoss critic_loss(const Critic& critic, const torch::Tensor& real, const torch::Tensor& fake,
                       const LossOptions& options, std::span<const std::uint8_t> banned) {
  if (options.loss == Loss::mom || options.loss == Loss::mou || options.loss == Loss::mou_diag)
    return block_loss(critic, real, fake, options);
  CriticLoss result;
  const BothValues f = values_of(critic, real, fake);
  result.real_values = numbers(f.real);
  result.fake_values = numbers(f.fake);
  if (options.loss == Loss::unbalanced) {
    result.loss =
        conjugate(f.fake, options.mass_price).mean() + conjugate(-f.real, options.mass_price).mean();
    return result;
  }
  result.selection = selected(options, result.real_values, {}, banned);
  result.loss = f.fake.mean() - rows_of(f.real, result.selection.real).mean();
  if (options.loss == Loss::partial) {
    const torch::Tensor both = torch::cat({f.real, f.fake});
    result.loss = result.loss + (1 - options.mass) * (both.max() - both.min());
  }
  return result;
}

namespace {

/// The gradient of the critic at each image, as one row.
torch::Tensor slopes_at(const Critic& critic, const torch::Tensor& images) {
  const torch::Tensor at = images.detach().requires_grad_();
  return torch::autograd::grad({critic.values(at).sum()}, {at}, {}, true, true)[0].flatten(1);
}

}  // namespace

torch::Tensor gradient_penalty(const Critic& critic, const torch::Tensor& real, const torch::Tensor& fake,
                               const torch::Tensor& mix) {
  const torch::Tensor weight = mix.view({-1, 1, 1, 1});
  return (slopes_at(critic, weight * real + (1 - weight) * fake).norm(2, 1) - 1).square().mean();
}

torch::Tensor r1_penalty(const Critic& critic, const torch::Tensor& real) {
  return slopes_at(critic, real).square().sum(1).mean() / 2;
}

torch::Tensor generator_loss(const Critic& critic, const torch::Tensor& fake) {
  return -critic.values(fake).mean();
}

}  // namespace motmot::gan
