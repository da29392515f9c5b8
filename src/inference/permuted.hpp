/// W1 of rows that were mixed and dealt out again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "inference/energy.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// What is solved for each permutation.
struct PermutedPlan {
  std::size_t first = 0;        ///< the number of the first permutation
  std::size_t count = 0;        ///< permutations that may be asked for
  std::size_t in_any_case = 0;  ///< the first so many are
  std::size_t plans = 0;        ///< the first so many give the costs by column
  bool variances = false;       ///< of W1, from the potentials
  bool shared = false;          ///< other ranks or processes solve some of them
};

/// What one permutation gives.
struct PermutedSolve {
  double w1 = 0, variance = 0;
  std::vector<double> columns{};
};

/// The permutations of two samples and their W1, which can be solved in any order and beside other problems.
class PermutedSolves {
 public:
  PermutedSolves(PointsView x, PointsView y, const PermutedPlan& plan, std::uint64_t seed, Team& team);

  [[nodiscard]] std::size_t in_any_case() const noexcept { return plan_.in_any_case; }
  /// Of those the ones that may be solved beside other problems: none where others have a share in them.
  [[nodiscard]] std::size_t beside_others() const noexcept { return plan_.shared ? 0 : plan_.in_any_case; }
  [[nodiscard]] std::span<const Labelling> labellings() const noexcept { return labellings_; }

  /// Permutation b < plan.count, unless it has been solved. Two threads may solve at once, each with a
  /// worker's number of its own.
  void solve(std::size_t b, std::size_t worker, const Progress& progress);

  /// Permutation b as somebody else solved it.
  void take(std::size_t b, PermutedSolve solved) { solved_[b] = std::move(solved); }

  [[nodiscard]] const PermutedSolve& solved(std::size_t b) const { return *solved_[b]; }
  [[nodiscard]] double w1(std::size_t b) const { return solved_[b]->w1; }
  /// Means over the first permutations, which must have been solved.
  [[nodiscard]] std::vector<double> mean_columns(std::size_t permutations) const;
  [[nodiscard]] double mean_variance(std::size_t permutations) const;

 private:
  struct Buffers {
    TransportWorkspace workspace;
    std::vector<double> x, y;
  };

  void deal(const Labelling& called_x, Buffers& buffers) const;

  PointsView x_, y_;
  PermutedPlan plan_;
  std::vector<Labelling> labellings_;
  std::vector<Buffers> buffers_;  ///< one for each worker
  std::vector<std::optional<PermutedSolve>> solved_;
};

/// The labellings of `count` permutations from number `first` on.
[[nodiscard]] std::vector<Labelling> draw_labellings(std::size_t n, std::size_t m, std::size_t first,
                                                     std::size_t count, std::uint64_t seed, Team& team);

}  // namespace motmot
