#include <cmath>

#include "motmot/gan/images.hpp"
#include "motmot/gan/nets.hpp"

namespace motmot::gan {
namespace {

constexpr double slope = 0.2;  // of LeakyReLU

/// Weight, bias, and the norm's scale and shift where a layer has a norm: four entries a layer.
void add_layer(std::vector<Parameters::Shape>& shapes, const std::string& name,
               std::vector<std::int64_t> weight, bool norm) {
  const std::int64_t out = weight[0];
  std::int64_t fan_in = 1;
  for (std::size_t i = 1; i < weight.size(); ++i) fan_in *= weight[i];
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  shapes.push_back({name + ".weight", std::move(weight), bound});
  shapes.push_back({name + ".bias", {out}, bound});
  if (!norm) return;
  shapes.push_back({name + ".norm.scale", {out}, 0, 1});
  shapes.push_back({name + ".norm.shift", {out}, 0, 0});
}

std::vector<Parameters::Shape> critic_shapes(const NetOptions& o) {
  const auto w = static_cast<std::int64_t>(o.width), c = static_cast<std::int64_t>(o.channels);
  const bool norm = o.norm != Norm::none;
  std::vector<Parameters::Shape> shapes;
  if (o.net == Net::mlp) {
    add_layer(shapes, "layer0", {8 * w, c * static_cast<std::int64_t>(side * side)}, false);
    add_layer(shapes, "layer1", {8 * w, 8 * w}, norm);
    add_layer(shapes, "layer2", {1, 8 * w}, false);
    return shapes;
  }
  add_layer(shapes, "layer0", {w, c, 4, 4}, false);
  add_layer(shapes, "layer1", {2 * w, w, 4, 4}, norm);
  add_layer(shapes, "layer2", {4 * w, 2 * w, 4, 4}, norm);
  add_layer(shapes, "layer3", {1, 4 * w * 16}, false);
  return shapes;
}

}  // namespace

Critic::Critic(const NetOptions& options, std::uint64_t seed, torch::Device device)
    : options_(options),
      layers_(options.net == Net::mlp ? 3 : 4),
      parameters_(critic_shapes(options), seed, 0, device) {}

torch::Tensor Critic::normalised(const torch::Tensor& x, std::size_t at, std::int64_t groups) const {
  const torch::Tensor &scale = parameters_[at], &shift = parameters_[at + 1];
  if (options_.norm == Norm::layer) return torch::group_norm(x, 1, scale, shift, 1e-5, false);
  if (groups == 1) return torch::batch_norm(x, scale, shift, {}, {}, true, 0.0, 1e-5, false);
  // Blocks become channels: (groups b) x C x ... -> b x (groups C) x ..., one batch norm, and back.
  std::vector<std::int64_t> apart = x.sizes().vec(), joined = apart;
  apart[0] = groups;
  apart.insert(apart.begin() + 1, x.size(0) / groups);
  joined[0] = x.size(0) / groups;
  joined[1] = groups * x.size(1);
  const torch::Tensor side_by_side = x.reshape(apart).transpose(0, 1).reshape(joined);
  const torch::Tensor y = torch::batch_norm(side_by_side, scale.repeat(groups), shift.repeat(groups), {}, {},
                                            true, 0.0, 1e-5, false);
  std::swap(apart[0], apart[1]);
  return y.reshape(apart).transpose(0, 1).reshape(x.sizes());
}

torch::Tensor Critic::values(const torch::Tensor& images, std::int64_t groups) const {
  const bool convolves = options_.net == Net::dcgan;
  torch::Tensor x = convolves ? images : images.flatten(1);
  std::size_t at = 0;
  for (std::size_t layer = 0; layer + 1 < layers_; ++layer) {
    x = convolves ? torch::conv2d(x, parameters_[at], parameters_[at + 1], 2, 1)
                  : torch::linear(x, parameters_[at], parameters_[at + 1]);
    at += 2;
    if (layer > 0 && options_.norm != Norm::none) {
      x = normalised(x, at, groups);
      at += 2;
    }
    x = torch::leaky_relu(x, slope);
  }
  if (convolves) x = x.permute({0, 2, 3, 1}).flatten(1);  // channels last: no copy
  return torch::linear(x, parameters_[at], parameters_[at + 1]).flatten();
}

}  // namespace motmot::gan
