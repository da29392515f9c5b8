/// The walk down the tree that finds the k-th distances of all rows.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/bucket_select.hpp"
#include "neighbours/row_blocks.hpp"

namespace motmot {

/// What holds for every row of a branch: blocks whose rows are all nearer than the k-th neighbour, or all
/// farther, are settled; the others are open.
struct Reach {
  std::vector<std::uint32_t> open{};
  std::vector<std::uint32_t> nearer{};  ///< settled blocks that are nearer than the first k-th neighbour
  std::vector<std::size_t> settled{};   ///< of each k: how many settled rows are nearer
  Centre centre{};
  std::vector<double> distance{};  ///< of each k: from the centre to its k-th nearest row
};

/// One row whose k-th distances are found.
struct FoundRow {
  std::size_t place;                ///< in the order of the tree
  std::span<const double> squared;  ///< k-th distance of each k, squared
  std::span<const double> open;     ///< squared distances to the rows of the open blocks, block after block
  const Reach& reach;
};

/// The memory of one task.
class Search {
 public:
  /// `ks` count other rows: the k-th nearest of all but the row itself.
  Search(const RowBlocks& rows, std::span<const std::size_t> ks)
      : rows_(rows), ks_(ks), squared_(ks.size()) {}

  /// Calls found(row) for each row of the branch.
  void run(Branch branch, const std::function<void(const FoundRow&)>& found);

 private:
  void descend(Branch branch, const Reach& reach, const std::function<void(const FoundRow&)>& found);
  void look_at_rows(std::size_t block, const Reach& reach, const std::function<void(const FoundRow&)>& found);
  [[nodiscard]] Reach narrowed(const Reach& around, Branch branch);
  void settle(Reach& reach, std::span<const double> squared) const;
  double select(std::span<const double> squared, std::size_t rank, double low, double high);

  const RowBlocks& rows_;
  std::span<const std::size_t> ks_;
  std::vector<double> distances_;  ///< of a few points to the open blocks
  std::vector<double> sifted_;
  std::vector<double> squared_;
  BucketSelect bucket_select_;
};

}  // namespace motmot
