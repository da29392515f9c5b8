/// What the ways of fitting the exact critic share: the points within reach, the transforms between values on
/// X and values on Y, the start, the read-out.
#pragma once

#include "blocks/partition_passes.hpp"
#include "critics/exact_fit.hpp"
#include "critics/min_plus.hpp"

namespace motmot {

class ExactProblem {
 public:
  ExactProblem(const ExactTask& task, Team& team);

  [[nodiscard]] PointsView x() const noexcept { return x_; }
  [[nodiscard]] PointsView y() const noexcept { return y_; }
  [[nodiscard]] const ExactTask& task() const noexcept { return task_; }
  [[nodiscard]] Team& team() noexcept { return team_; }

  /// Values u on X that some g gives, with the lowest values on Y that they allow: max_i (u_i - |x_i - y_j|).
  Phi lowest_on_y(std::vector<double> u);
  /// The other way: values on Y, 1-Lipschitz, with the highest on X: min_j (|x_i - y_j| + phi(y_j)).
  Phi highest_on_x(std::vector<double> phi_y);

  /// Where the ascent begins: linear along the line between the coordinate-wise medians, except that rows far
  /// from their own sample's median are put above (X) or below (Y) everything, as the best critic will do.
  /// Good for ranking blocks; not 1-Lipschitz.
  [[nodiscard]] Phi start() const;
  /// Whether both samples have rows that may be outliers: four times as far from its median as half of them.
  [[nodiscard]] bool remote_on_both_sides() const;

  /// `turns`: partitions from one permutation. They depend on each other a little: sixteen do for
  /// weights and steps, but the sd of the value is that of independent ones, so it is read with four.
  PartitionPasses passes(Purpose purpose_x, Purpose purpose_y, std::size_t turns = 16);

  /// Partitions for the weights and for the line search. MoU averages over pairs within a partition.
  [[nodiscard]] std::size_t weight_partitions() const;
  [[nodiscard]] std::size_t search_partitions() const;

  /// Value and sd on fresh partitions, and phi itself.
  void read_out(const Phi& phi, ExactFit& fit);

 private:
  const ExactTask& task_;
  Team& team_;
  Points x_, y_;
  Anchors anchors_x_, anchors_y_;
};

/// At least W1(w) - <w, phi>, given a plan between other weights for which phi is (nearly) optimal. Any plan
/// of marginals w bounds the gap by the sum of mass * (|x_i - y_j| - phi(x_i) + phi(y_j)); this one reuses
/// the pairs of the old plan, where the bracket is zero, and matches what is left greedily. Worth its n m d
/// work when the weights have changed little: it then replaces an exact solve.
double gap_bound(PointsView x, PointsView y, std::span<const PlanEntry> plan, const RowWeights& w,
                 const Phi& phi);

/// -values
[[nodiscard]] std::vector<double> negated(std::vector<double> values);

ExactFit fit_frank_wolfe(ExactProblem& problem, const Progress& progress);
ExactFit fit_adam(ExactProblem& problem, const Progress& progress);

}  // namespace motmot
