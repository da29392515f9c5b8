/// Batches of images and of latent vectors, each a function of (seed, number of the batch), so that a
/// checkpoint need not store them.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "motmot/gan/images.hpp"

namespace motmot::gan {

/// Images as n x C x 32 x 32 floats in [-1, 1], channels last.
[[nodiscard]] torch::Tensor to_tensor(const Images& images, const std::vector<std::uint32_t>& rows,
                                      torch::Device device = torch::kCPU);
[[nodiscard]] torch::Tensor to_tensor(const Images& images, std::size_t first, std::size_t count,
                                      torch::Device device = torch::kCPU);
/// Appends such a tensor, rounded to bytes.
void append_images(Images& images, const torch::Tensor& tensor);

/// n x latent standard Gaussians from the stream (seed, gan_latents, number).
[[nodiscard]] torch::Tensor latent_batch(std::uint64_t seed, std::uint64_t number, std::size_t n,
                                         std::size_t latent);
/// Vector i comes from the stream (seed, gan_samples, first + i), so that image i is the same in every batch.
[[nodiscard]] torch::Tensor sample_latents(std::uint64_t seed, std::uint64_t first, std::size_t n,
                                           std::size_t latent);

/// Every epoch has a new random order of all rows, cut into batches; rows that do not fill a batch are
/// skipped.
class RowOrder {
 public:
  RowOrder(std::size_t rows, std::size_t batch, std::uint64_t seed);
  [[nodiscard]] std::vector<std::uint32_t> batch(std::uint64_t number);

 private:
  std::size_t batch_, per_epoch_;
  std::uint64_t seed_, epoch_ = ~std::uint64_t{0};
  std::vector<std::uint32_t> order_;
};

}  // namespace motmot::gan
