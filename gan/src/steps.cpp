#include "steps.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/leaf_sum.hpp"
#include "base/require.hpp"
#include "base/threads.hpp"
#include "motmot/gan/evaluate.hpp"

namespace motmot::gan {

namespace {

/// In the order of the ranks, along a tree: the same bits on all of them.
void add_over_ranks(torch::Tensor& gradients, Communicator& ranks) {
  torch::Tensor here = gradients.to(torch::kCPU);
  const std::span<float> mine(here.data_ptr<float>(), static_cast<std::size_t>(here.numel()));
  LeafSum<float> sum(ranks, std::bit_ceil(ranks.size()), mine.size());
  std::ranges::copy(mine, sum.part(0).begin());  // leaves beyond the first are zero
  std::ranges::copy(sum.sum(), mine.begin());
  if (!gradients.is_cpu()) gradients.copy_(here);
}

}  // namespace

void descend(Parameters& parameters, UpdateRule& rule, Communicator& ranks) {
  if (!ranks.alone()) add_over_ranks(parameters.gradients(), ranks);
  const auto size = static_cast<std::size_t>(parameters.weights().numel());
  if (parameters.weights().is_cpu()) {
    rule.descend({parameters.weights().data_ptr<float>(), size},
                 {parameters.gradients().data_ptr<float>(), size});
    return;
  }
  torch::Tensor weights = parameters.weights().to(torch::kCPU);
  const torch::Tensor gradients = parameters.gradients().to(torch::kCPU);
  rule.descend({weights.data_ptr<float>(), size}, {gradients.data_ptr<float>(), size});
  parameters.weights().copy_(weights);
}

namespace {

/// The penalty between images that carry the loss: one that the loss rejected has no say in the slope either.
torch::Tensor penalty_of_kept(const Critic& critic, Penalty penalty, const torch::Tensor& real,
                              const torch::Tensor& fake, const Selection& kept, const torch::Tensor& mix) {
  const torch::Tensor x = rows_of(real, kept.real), g = rows_of(fake, kept.fake);
  const std::int64_t n = std::min({mix.size(0), x.size(0), g.size(0)});
  if (penalty == Penalty::r1) return r1_penalty(critic, x.narrow(0, 0, n));
  return gradient_penalty(critic, x.narrow(0, 0, n), g.narrow(0, 0, n), mix.narrow(0, 0, n));
}

/// Begins to trim, for good, once the running mean has fallen to `trim_from`. It starts at 1, since a critic
/// that knows nothing yet tells real images from fakes as little as one that no longer can.
void follow_lead(Learner& learner, double trim_from, const CriticLoss& result) {
  constexpr double memory = 50;  // critic steps
  if (!learner.waits || learner.lead == 0 || !std::isfinite(result.loss.item<double>())) return;
  learner.lead += (lead(result.real_values, result.fake_values) - learner.lead) / memory;
  if (learner.lead <= trim_from) learner.lead = 0;
}

}  // namespace

CriticLoss critic_step(Learner& learner, const TrainOptions& options, const torch::Tensor& real,
                       const torch::Tensor& latents, std::span<const std::uint8_t> banned,
                       const torch::Tensor& mix) {
  torch::Tensor fake;
  {
    const torch::NoGradGuard no_gradients;
    fake = learner.generator.images(latents, true);
  }
  learner.critic.parameters().zero_gradients();
  LossOptions now = options.loss_at(static_cast<std::size_t>(learner.step));
  if (learner.waits && learner.lead > 0) now.loss = Loss::wgan;
  CriticLoss result = critic_loss(learner.critic, real, fake, now, banned);
  follow_lead(learner, options.loss.trim_from, result);
  torch::Tensor loss = result.loss;
  if (options.gradient_penalty > 0)
    loss = loss + options.gradient_penalty *
                      penalty_of_kept(learner.critic, options.penalty, real, fake, result.selection, mix);
  loss.backward();
  descend(learner.critic.parameters(), learner.critic_rule, *learner.ranks);
  return result;
}

void generator_step(Learner& learner, const torch::Tensor& latents) {
  learner.generator.parameters().zero_gradients();
  learner.critic.parameters().track(false);
  generator_loss(learner.critic, learner.generator.images(latents, true)).backward();
  learner.critic.parameters().track(true);
  descend(learner.generator.parameters(), learner.generator_rule, *learner.ranks);
}

std::string torch_reason(const std::exception& error) {
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  std::string text = own != nullptr ? own->what_without_backtrace() : error.what();
  text.erase(text.find_last_not_of(" \n") + 1);
  // A failing TorchScript module says where in the first lines and why in the last one.
  if (text.find("TorchScript") < text.find('\n')) return text.substr(text.rfind('\n') + 1);
  return text.substr(0, text.find('\n'));
}

torch::Device set_up_torch(std::size_t threads, const std::string& device) {
  at::set_num_threads(static_cast<int>(thread_count(threads)));
  at::globalContext().setFlushDenormal(true);
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set_threads)(1);
  if (device == "cpu") return torch::kCPU;
  require(device == "cuda", Errc::invalid_argument, "--device must be cpu or cuda; got '", device, "'");
  require(torch::cuda::is_available(), Errc::unsupported,
          "--device cuda: this libtorch has no usable CUDA device");
  return torch::kCUDA;
}

}  // namespace motmot::gan
