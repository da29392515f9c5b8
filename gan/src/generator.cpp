#include <cmath>

#include "motmot/gan/images.hpp"
#include "motmot/gan/nets.hpp"
#include "transposed_convolution.hpp"

namespace motmot::gan {
namespace {

/// A layer with batch norm needs no bias of its own: weight, scale, shift.
void add_layer(std::vector<Parameters::Shape>& shapes, const std::string& name,
               std::vector<std::int64_t> weight, std::int64_t fan_in, std::int64_t normed) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  shapes.push_back({name + ".weight", std::move(weight), bound});
  if (normed > 0) {
    shapes.push_back({name + ".norm.scale", {normed}, 0, 1});
    shapes.push_back({name + ".norm.shift", {normed}, 0, 0});
  }
}

std::vector<Parameters::Shape> generator_shapes(const NetOptions& o) {
  const auto w = static_cast<std::int64_t>(o.width), c = static_cast<std::int64_t>(o.channels);
  const auto z = static_cast<std::int64_t>(o.latent), pixels = static_cast<std::int64_t>(side * side);
  std::vector<Parameters::Shape> shapes;
  if (o.net == Net::mlp) {
    add_layer(shapes, "layer0", {8 * w, z}, z, 8 * w);
    add_layer(shapes, "layer1", {8 * w, 8 * w}, 8 * w, 8 * w);
    add_layer(shapes, "layer2", {c * pixels, 8 * w}, 8 * w, 0);
    shapes.push_back({"layer2.bias", {c * pixels}, 0, 0});
    return shapes;
  }
  add_layer(shapes, "layer0", {4 * 4 * 4 * w, z}, z, 4 * w);
  add_layer(shapes, "layer1", {4 * w, 2 * w, 4, 4}, 2 * w * 16, 2 * w);
  add_layer(shapes, "layer2", {2 * w, w, 4, 4}, w * 16, w);
  add_layer(shapes, "layer3", {w, c, 4, 4}, c * 16, 0);
  shapes.push_back({"layer3.bias", {c}, 0, 0});
  return shapes;
}

}  // namespace

Generator::Generator(const NetOptions& options, std::uint64_t seed, torch::Device device)
    : options_(options),
      layers_(options.net == Net::mlp ? 3 : 4),
      parameters_(generator_shapes(options), seed, 1, device) {
  for (const Parameters::Entry& entry : parameters_.entries()) {
    if (!entry.name.ends_with(".norm.scale")) continue;
    const std::string layer = entry.name.substr(0, entry.name.size() - 5);
    statistics_.push_back({layer + "running_mean", torch::zeros_like(entry.value.detach())});
    statistics_.push_back({layer + "running_variance", torch::ones_like(entry.value.detach())});
  }
}

torch::Tensor Generator::active(const torch::Tensor& x, std::size_t layer, bool training) {
  const torch::Tensor &scale = parameters_[3 * layer + 1], &shift = parameters_[3 * layer + 2];
  return torch::relu(torch::batch_norm(x, scale, shift, statistics_[2 * layer].value,
                                       statistics_[2 * layer + 1].value, training, 0.1, 1e-5, false));
}

torch::Tensor Generator::images(const torch::Tensor& latents, bool training) {
  const auto w = static_cast<std::int64_t>(options_.width), c = static_cast<std::int64_t>(options_.channels);
  const auto edge = static_cast<std::int64_t>(side);
  torch::Tensor x = torch::linear(latents, parameters_[0]);
  if (options_.net == Net::mlp) {
    x = active(x, 0, training);
    x = active(torch::linear(x, parameters_[3]), 1, training);
    return torch::tanh(torch::linear(x, parameters_[6], parameters_[7])).view({-1, c, edge, edge});
  }
  x = active(x.view({-1, 4, 4, 4 * w}).permute({0, 3, 1, 2}), 0, training);
  x = active(transposed_convolution(x, parameters_[3]), 1, training);
  x = active(transposed_convolution(x, parameters_[6]), 2, training);
  x = transposed_convolution(x, parameters_[9]) + parameters_[10].view({1, -1, 1, 1});
  return torch::tanh(x);
}

}  // namespace motmot::gan
