#include <numeric>

#include "base/random.hpp"
#include "motmot/gan/nets.hpp"

namespace motmot::gan {
namespace {

std::int64_t count_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// The part of `flat` from `offset` on, as a tensor of these sizes. Channels last is what oneDNN is fastest
/// with.
torch::Tensor view_of(const torch::Tensor& flat, std::int64_t offset,
                      const std::vector<std::int64_t>& sizes) {
  const torch::Tensor part = flat.narrow(0, offset, count_of(sizes));
  if (sizes.size() == 4) return part.view({sizes[0], sizes[2], sizes[3], sizes[1]}).permute({0, 3, 1, 2});
  return part.view(sizes);
}

}  // namespace

Parameters::Parameters(const std::vector<Shape>& shapes, std::uint64_t seed, std::uint64_t stream,
                       torch::Device device) {
  std::int64_t total = 0;
  for (const Shape& shape : shapes) total += count_of(shape.sizes);
  torch::Tensor starts = torch::empty(total);
  Rng rng(seed, Purpose::gan_weights, stream);
  float* at = starts.data_ptr<float>();
  for (const Shape& shape : shapes)
    for (std::int64_t i = 0; i < count_of(shape.sizes); ++i)
      *at++ =
          static_cast<float>(shape.start + (shape.bound > 0 ? rng.uniform(-shape.bound, shape.bound) : 0.0));
  weights_ = starts.to(device);
  gradients_ = torch::zeros(total, torch::device(device));
  std::int64_t offset = 0;
  for (const Shape& shape : shapes) {
    torch::Tensor value = view_of(weights_, offset, shape.sizes).detach().requires_grad_();
    value.mutable_grad() = view_of(gradients_, offset, shape.sizes);
    entries_.push_back({shape.name, value});
    offset += count_of(shape.sizes);
  }
}

void Parameters::track(bool on) {
  for (Entry& entry : entries_) entry.value.requires_grad_(on);
}

}  // namespace motmot::gan
