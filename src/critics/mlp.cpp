#include "critics/mlp.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace motmot {
namespace {

using kernels::Activation;
using kernels::tile_rows;

/// rows x features, row-major, from features x tile_rows.
void to_row_major(const float* from, std::size_t features, std::size_t rows, float* to) noexcept {
  for (std::size_t r = 0; r < rows; ++r)  // in this order the stores are the contiguous side
    for (std::size_t f = 0; f < features; ++f) to[r * features + f] = from[f * tile_rows + r];
}

std::size_t widest(std::span<const Mlp::Layer> layers) {
  std::size_t width = 0;
  for (const Mlp::Layer& layer : layers) width = std::max({width, layer.inputs, layer.outputs});
  return width;
}

}  // namespace

Mlp::Mlp(std::size_t d, const std::vector<std::size_t>& hidden, Nonlinearity between) : between_(between) {
  std::vector<std::size_t> sizes{d};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(1);
  std::size_t total = 0;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const std::size_t matrix = sizes[l] * sizes[l + 1];
    layers_.push_back({.inputs = sizes[l], .outputs = sizes[l + 1], .w = total, .bias = total + matrix});
    total += matrix + sizes[l + 1];
  }
  weights_.resize(total);
}

Mlp::Mlp(std::size_t d, const std::vector<std::size_t>& hidden, Rng rng) : Mlp(d, hidden) {
  for (const Layer& layer : layers_) {
    const double bound = 1 / std::sqrt(static_cast<double>(layer.inputs));
    const auto own = std::span(weights_).subspan(layer.w, (layer.inputs + 1) * layer.outputs);
    for (float& weight : own) weight = static_cast<float>(rng.uniform(-bound, bound));
  }
}

std::vector<std::size_t> Mlp::hidden() const {
  std::vector<std::size_t> sizes;
  for (const Layer& layer : std::span(layers_).first(layers_.size() - 1)) sizes.push_back(layer.outputs);
  return sizes;
}

Mlp::Workspace::Workspace(const Mlp& mlp)
    : input(mlp.dimension() * tile_rows),
      delta(widest(mlp.layers()) * tile_rows),
      delta_below(delta.size()),
      delta_rows(delta.size()),
      input_rows(delta.size()) {
  for (const std::size_t size : mlp.hidden()) activations.emplace_back(size * tile_rows);
  if (mlp.nonlinearity() == Nonlinearity::max_min)
    for (const std::size_t size : mlp.hidden()) orders.emplace_back(size / 2 * tile_rows);
}

void Mlp::forward(const float* in, std::size_t in_ld, float* phi, Workspace& workspace,
                  bool keep_orders) const noexcept {
  const bool sorts = between_ == Nonlinearity::max_min;
  const Activation activation = sorts ? Activation::max_min : Activation::relu;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const bool last = l + 1 == layers_.size();
    float* out = last ? phi : workspace.activations[l].data();
    kernels::table().dense({.w = weights_.data() + layer.w,
                            .w_out = layer.inputs,
                            .w_in = 1,
                            .bias = weights_.data() + layer.bias,
                            .inputs = layer.inputs,
                            .outputs = layer.outputs,
                            .in = in,
                            .in_ld = in_ld,
                            .out = out,
                            .out_ld = tile_rows,
                            .activation = last ? Activation::none : activation,
                            .order = keep_orders && sorts && !last ? workspace.orders[l].data() : nullptr});
    in = out;
    in_ld = tile_rows;
  }
}

void Mlp::evaluate(const float* in, std::size_t in_ld, float* phi, Workspace& workspace) const noexcept {
  forward(in, in_ld, phi, workspace, false);
}

void Mlp::evaluate(const FeatureMajor& data, std::span<const std::uint32_t> rows, float* phi,
                   Workspace& workspace) const noexcept {
  std::array<float, tile_rows> tile;
  data.gather(rows, workspace.input.data());
  forward(workspace.input.data(), tile_rows, tile.data(), workspace, false);
  std::copy_n(tile.begin(), rows.size(), phi);
}

void Mlp::add_gradient(const FeatureMajor& data, std::span<const WeightedRow> rows, std::span<float> gradient,
                       Workspace& workspace) const noexcept {
  std::array<std::uint32_t, tile_rows> index;
  std::array<float, tile_rows> phi;
  for (std::size_t first = 0; first < rows.size(); first += tile_rows) {
    const auto part = rows.subspan(first, std::min(tile_rows, rows.size() - first));
    std::ranges::transform(part, index.begin(), &WeightedRow::row);
    data.gather(std::span(index).first(part.size()), workspace.input.data());
    forward(workspace.input.data(), tile_rows, phi.data(), workspace, true);
    // d(weighted sum) / d phi(row) is the row's weight; rows that only fill the tile have none.
    std::fill_n(workspace.delta.begin(), tile_rows, 0.0f);
    std::ranges::transform(part, workspace.delta.begin(), &WeightedRow::weight);
    backward(part.size(), gradient, workspace);
  }
}

void Mlp::backward(std::size_t rows, std::span<float> gradient, Workspace& workspace) const noexcept {
  const bool sorts = between_ == Nonlinearity::max_min;
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const Layer& layer = layers_[l];
    const float* in = l == 0 ? workspace.input.data() : workspace.activations[l - 1].data();
    to_row_major(workspace.delta.data(), layer.outputs, rows, workspace.delta_rows.data());
    to_row_major(in, layer.inputs, rows, workspace.input_rows.data());
    kernels::table().outer({.delta = workspace.delta_rows.data(),
                            .in = workspace.input_rows.data(),
                            .rows = rows,
                            .outputs = layer.outputs,
                            .inputs = layer.inputs,
                            .w = gradient.data() + layer.w,
                            .bias = gradient.data() + layer.bias});
    if (l == 0) return;
    kernels::table().dense({.w = weights_.data() + layer.w,  // transposed
                            .w_out = 1,
                            .w_in = layer.inputs,
                            .inputs = layer.outputs,
                            .outputs = layer.inputs,
                            .in = workspace.delta.data(),
                            .in_ld = tile_rows,
                            .out = workspace.delta_below.data(),
                            .out_ld = tile_rows,
                            .activation = sorts ? Activation::max_min_back : Activation::relu_mask,
                            .mask = sorts ? workspace.orders[l - 1].data() : in});
    std::swap(workspace.delta, workspace.delta_below);
  }
}

}  // namespace motmot
