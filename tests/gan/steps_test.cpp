// What a critic step may not depend on.
#include "steps.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.hpp"
#include "support/thread_ranks.hpp"

namespace motmot::gan {
namespace {

torch::Tensor uniform(Rng& rng, std::vector<std::int64_t> sizes) {
  torch::Tensor x = torch::empty(sizes);
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data_ptr<float>()[i] = static_cast<float>(rng.uniform(-1, 1));
  return x;
}

/// The critic's weights after one step.
torch::Tensor weights_after(const TrainOptions& options, const torch::Tensor& real, Selection& selection) {
  Rng rng(5, Purpose::test);
  Learner learner(options, static_cast<std::size_t>(real.size(0)), torch::kCPU);
  const torch::Tensor latents = uniform(rng, {static_cast<std::int64_t>(options.fake_rows()), 4});
  const torch::Tensor mix = torch::full({static_cast<std::int64_t>(options.mixed_rows())}, 0.5f);
  selection = critic_step(learner, options, real, latents, {}, mix).selection;
  return learner.critic.parameters().weights().clone();
}

TrainOptions options_of(Loss loss) {
  return {.loss = {.loss = loss, .blocks = 3, .trim = 0.12, .cut = 0},
          .nets = {.net = Net::mlp, .width = 1, .latent = 4},
          .batch = 9,
          .steps = 1,
          .penalty_rows = 0};
}

/// 60 images by rising value of the critic that a run with these options starts with.
torch::Tensor ranked_images(const TrainOptions& options) {
  Rng rng(4, Purpose::test);
  const torch::Tensor images = uniform(rng, {60, 1, 32, 32});
  const torch::NoGradGuard no_gradients;
  Learner learner(options, 60, torch::kCPU);
  return images.index_select(0, learner.critic.values(images).argsort());
}

// The first image of the batch is rejected; another one that is rejected too comes in its place.
TEST(CriticStep, DoesNotLookAtAnImageThatTrimRejected) {
  const TrainOptions options = options_of(Loss::trim);
  const torch::Tensor ranked = ranked_images(options), low = ranked.narrow(0, 20, 8);
  Selection one, other;
  const torch::Tensor a = weights_after(options, torch::cat({ranked.narrow(0, 58, 1), low}), one);
  const torch::Tensor b = weights_after(options, torch::cat({ranked.narrow(0, 59, 1), low}), other);
  std::vector<std::int64_t> kept(8);
  std::iota(kept.begin(), kept.end(), 1);
  ASSERT_EQ(one.real, kept);
  ASSERT_EQ(other.real, kept);
  EXPECT_EQ((a - b).abs().max().item<float>(), 0);
}

// Blocks of low, high and middle images: the middle block carries the loss, whatever the others are.
TEST(CriticStep, DoesNotLookAtBlocksThatAreNotTheMedian) {
  const TrainOptions options = options_of(Loss::mom);
  const torch::Tensor ranked = ranked_images(options), middle = ranked.narrow(0, 30, 3);
  Selection one, other;
  const torch::Tensor a =
      weights_after(options, torch::cat({ranked.narrow(0, 0, 3), ranked.narrow(0, 57, 3), middle}), one);
  const torch::Tensor b =
      weights_after(options, torch::cat({ranked.narrow(0, 3, 3), ranked.narrow(0, 54, 3), middle}), other);
  ASSERT_EQ(one.real, (std::vector<std::int64_t>{6, 7, 8}));
  ASSERT_EQ(other.real, one.real);
  EXPECT_EQ((a - b).abs().max().item<float>(), 0);
}

// The critic of a fresh learner knows nothing, and real images do not lead: it waits all the same, until the
// running mean has come down from 1, and then trims for good.
TEST(CriticStep, TrimsOnceTheRunningMeanOfTheLeadHasFallen) {
  TrainOptions options = options_of(Loss::trim);
  options.loss.trim_from = 0.8;
  options.rate = 1e-9;
  Rng rng(6, Purpose::test);
  Learner learner(options, 9, torch::kCPU);
  const torch::Tensor real = ranked_images(options).narrow(0, 0, 9), latents = uniform(rng, {9, 4});
  const torch::Tensor mix = torch::full({9}, 0.5f);
  double mean = 1;
  for (int i = 0; i < 60; ++i) {
    const CriticLoss result = critic_step(learner, options, real, latents, {}, mix);
    EXPECT_EQ(result.selection.real.empty(), mean > 0) << i;
    if (mean > 0) mean += (lead(result.real_values, result.fake_values) - mean) / 50;
    if (mean <= 0.8) mean = 0;
    EXPECT_EQ(learner.lead, mean) << i;
  }
  EXPECT_EQ(mean, 0);
}

/// Gradients of a critic step and of a generator step, as the weights learn from them.
std::pair<torch::Tensor, torch::Tensor> gradients_of(const TrainOptions& options, Communicator& ranks) {
  Rng rng(7, Purpose::test);
  Learner learner(options, 40, torch::kCPU, ranks);
  const auto rows = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const torch::Tensor real = uniform(rng, {rows(options.real_rows()), 1, 32, 32}),
                      latents = uniform(rng, {rows(options.fake_rows()), 4}),
                      mix = torch::full({rows(options.mixed_rows())}, 0.5f);
  static_cast<void>(critic_step(learner, options, real, latents, {}, mix));
  const torch::Tensor of_critic = learner.critic.parameters().gradients().clone();
  generator_step(learner, latents.narrow(0, 0, rows(options.generator_rows())));
  return {of_critic, learner.generator.parameters().gradients().clone()};
}

// Sums in another order: float has seven digits. All ranks have the same bits.
TEST(CriticStep, OfSeveralRanksHasTheGradientsOfOne) {
  for (const Loss loss : {Loss::wgan, Loss::mom, Loss::mou_diag, Loss::trim, Loss::unbalanced, Loss::partial})
    for (const Penalty penalty : {Penalty::slope, Penalty::r1})
      for (const Net net : {Net::mlp, Net::dcgan}) {
        TrainOptions options = options_of(loss);
        options.nets.net = net;
        options.nets.width = 2;
        options.penalty = penalty;
        const auto [critic, generator] = gradients_of(options, alone());
        ASSERT_GT(critic.abs().max().item<float>(), 0);
        for (const std::size_t size : {2u, 3u}) {
          std::vector<std::pair<torch::Tensor, torch::Tensor>> found(size);
          on_ranks(size, [&](Communicator& here) { found[here.rank()] = gradients_of(options, here); });
          for (const auto& [theirs, of_generator] : found) {
            EXPECT_LE((theirs - critic).abs().max().item<float>(), 2e-6 * critic.abs().max().item<float>())
                << name(loss) << ' ' << size;
            // Weights that Adam moved by the sign of what was nearly 0 are behind this one.
            EXPECT_LE((of_generator - generator).abs().max().item<float>(),
                      2e-3 * generator.abs().max().item<float>())
                << name(loss) << ' ' << size;
            EXPECT_TRUE(torch::equal(theirs, found[0].first));
            EXPECT_TRUE(torch::equal(of_generator, found[0].second));
          }
        }
      }
}

}  // namespace
}  // namespace motmot::gan
