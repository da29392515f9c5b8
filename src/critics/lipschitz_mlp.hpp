/// 1-Lipschitz networks: orthonormal layers with max_min (GroupSort) between them, after Anil, Lucas and
/// Grosse, "Sorting out Lipschitz function approximation" (2019).
#pragma once

#include "critics/bjorck.hpp"
#include "critics/mlp.hpp"
#include "critics/update_rules.hpp"

namespace motmot {

/// A network with random orthonormal layers. Biases start at zero: spread over the data from the start they
/// cost 4 % of the value on three cones.
Mlp lipschitz_mlp(std::size_t d, const std::vector<std::size_t>& hidden, Rng rng);

/// Adam on orthonormal layers: the gradient is projected on the directions that keep a layer orthonormal, the
/// moments are those of the projection, and a step ends with a retraction. No step changes a layer by more
/// than 1/2 in norm, so the retraction always converges. The last bias, on which no value depends, stays.
class OrthonormalAdam {
 public:
  /// The rate falls from this to 0 along a cosine over the steps of the run.
  OrthonormalAdam(const Mlp& mlp, double rate, std::size_t steps);
  void ascend(std::span<float> weights, std::span<const float> gradient);

  /// What it remembers, for a checkpoint, and the way back.
  [[nodiscard]] std::vector<float> state() const { return adam_.state(); }
  void restore(std::span<const float> state, std::size_t steps) {
    adam_.restore(state, steps);
    step_ = steps;
  }

 private:
  std::vector<Mlp::Layer> layers_;
  std::vector<Stiefel> manifolds_;
  Adam<float> adam_;
  double rate_;
  std::size_t steps_, step_ = 0;
  std::vector<float> gradient_, before_;
};

/// A proven Lipschitz constant of phi, for the Euclidean distance: the product of bounds of the layers'
/// spectral norms, rounded up (sorting is 1-Lipschitz, biases are free).
double lipschitz_bound(const Mlp& mlp);

/// Divides every layer by its norm, and a little more to cover the rounding to float32; returns
/// lipschitz_bound() of the result, which is at most 1 but for rounding.
double normalise(Mlp& mlp);

/// phi of the rows in double, for the weights as they are: its rounding errors are some 1e-15 of a row's
/// norm. d columns, row after row.
std::vector<double> evaluate_in_double(const Mlp& mlp, std::span<const double> rows);

}  // namespace motmot
