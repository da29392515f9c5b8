#include "critics/lipschitz_mlp.hpp"

#include <algorithm>
#include <cmath>

#include "critics/spectral.hpp"

namespace motmot {
namespace {

std::span<float> matrix_of(std::span<float> weights, const Mlp::Layer& layer) {
  return weights.subspan(layer.w, layer.inputs * layer.outputs);
}

double norm_bound(const Mlp& mlp, const Mlp::Layer& layer) {
  const auto weights = mlp.weights().subspan(layer.w, layer.inputs * layer.outputs);
  const std::vector<double> matrix(weights.begin(), weights.end());
  return spectral_norm_bound(matrix, layer.outputs, layer.inputs);
}

/// Draws the step back to a norm of at most 1/2.
void shorten(std::span<const float> before, std::span<float> after) {
  constexpr double longest = 0.5;
  double squares = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double step = static_cast<double>(after[i]) - static_cast<double>(before[i]);
    squares += step * step;
  }
  if (squares <= longest * longest) return;
  const auto factor = static_cast<float>(longest / std::sqrt(squares));
  for (std::size_t i = 0; i < after.size(); ++i) after[i] = before[i] + factor * (after[i] - before[i]);
}

/// out[o][r] = bias[o] + sum_i w[o][i] in[i][r], then max_min unless the layer is the last.
void evaluate_layer(const Mlp& mlp, const Mlp::Layer& layer, std::size_t tile, const std::vector<double>& in,
                    std::vector<double>& out) {
  const std::span<const float> weights = mlp.weights();
  out.resize(layer.outputs * tile);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    double* to = out.data() + o * tile;
    std::fill_n(to, tile, static_cast<double>(weights[layer.bias + o]));
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      const auto w = static_cast<double>(weights[layer.w + o * layer.inputs + i]);
      for (std::size_t r = 0; r < tile; ++r) to[r] += w * in[i * tile + r];
    }
  }
  if (&layer == &mlp.layers().back()) return;
  for (std::size_t o = 0; o + 1 < layer.outputs; o += 2)
    for (std::size_t r = 0; r < tile; ++r)
      if (out[o * tile + r] < out[(o + 1) * tile + r]) std::swap(out[o * tile + r], out[(o + 1) * tile + r]);
}

}  // namespace

Mlp lipschitz_mlp(std::size_t d, const std::vector<std::size_t>& hidden, Rng rng) {
  Mlp mlp(d, hidden, Nonlinearity::max_min);
  for (const Mlp::Layer& layer : mlp.layers()) {
    const std::span<float> matrix = matrix_of(mlp.weights(), layer);
    for (float& weight : matrix) weight = static_cast<float>(rng.normal());
    Stiefel(layer.outputs, layer.inputs).orthonormalise(matrix);
  }
  return mlp;
}

OrthonormalAdam::OrthonormalAdam(const Mlp& mlp, double rate, std::size_t steps)
    : layers_(mlp.layers().begin(), mlp.layers().end()),
      adam_(mlp.weights().size()),
      rate_(rate),
      steps_(steps),
      gradient_(mlp.weights().size()),
      before_(mlp.weights().size()) {
  for (const Mlp::Layer& layer : layers_) manifolds_.emplace_back(layer.outputs, layer.inputs);
}

void OrthonormalAdam::ascend(std::span<float> weights, std::span<const float> gradient) {
  std::ranges::copy(gradient, gradient_.begin());
  std::ranges::copy(weights, before_.begin());
  gradient_.back() = 0;  // the last bias
  for (std::size_t l = 0; l < layers_.size(); ++l)
    manifolds_[l].project(matrix_of(weights, layers_[l]), matrix_of(gradient_, layers_[l]));
  const double done = static_cast<double>(step_++) / static_cast<double>(steps_);
  adam_.ascend(weights, gradient_, rate_ * cosine_decay(done));
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    shorten(matrix_of(before_, layers_[l]), matrix_of(weights, layers_[l]));
    manifolds_[l].retract(matrix_of(weights, layers_[l]));
  }
}

double lipschitz_bound(const Mlp& mlp) {
  double product = 1;
  for (const Mlp::Layer& layer : mlp.layers()) product *= norm_bound(mlp, layer) * (1 + 0x1p-51);
  return product;
}

double normalise(Mlp& mlp) {
  constexpr double room = 1 - 0x1p-22;
  for (const Mlp::Layer& layer : mlp.layers()) {
    const double factor = room / norm_bound(mlp, layer);
    for (float& weight : matrix_of(mlp.weights(), layer))
      weight = static_cast<float>(static_cast<double>(weight) * factor);
  }
  return lipschitz_bound(mlp);
}

std::vector<double> evaluate_in_double(const Mlp& mlp, std::span<const double> rows) {
  constexpr std::size_t tile = 32;
  const std::size_t d = mlp.dimension(), n = rows.size() / d;
  std::vector<double> in, out, phi(n);
  for (std::size_t first = 0; first < n; first += tile) {
    const std::size_t count = std::min(tile, n - first);
    in.assign(d * tile, 0.0);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t i = 0; i < d; ++i) in[i * tile + r] = rows[(first + r) * d + i];
    for (const Mlp::Layer& layer : mlp.layers()) {
      evaluate_layer(mlp, layer, tile, in, out);
      std::swap(in, out);
    }
    std::copy_n(in.begin(), count, phi.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return phi;
}

}  // namespace motmot
