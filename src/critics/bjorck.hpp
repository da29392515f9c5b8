/// Matrices with orthonormal columns (orthonormal rows where there are fewer rows than columns).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motmot {

/// Keeps an outputs x inputs matrix W orthonormal while it follows gradients.
///
/// The critic of Anil, Lucas and Grosse (2019) has free matrices V, uses W = bjorck(V) and differentiates
/// through some twenty iterations. Here W itself is the parameter and is put back after every step:
/// - at an orthonormal W the derivative of one Bjorck iteration, and so of any number of them, is the
///   orthogonal projection H -> H - W sym(W^T H). Two products give the very gradient that
///   differentiating through all iterations would give there;
/// - after a short step W is nearly orthonormal already and the iteration squares its error: two or three
///   iterations reach float32's accuracy where a free V, which drifts, needs twenty, there and back.
class Stiefel {
 public:
  Stiefel(std::size_t outputs, std::size_t inputs);

  /// gradient <- gradient - W sym(W^T gradient), for orthonormal W.
  void project(std::span<const float> w, std::span<float> gradient);

  /// The nearest orthonormal matrix (the polar factor), by Bjorck's iteration W <- W (3 I - W^T W) / 2.
  /// Converges when every singular value lies in (0, sqrt 3). Returns the number of iterations.
  int retract(std::span<float> w);

  /// The same for any W of full rank: scales it first so that no singular value exceeds 1.
  int orthonormalise(std::span<float> w);

 private:
  void gram(std::span<const float> a, std::span<const float> b);
  void add_product(std::span<const float> right, std::span<float> to);
  void load(std::span<const float> w);
  void store(std::span<float> w) const;

  std::size_t tall_, narrow_;  ///< sizes of the tall one of W and W^T, called A
  bool transposed_;            ///< A = W^T
  std::vector<float> a_, at_;  ///< A, row-major, and its transpose
  std::vector<float> next_;    ///< room for another A
  std::vector<float> gram_;    ///< narrow x narrow
  std::vector<float> unused_;  ///< sums that the kernel makes beside
};

}  // namespace motmot
