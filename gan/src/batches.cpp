#include "batches.hpp"

#include <array>

#include "blocks/sampler.hpp"

namespace motmot::gan {
namespace {

const std::array<float, 256>& levels() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(static_cast<double>(i) / 127.5 - 1);
    return values;
  }();
  return table;
}

template <class RowOf>
torch::Tensor gather(const Images& images, std::size_t count, torch::Device device, RowOf row_of) {
  const auto n = static_cast<std::int64_t>(count), c = static_cast<std::int64_t>(images.channels);
  const auto edge = static_cast<std::int64_t>(side);
  torch::Tensor batch = torch::empty({n, edge, edge, c});
  float* out = batch.data_ptr<float>();
  const std::array<float, 256>& level = levels();
  for (std::size_t i = 0; i < count; ++i)
    for (const std::uint8_t byte : images[row_of(i)]) *out++ = level[byte];
  return batch.permute({0, 3, 1, 2}).to(device);
}

void fill_normal(float* out, std::size_t count, Rng rng) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(rng.normal());
}

}  // namespace

torch::Tensor to_tensor(const Images& images, const std::vector<std::uint32_t>& rows, torch::Device device) {
  return gather(images, rows.size(), device, [&](std::size_t i) { return rows[i]; });
}

torch::Tensor to_tensor(const Images& images, std::size_t first, std::size_t count, torch::Device device) {
  return gather(images, count, device, [&](std::size_t i) { return first + i; });
}

void append_images(Images& images, const torch::Tensor& tensor) {
  const torch::Tensor bytes = ((tensor.detach().to(torch::kCPU) + 1) * 127.5)
                                  .round()
                                  .clamp(0, 255)
                                  .to(torch::kUInt8)
                                  .permute({0, 2, 3, 1})
                                  .contiguous();
  images.channels = static_cast<std::size_t>(tensor.size(1));
  images.bytes.insert(images.bytes.end(), bytes.data_ptr<std::uint8_t>(),
                      bytes.data_ptr<std::uint8_t>() + bytes.numel());
}

torch::Tensor latent_batch(std::uint64_t seed, std::uint64_t number, std::size_t n, std::size_t latent) {
  torch::Tensor z = torch::empty({static_cast<std::int64_t>(n), static_cast<std::int64_t>(latent)});
  fill_normal(z.data_ptr<float>(), n * latent, Rng(seed, Purpose::gan_latents, number));
  return z;
}

torch::Tensor sample_latents(std::uint64_t seed, std::uint64_t first, std::size_t n, std::size_t latent) {
  torch::Tensor z = torch::empty({static_cast<std::int64_t>(n), static_cast<std::int64_t>(latent)});
  for (std::size_t i = 0; i < n; ++i)
    fill_normal(z.data_ptr<float>() + i * latent, latent, Rng(seed, Purpose::gan_samples, first + i));
  return z;
}

RowOrder::RowOrder(std::size_t rows, std::size_t batch, std::uint64_t seed)
    : batch_(batch), per_epoch_(rows / batch), seed_(seed), order_(rows) {}

std::vector<std::uint32_t> RowOrder::batch(std::uint64_t number) {
  const std::uint64_t epoch = number / per_epoch_;
  if (epoch != epoch_) {
    Rng rng(seed_, Purpose::gan_order, epoch);
    order_ = partition_blocks(order_.size(), 1, rng).index;
    epoch_ = epoch;
  }
  const auto at = order_.begin() + static_cast<std::ptrdiff_t>(number % per_epoch_ * batch_);
  return {at, at + static_cast<std::ptrdiff_t>(batch_)};
}

}  // namespace motmot::gan
