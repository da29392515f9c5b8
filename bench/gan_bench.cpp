// Steps of Algorithm 2, timed on demand: bench/gan.py asks in turn with PyTorch.
//   gan_bench WIDTH CHANNELS BATCH BLOCKS THREADS FOLDER default|clipped
// writes FOLDER/start.npz (weights), real.npy, latents.npy and mix.npy, then answers each line "KIND N" on
// standard input with the seconds of N steps and the loss of the last one. Kinds: plain, mom, trim (critic
// steps), generator, first.
#include <chrono>
#include <iostream>

#include "batches.hpp"
#include "motmot/data.hpp"
#include "steps.hpp"

using namespace motmot;
using namespace motmot::gan;

namespace {

constexpr std::size_t rows = 4096;

void write_tensor(const std::string& path, const torch::Tensor& tensor) {
  const torch::Tensor plain = tensor.to(torch::kFloat64).contiguous();
  write_npy(path, {plain.data_ptr<double>(), static_cast<std::size_t>(plain.size(0)),
                   static_cast<std::size_t>(plain.numel() / plain.size(0))});
}

}  // namespace

int main(int, char** argv) {
  const auto number = [&](int i) { return static_cast<std::size_t>(std::stoul(argv[i])); };
  TrainOptions options{.loss = {.blocks = number(4)},
                       .nets = {.width = number(1), .channels = number(2)},
                       .batch = number(3),
                       .match_batch = true};
  if (std::string_view(argv[7]) == "clipped") {
    options.nets.norm = Norm::none;
    options.rate = 5e-4;
    options.optimizer = Optimizer::rmsprop;
    options.gradient_penalty = 0;
  }
  const std::string folder = argv[6];
  set_up_torch(number(5), "cpu");
  const Images data = noise_images(rows, options.nets.channels, 1);
  Learner learner(options, rows, torch::kCPU);
  write_checkpoint(folder + "/start.npz", learner, "{}");
  write_tensor(folder + "/real.npy", to_tensor(data, 0, options.batch));
  write_tensor(folder + "/latents.npy", latent_batch(0, 0, options.batch, options.nets.latent));
  const auto mixed = [&] { return torch::rand({static_cast<std::int64_t>(options.mixed_rows())}); };
  const torch::Tensor first_mix = mixed();
  write_tensor(folder + "/mix.npy", first_mix);
  std::cout << "ready" << std::endl;
  std::uint64_t at = 0;
  std::string kind;
  for (std::size_t n = 0; std::cin >> kind >> n;) {
    options.loss.loss = kind == "mom" ? Loss::mom : kind == "trim" ? Loss::trim : Loss::wgan;
    RowOrder order(rows, options.real_rows(), 0);
    double loss = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < n; ++i, ++at) {
      const torch::Tensor z = latent_batch(0, kind == "first" ? 0 : at, options.batch, options.nets.latent);
      if (kind == "generator") {
        generator_step(learner, z);
      } else if (kind == "first") {
        loss = critic_step(learner, options, to_tensor(data, 0, options.batch), z, {}, first_mix)
                   .loss.item<double>();
      } else {
        const std::vector<std::uint32_t> batch = order.batch(at);
        const CriticLoss result = critic_step(learner, options, to_tensor(data, batch), z, {}, mixed());
        learner.scores.add(batch, result.real_values, 1);
        loss = result.loss.item<double>();
      }
    }
    std::cout.precision(9);
    std::cout << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() << ' '
              << loss << std::endl;
  }
}
