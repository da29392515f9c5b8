/// Other integral probability metrics (Remark 7, rmk:other_IPMs): the estimators of Definition 2 over the
/// unit ball of the functions that a kernel makes (its RKHS) instead of the Lipschitz ball; for mou-diag this
/// is the estimator of MONK (Lerasle et al., 2019).
///
/// The best response to weights w on the rows is in closed form, f = g / |g| with g = sum_i w_i k(x_i, .) -
/// sum_j w_j k(y_j, .), and <w, f> = |g|. A step goes from f towards the response to the rows that carry its
/// median, along the sphere, as far as the mean value over partitions rises. With one block the first
/// response is the supremum itself.
#pragma once

#include "blocks/partition_passes.hpp"
#include "critics/exact_fit.hpp"

namespace motmot {

/// k(p, q): exp(-|p - q|^2 / (2 bandwidth^2)) for mmd, -|p - q| for energy (whose functions have weights of
/// sum 0, and so a norm). Not for w1.
struct RowKernel {
  Metric metric = Metric::mmd;
  double bandwidth = 1;
  [[nodiscard]] double operator()(std::span<const double> p, std::span<const double> q) const noexcept;
};

/// The median over rows of the median distance to the other rows, both samples together; of at most 1000 rows
/// of each, drawn by the seed. The usual heuristic, the median over all pairs, is lost to 30 % wrong rows,
/// since half of the pairs then have one; this one withstands all shares below a half (Rousseeuw and Croux,
/// 1993). 1 where rows do not differ.
[[nodiscard]] double robust_bandwidth(PointsView x, PointsView y, std::uint64_t seed, Team& team);

/// Functions of the kernel by their values on the rows. O((n + m)^2) each; the kernel's values are kept where
/// they fit into 128 MB. Same bits for any team.
class KernelSums {
 public:
  static constexpr std::size_t most_rows_kept = 4096;
  KernelSums(PointsView x, PointsView y, RowKernel kernel, Team& team);

  /// g = sum_i w.x_i k(x_i, .) - sum_j w.y_j k(y_j, .), and its norm. w sums to 1 on either side.
  struct Response {
    Phi phi{};        ///< g / |g| on the rows; 0 where |g| is
    double norm = 0;  ///< |g| = <w, phi>
  };
  [[nodiscard]] Response respond(const RowWeights& w) const;

 private:
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return i < x_.rows() ? x_.row(i) : y_.row(i - x_.rows());
  }

  PointsView x_, y_;
  RowKernel kernel_;
  Team& team_;
  std::vector<double> kept_{};  ///< k of all pairs of rows, X first; empty: too many
};

/// As fit_exact(), which says what the fields are: solves is 0, ascent_steps counts responses. Needs blocks:
/// with one, KernelSums::respond() on 1/n and 1/m is the answer.
[[nodiscard]] ExactFit fit_kernel(const ExactTask& task, const RowKernel& kernel, Team& team,
                                  const Progress& progress = {});

}  // namespace motmot
