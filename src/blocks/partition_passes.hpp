/// Many partitions of the same rows: the values of a critic on them, and how often each row carries the
/// median. This is where the exact critic meets blocks; O(n + m) a partition.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "blocks/band_shares.hpp"
#include "blocks/sampler.hpp"
#include "motmot/base.hpp"

namespace motmot {

/// A function by its values on the rows of X and of Y.
using Phi = PerSample<std::vector<double>>;

/// A probability on the rows of X and one on those of Y.
using RowWeights = PerSample<std::vector<double>>;

/// Draws partition after partition for one purpose. Partition p of pass t is a function of (seed, purpose,
/// t, p); threads work on different partitions.
class PartitionPasses {
 public:
  /// A permutation serves up to `turns` partitions: written as B columns of K rows, each turn of the columns
  /// against each other is again a uniform partition, and its means are sums of contiguous numbers. (With 16
  /// turns four times faster; partitions of one permutation depend on each other weakly.)
  PartitionPasses(const BlockPlan& plan, Estimator estimator, std::size_t n, std::size_t m,
                  std::uint64_t seed, Purpose purpose_x, Purpose purpose_y, std::size_t turns, Team& team);
  ~PartitionPasses();

  /// At least `partitions` rounded up to whole permutations; 1 for Scheme::partition, which has no more.
  [[nodiscard]] std::size_t count(std::size_t partitions) const noexcept;

  /// Median-band frequencies of the rows (w of the study), each sample normalised to 1.
  RowWeights weights(const Phi& phi, std::size_t partitions, std::uint64_t pass);

  /// The value of phi on each partition.
  std::vector<double> values(const Phi& phi, std::size_t partitions, std::uint64_t pass);

  /// The mean value of (1 - step) phi + step psi for each step, all on the same partitions.
  std::vector<double> values_between(const Phi& phi, const Phi& psi, std::span<const double> steps,
                                     std::size_t partitions, std::uint64_t pass);

 private:
  class Worker;
  /// Calls visit(worker, p, turn) for each partition p once the worker has drawn it and has phi's means.
  template <class Visit>
  void for_each(const Phi& phi, std::size_t partitions, std::uint64_t pass, Visit visit);

  BlockPlan plan_;
  Estimator over_;     ///< what is ranked: blocks of pairs are ranked along the diagonal
  std::size_t turns_;  ///< partitions from one permutation
  Team& team_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace motmot
