/// The walk down the tree that finds the k-th distances of all rows.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/bucket_select.hpp"
#include "neighbours/row_blocks.hpp"

namespace motmot {

/// What holds for every row of a branch: blocks whose rows are all nearer than the k-th neighbour, or all
/// farther, are settled; the others are open.
struct Reach {
  /// A block of targets, and the first of the ranks whose neighbour is farther than all of it.
  struct Settled {
    std::uint32_t block;
    std::uint32_t from_rank;
  };
  std::vector<std::uint32_t> open{};
  std::vector<Settled> nearer{};       ///< settled blocks that are nearer than some rank's neighbour
  std::vector<std::size_t> settled{};  ///< of each rank: how many settled rows are nearer
  Centre centre{};
  std::vector<double> distance{};  ///< of each rank: from the centre to that neighbour
};

/// One row whose neighbours are found.
struct FoundRow {
  std::size_t place;                ///< in the order of the tree
  std::span<const double> squared;  ///< distance to the neighbour of each rank, squared
  std::span<const double> open;     ///< squared distances to the rows of the open blocks, block after block
  const Reach& reach;
};

/// The memory of one task.
class Search {
 public:
  /// From `rows` to `targets`, both with the same number of columns. `ranks` ascend and count from 0: where
  /// rows and targets are the same sample, the row itself has rank 0.
  Search(const RowBlocks& rows, const RowBlocks& targets, std::span<const std::size_t> ranks)
      : rows_(rows), targets_(targets), ranks_(ranks) {}

  /// Calls found(row) for each row of the branch.
  void run(Branch branch, const std::function<void(const FoundRow&)>& found);

 private:
  void descend(Branch branch, const Reach& reach, const std::function<void(const FoundRow&)>& found);
  void look_at_rows(std::size_t block, const Reach& reach, const std::function<void(const FoundRow&)>& found);
  [[nodiscard]] Reach narrowed(const Reach& around, Branch branch);
  void settle(Reach& reach, std::span<const double> squared) const;
  /// The squared distances of all ranks from a point that lies `off` from the centre of the reach.
  [[nodiscard]] std::vector<double> select_all(std::span<const double> squared, const Reach& around,
                                               double off);
  struct Range {
    double low, high;
  };
  [[nodiscard]] double select_one(std::span<const double> squared, const Reach& around, double off);
  [[nodiscard]] std::optional<double> select_near_last(std::span<const double> squared, std::size_t rank);
  [[nodiscard]] Range range_of(std::size_t k, const Reach& around, double off) const;
  [[nodiscard]] std::span<const double> sift(std::span<const double> squared, Range range,
                                             std::size_t& below);

  const RowBlocks& rows_;
  const RowBlocks& targets_;
  std::span<const std::size_t> ranks_;
  std::vector<double> distances_;  ///< of a few points to the open blocks
  std::vector<double> sifted_;
  std::vector<std::size_t> open_ranks_;
  double last_ = 0;  ///< squared distance found last, where there is one rank
  BucketSelect bucket_select_;
};

}  // namespace motmot
