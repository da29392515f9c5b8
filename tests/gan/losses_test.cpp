// Every loss against a plain twin that calls the critic block by block and lets autograd go through
// everything.
#include "motmot/gan/losses.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace motmot::gan {

// For the names of parametrised tests.
static void PrintTo(Loss loss, std::ostream* out) { *out << name(loss); }
static void PrintTo(Norm norm, std::ostream* out) { *out << name(norm); }
static void PrintTo(Net net, std::ostream* out) { *out << name(net); }

namespace {

torch::Tensor images(Rng& rng, std::int64_t n, std::int64_t channels = 1) {
  torch::Tensor x = torch::empty({n, channels, 32, 32});
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data_ptr<float>()[i] = static_cast<float>(rng.uniform(-1, 1));
  return x;
}

torch::Tensor block(const torch::Tensor& x, std::int64_t k, std::int64_t blocks) {
  return x.narrow(0, k * (x.size(0) / blocks), x.size(0) / blocks);
}

/// The tensor of the upper median of scalars.
torch::Tensor upper_median(std::vector<torch::Tensor> values) {
  std::ranges::stable_sort(values, {}, [](const torch::Tensor& value) { return value.item<double>(); });
  return values[values.size() / 2];
}

torch::Tensor twin(const Critic& critic, const torch::Tensor& real, const torch::Tensor& fake,
                   const LossOptions& o) {
  const auto k = static_cast<std::int64_t>(o.blocks);
  std::vector<torch::Tensor> a, b, pairs;
  for (std::int64_t i = 0; i < k; ++i) {
    a.push_back(critic.values(block(real, i, k)).mean());
    b.push_back(critic.values(block(fake, i, k)).mean());
  }
  switch (o.loss) {
    case Loss::wgan:
      return critic.values(fake).mean() - critic.values(real).mean();
    case Loss::mom:
      return critic.values(fake).mean() - upper_median(a);
    case Loss::mou_diag:
      for (std::size_t i = 0; i < a.size(); ++i) pairs.push_back(a[i] - b[i]);
      return -upper_median(pairs);
    case Loss::mou:
      for (const torch::Tensor& x : a)
        for (const torch::Tensor& y : b) pairs.push_back(x - y);
      return -upper_median(pairs);
    case Loss::unbalanced: {
      const auto u = [&](const torch::Tensor& s) {
        return -2 * o.mass_price * ((1 + (-s / o.mass_price).exp()) / 2).log();
      };
      return -u(critic.values(real)).mean() - u(-critic.values(fake)).mean();
    }
    case Loss::partial: {
      const torch::Tensor x = critic.values(real), g = critic.values(fake);
      const torch::Tensor range = torch::max(x.max(), g.max()) - torch::min(x.min(), g.min());
      return g.mean() - x.mean() + (1 - o.mass) * range;
    }
    default: {
      const torch::Tensor sorted = std::get<0>(critic.values(real).sort());
      const auto kept =
          static_cast<std::int64_t>(std::ceil((1 - o.trim) * static_cast<double>(real.size(0))));
      return critic.values(fake).mean() - sorted.narrow(0, 0, kept).mean();
    }
  }
}

std::pair<double, torch::Tensor> value_and_gradient(Critic& critic, const torch::Tensor& loss) {
  critic.parameters().zero_gradients();
  loss.backward();
  return {loss.item<double>(), critic.parameters().gradients().clone()};
}

class Losses : public testing::TestWithParam<std::tuple<Loss, Norm, Net>> {};

TEST_P(Losses, EqualTheirPlainTwinInValueAndGradient) {
  const auto [loss, norm, net] = GetParam();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (const std::size_t blocks : {1u, 3u, 4u}) {
      Rng rng(seed, Purpose::test, blocks);
      Critic critic({.net = net, .width = 4, .channels = seed == 1 ? 3u : 1u, .norm = norm}, seed);
      const std::int64_t channels = seed == 1 ? 3 : 1;
      const torch::Tensor real = images(rng, 24, channels),
                          fake =
                              0.5 * images(rng,
                                           seed == 2 && loss != Loss::mou && loss != Loss::mou_diag ? 12 : 24,
                                           channels);
      const LossOptions options{
          .loss = loss, .blocks = blocks, .trim = 0.2, .cut = 0, .mass = 0.8, .mass_price = 0.3};
      const auto [value, gradient] =
          value_and_gradient(critic, critic_loss(critic, real, fake, options).loss);
      const auto [plain_value, plain_gradient] =
          value_and_gradient(critic, twin(critic, real, fake, options));
      EXPECT_NEAR(value, plain_value, 1e-5) << "K = " << blocks << ", seed " << seed;
      const double scale = plain_gradient.abs().max().item<double>();
      ASSERT_GT(scale, 0);
      EXPECT_LT((gradient - plain_gradient).abs().max().item<double>() / scale, 1e-4)
          << "K = " << blocks << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllNorms, Losses,
                         testing::Combine(testing::Values(Loss::wgan, Loss::mom, Loss::mou, Loss::mou_diag,
                                                          Loss::trim, Loss::unbalanced, Loss::partial),
                                          testing::Values(Norm::none, Norm::layer, Norm::batch),
                                          testing::Values(Net::dcgan, Net::mlp)));

struct Batches {
  Critic critic{{.width = 4, .norm = Norm::layer}, 5};
  torch::Tensor real, fake;
  Batches() {
    Rng rng(5, Purpose::test);
    real = images(rng, 20);
    fake = 0.5 * images(rng, 12);
  }
  std::pair<double, torch::Tensor> of(const LossOptions& options) {
    return value_and_gradient(critic, critic_loss(critic, real, fake, options).loss);
  }
};

TEST(PartialLoss, IsThatOfWganWhenAllMassIsCompared) {
  Batches batches;
  const auto [value, gradient] = batches.of({.loss = Loss::partial, .mass = 1});
  const auto [plain_value, plain_gradient] = batches.of({.loss = Loss::wgan});
  EXPECT_EQ(value, plain_value);
  EXPECT_TRUE(torch::equal(gradient, plain_gradient));
}

// 1 - mass of the real values may be moved to the lowest value: no critic is paid for more than that leaves.
TEST(PartialLoss, NeverPaysMoreThanTheDataWithTheirShareMovedWould) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, Purpose::test, 1);
    Critic critic({.net = Net::mlp, .width = 2}, seed);
    const torch::Tensor real = images(rng, 20), fake = images(rng, 20);
    const double paid =
        -critic_loss(critic, real, fake, {.loss = Loss::partial, .mass = 0.75}).loss.item<double>();
    const torch::NoGradGuard no_gradients;
    const torch::Tensor x = critic.values(real), g = critic.values(fake);
    torch::Tensor moved = std::get<0>(x.sort()).clone();
    moved.narrow(0, 15, 5).fill_(torch::min(x.min(), g.min()));
    EXPECT_LE(paid, (moved.mean() - g.mean()).item<double>() + 1e-6) << "seed " << seed;
  }
}

TEST(UnbalancedLoss, BecomesThatOfWganWhenMassIsDear) {
  Batches batches;
  const auto [plain_value, plain_gradient] = batches.of({.loss = Loss::wgan});
  const double scale = plain_gradient.abs().max().item<double>();
  double before = 1e30;
  for (const double price : {1.0, 10.0, 1000.0}) {
    const auto [value, gradient] = batches.of({.loss = Loss::unbalanced, .mass_price = price});
    const double off = (gradient - plain_gradient).abs().max().item<double>() / scale;
    EXPECT_LT(off, before);
    EXPECT_NEAR(value, plain_value, 1 / price + 1e-3);
    before = off;
  }
  EXPECT_LT(before, 1e-3);
}

// f = 40 at every image by the last bias: mass costs 1, so that the real ones are given up.
TEST(UnbalancedLoss, HasNoGradientAtImagesThatAreTooFarAway) {
  Batches batches;
  const torch::NoGradGuard no_gradients;
  batches.critic.parameters().entries().back().value.data().fill_(40);
  torch::AutoGradMode on(true);
  batches.critic.parameters().zero_gradients();
  const torch::Tensor x = batches.real.clone().requires_grad_();
  critic_loss(batches.critic, x, batches.fake, {.loss = Loss::unbalanced, .mass_price = 1}).loss.backward();
  const double far = x.grad().abs().max().item<double>();
  const torch::Tensor y = batches.real.clone().requires_grad_();
  critic_loss(batches.critic, y, batches.fake, {.loss = Loss::wgan}).loss.backward();
  EXPECT_LT(far, 1e-12 * y.grad().abs().max().item<double>());
}

TEST(R1Penalty, IsHalfTheMeanSquaredSlopeAtRealImages) {
  Batches batches;
  double sum = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    const torch::Tensor x = batches.real[i].unsqueeze(0).clone().requires_grad_();
    batches.critic.values(x).sum().backward();
    sum += x.grad().square().sum().item<double>() / 2;
  }
  const double penalty = r1_penalty(batches.critic, batches.real.narrow(0, 0, 3)).item<double>();
  EXPECT_NEAR(penalty, sum / 3, 1e-5 * sum);
}

TEST(GradientPenalty, IsTheMeanSquaredDistanceOfSlopesFromOne) {
  Rng rng(1, Purpose::test);
  Critic critic({.width = 4}, 1);
  const torch::Tensor real = images(rng, 3), fake = images(rng, 3), mix = torch::tensor({0.0f, 0.5f, 1.0f});
  const double penalty = gradient_penalty(critic, real, fake, mix).item<double>();
  double sum = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    const double m = mix[i].item<double>();
    const torch::Tensor x = (m * real[i] + (1 - m) * fake[i]).unsqueeze(0).detach().requires_grad_();
    critic.values(x).sum().backward();
    sum += std::pow(x.grad().norm().item<double>() - 1, 2);
  }
  EXPECT_NEAR(penalty, sum / 3, 1e-5);
}

// Differences of the penalty itself: its gradient goes through a second derivative of the critic.
TEST(GradientPenalty, HasTheGradientThatDifferencesGive) {
  Rng rng(2, Purpose::test);
  Critic critic({.net = Net::mlp, .width = 1, .norm = Norm::layer}, 2);
  const torch::Tensor real = images(rng, 4), fake = images(rng, 4), mix = torch::full({4}, 0.3f);
  critic.parameters().zero_gradients();
  gradient_penalty(critic, real, fake, mix).backward();
  const torch::Tensor gradient = critic.parameters().gradients().clone();
  const torch::Tensor direction = gradient / gradient.norm();
  const auto at = [&](double step) {
    critic.parameters().weights().add_(direction, step);
    const double value = gradient_penalty(critic, real, fake, mix).item<double>();
    critic.parameters().weights().sub_(direction, step);
    return value;
  };
  const torch::Tensor expected = gradient.norm();
  EXPECT_NEAR((at(2e-4) - at(-2e-4)) / 4e-4, expected.item<double>(), 0.02 * expected.item<double>());
}

TEST(Generator, HasTheImagesAndGradientsOfTorchsOwnTransposedConvolutions) {
  Generator generator({.width = 4, .channels = 3, .latent = 5}, 3);
  const torch::Tensor z = torch::randn({6, 5});
  const Parameters& p = generator.parameters();
  const auto norm = [&](const torch::Tensor& x, std::size_t at) {
    return torch::relu(torch::batch_norm(x, p[at], p[at + 1], {}, {}, true, 0.1, 1e-5, false));
  };
  torch::Tensor x = norm(torch::linear(z, p[0]).view({6, 4, 4, 16}).permute({0, 3, 1, 2}).contiguous(), 1);
  x = norm(torch::conv_transpose2d(x, p[3], {}, 2, 1), 4);
  x = norm(torch::conv_transpose2d(x, p[6], {}, 2, 1), 7);
  const torch::Tensor plain = torch::tanh(torch::conv_transpose2d(x, p[9], p[10], 2, 1));
  const torch::Tensor fast = generator.images(z, true);
  EXPECT_LT((plain - fast).abs().max().item<double>(), 1e-5);
  generator.parameters().zero_gradients();
  plain.square().sum().backward();
  const torch::Tensor want = generator.parameters().gradients().clone();
  generator.parameters().zero_gradients();
  fast.square().sum().backward();
  EXPECT_LT((want - generator.parameters().gradients()).abs().max().item<double>(),
            1e-3 * want.abs().max().item<double>());
}

TEST(Generator, MakesEveryImageFromItsOwnVectorOnceTrained) {
  Generator generator({.width = 2, .latent = 3}, 4);
  const torch::NoGradGuard no_gradients;
  const torch::Tensor z = torch::randn({8, 3});
  (void)generator.images(z, true);
  EXPECT_LT((generator.images(z, false)[5] - generator.images(z.narrow(0, 5, 1), false)[0])
                .abs()
                .max()
                .item<double>(),
            1e-6);
}

}  // namespace
}  // namespace motmot::gan
