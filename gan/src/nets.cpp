#include "motmot/gan/nets.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

#include "base/leaf_sum.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "motmot/gan/images.hpp"

namespace motmot::gan {
namespace {

/// A checkpoint has two networks with three floats per weight, and must stay below 4 GB (npz_file.hpp).
constexpr std::int64_t most_weights = 150'000'000;

std::int64_t count_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// The part of `flat` from `offset` on, as a tensor of these sizes. Convolutions have their channels last,
/// which is the layout that oneDNN computes fastest.
torch::Tensor view_of(const torch::Tensor& flat, std::int64_t offset,
                      const std::vector<std::int64_t>& sizes) {
  const torch::Tensor part = flat.narrow(0, offset, count_of(sizes));
  if (sizes.size() == 4) return part.view({sizes[0], sizes[2], sizes[3], sizes[1]}).permute({0, 3, 1, 2});
  return part.view(sizes);
}

constexpr double slope = 0.2;  // of LeakyReLU

/// Weight and bias; a layer with a norm also has its scale and shift.
void add_critic_layer(std::vector<Parameters::Shape>& shapes, const std::string& name,
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
    add_critic_layer(shapes, "layer0", {8 * w, c * static_cast<std::int64_t>(side * side)}, false);
    add_critic_layer(shapes, "layer1", {8 * w, 8 * w}, norm);
    add_critic_layer(shapes, "layer2", {1, 8 * w}, false);
    return shapes;
  }
  add_critic_layer(shapes, "layer0", {w, c, 4, 4}, false);
  add_critic_layer(shapes, "layer1", {2 * w, w, 4, 4}, norm);
  add_critic_layer(shapes, "layer2", {4 * w, 2 * w, 4, 4}, norm);
  add_critic_layer(shapes, "layer3", {1, 4 * w * 16}, false);
  return shapes;
}

/// A layer with batch norm needs no bias of its own: weight, scale, shift.
void add_generator_layer(std::vector<Parameters::Shape>& shapes, const std::string& name,
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
    add_generator_layer(shapes, "layer0", {8 * w, z}, z, 8 * w);
    add_generator_layer(shapes, "layer1", {8 * w, 8 * w}, 8 * w, 8 * w);
    add_generator_layer(shapes, "layer2", {c * pixels, 8 * w}, 8 * w, 0);
    shapes.push_back({"layer2.bias", {c * pixels}, 0, 0});
    return shapes;
  }
  add_generator_layer(shapes, "layer0", {4 * 4 * 4 * w, z}, z, 4 * w);
  add_generator_layer(shapes, "layer1", {4 * w, 2 * w, 4, 4}, 2 * w * 16, 2 * w);
  add_generator_layer(shapes, "layer2", {2 * w, w, 4, 4}, w * 16, w);
  add_generator_layer(shapes, "layer3", {w, c, 4, 4}, c * 16, 0);
  shapes.push_back({"layer3.bias", {c}, 0, 0});
  return shapes;
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::array<std::int64_t, 2> stride{2, 2}, padding{1, 1}, dilation{1, 1}, none{0, 0};

/// torch::conv_transpose2d of 4 x 4 kernels, stride 2, padding 1: doubles height and width. libtorch 1.13
/// does one matrix product per image there. The same numbers are the gradient of a convolution with respect
/// to its input, and that gradient oneDNN computes for the whole batch. Can be differentiated once.
class TransposedConvolution : public torch::autograd::Function<TransposedConvolution> {
 public:
  // x stands for the gradient with respect to the convolution's output. The values of its input do not
  // matter.
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight) {
    context->save_for_backward({x, weight});
    const torch::Tensor shape = torch::empty({x.size(0), weight.size(1), 2 * x.size(2), 2 * x.size(3)},
                                             x.options().memory_format(torch::MemoryFormat::ChannelsLast));
    return std::get<0>(torch::convolution_backward(x, shape, weight, c10::nullopt, stride, padding, dilation,
                                                   false, none, 1, {true, false, false}));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &weight = saved[1], &gradient = gradients[0];
    torch::Tensor by_x, by_weight;
    if (context->needs_input_grad(0)) by_x = torch::conv2d(gradient, weight, {}, stride, padding);
    if (context->needs_input_grad(1))
      by_weight = std::get<1>(torch::convolution_backward(x, gradient, weight, c10::nullopt, stride, padding,
                                                          dilation, false, none, 1, {false, true, false}));
    return {by_x, by_weight};
  }
};

}  // namespace

Parameters::Parameters(const std::vector<Shape>& shapes, std::uint64_t seed, std::uint64_t stream,
                       torch::Device device) {
  std::int64_t total = 0;
  for (const Shape& shape : shapes) total += count_of(shape.sizes);
  require(total <= most_weights, Errc::invalid_argument, "a network of ", total,
          " weights is too large for a checkpoint, which holds at most ", most_weights,
          ": choose a smaller --width or --latent");
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
  if (ranks_->alone()) return computed(images, groups);
  const auto n = static_cast<std::size_t>(images.size(0));
  const auto part = [&](std::size_t rank) { return leaf_share(n, rank, ranks_->size()); };
  const LeafShare mine = part(ranks_->rank());
  const torch::Tensor own = computed(
      images.narrow(0, static_cast<std::int64_t>(mine.first), static_cast<std::int64_t>(mine.count())), 1);
  const torch::Tensor here = own.detach().to(torch::kCPU).contiguous();
  const std::vector<std::string> all =
      ranks_->gather({reinterpret_cast<const char*>(here.data_ptr<float>()), mine.count() * sizeof(float)});
  std::vector<torch::Tensor> values;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    torch::Tensor theirs = torch::empty(static_cast<std::int64_t>(part(rank).count()));
    std::memcpy(theirs.data_ptr<float>(), all[rank].data(), all[rank].size());
    values.push_back(rank == ranks_->rank() ? own : theirs.to(images.device()));
  }
  return torch::cat(values);
}

torch::Tensor Critic::computed(const torch::Tensor& images, std::int64_t groups) const {
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
  x = active(TransposedConvolution::apply(x, parameters_[3]), 1, training);
  x = active(TransposedConvolution::apply(x, parameters_[6]), 2, training);
  x = TransposedConvolution::apply(x, parameters_[9]) + parameters_[10].view({1, -1, 1, 1});
  return torch::tanh(x);
}

}  // namespace motmot::gan
