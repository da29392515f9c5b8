#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "critics/feature_major.hpp"

namespace motmot {

/// A row of a FeatureMajor and its share in a gradient.
struct WeightedRow {
  std::uint32_t row = 0;
  float weight = 0;
};

/// What stands between the layers of a network.
enum class Nonlinearity {
  relu,
  max_min,  ///< GroupSort with groups of two: sorts pairs of units, so it is 1-Lipschitz and keeps norms
};

/// phi_w: R^d -> R, fully connected with a nonlinearity between the layers; all weights in one array.
class Mlp {
 public:
  static constexpr double multiply_adds_a_second = 5e10;  ///< of one core, about, at evaluating many rows
  struct Layer {
    std::size_t inputs = 0, outputs = 0;
    std::size_t w = 0;     ///< where its outputs x inputs matrix starts in weights()
    std::size_t bias = 0;  ///< where its outputs biases start
  };

  /// All weights zero.
  Mlp(std::size_t d, const std::vector<std::size_t>& hidden, Nonlinearity between = Nonlinearity::relu);
  /// Uniform on +-1/sqrt(inputs of the layer), biases too.
  Mlp(std::size_t d, const std::vector<std::size_t>& hidden, Rng rng);

  [[nodiscard]] std::size_t dimension() const noexcept { return layers_.front().inputs; }
  [[nodiscard]] std::vector<std::size_t> hidden() const;
  [[nodiscard]] Nonlinearity nonlinearity() const noexcept { return between_; }
  [[nodiscard]] std::span<const Layer> layers() const noexcept { return layers_; }
  [[nodiscard]] std::span<float> weights() noexcept { return weights_; }
  [[nodiscard]] std::span<const float> weights() const noexcept { return weights_; }

  /// Scratch memory of one thread.
  class Workspace {
   public:
    explicit Workspace(const Mlp& mlp);

   private:
    friend class Mlp;
    std::vector<float> input;                     ///< gathered rows
    std::vector<std::vector<float>> activations;  ///< of every hidden layer, feature-major
    std::vector<std::vector<float>> orders;       ///< max_min: which of a pair was larger, before sorting
    std::vector<float> delta, delta_below;        ///< d phi / d(layer output), feature-major
    std::vector<float> delta_rows, input_rows;    ///< the factors of the weight gradient, row-major
  };

  /// phi of tile_rows rows, feature-major at `in`, into phi[0 .. tile_rows).
  void evaluate(const float* in, std::size_t in_ld, float* phi, Workspace& workspace) const noexcept;

  /// phi of at most tile_rows listed rows.
  void evaluate(const FeatureMajor& data, std::span<const std::uint32_t> rows, float* phi,
                Workspace& workspace) const noexcept;

  /// gradient += sum over the rows of weight * d phi(row) / dw.
  void add_gradient(const FeatureMajor& data, std::span<const WeightedRow> rows, std::span<float> gradient,
                    Workspace& workspace) const noexcept;

 private:
  /// Orders are kept for a backward pass only.
  void forward(const float* in, std::size_t in_ld, float* phi, Workspace& workspace,
               bool keep_orders) const noexcept;
  void backward(std::size_t rows, std::span<float> gradient, Workspace& workspace) const noexcept;

  std::vector<Layer> layers_;
  std::vector<float> weights_;
  Nonlinearity between_;
};

}  // namespace motmot
