/// How the rows of two samples are cut over leaves, and leaves over ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/leaf_sum.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// The rows of one sample: which leaf a row belongs to, and where it is held if that leaf is here. Leaf l has
/// the rows from l times leaf_rows_ on.
class SampleSplit {
 public:
  /// All n rows, cut.
  SampleSplit(std::size_t n, const LeafShare& share);
  /// Those of a longer sample that are listed, in this order: row i is row listed[i] there.
  SampleSplit(std::vector<std::uint32_t> listed, const SampleSplit& longer);

  [[nodiscard]] std::size_t rows() const noexcept { return n_; }
  /// Of the sample that was cut.
  [[nodiscard]] RowRange here() const noexcept { return here_; }
  /// Rows of this rank: all of here(), or those that are listed.
  [[nodiscard]] std::size_t held() const noexcept { return held_; }

  /// Counted from this rank's first leaf; beyond its last one for rows that are elsewhere.
  [[nodiscard]] std::uint32_t own_leaf(std::uint32_t row) const noexcept {
    return (listed_.empty() ? row : listed_[row]) / leaf_rows_ - first_leaf_;
  }
  /// Where a row that is here is held, from 0.
  [[nodiscard]] std::uint32_t place(std::uint32_t row) const noexcept {
    return listed_.empty() ? row - static_cast<std::uint32_t>(here_.first) : places_[row];
  }
  [[nodiscard]] bool holds(std::uint32_t row) const noexcept {
    return (listed_.empty() ? row : listed_[row]) - here_.first < here_.count();
  }
  /// Calls visit(row, own_leaf(row), place(row)) for each row that is here, in ascending order.
  template <class Visit>
  void for_each_here(Visit visit) const {
    if (!listed_.empty()) {
      for (std::uint32_t row = 0; row < n_; ++row)
        if (holds(row)) visit(row, own_leaf(row), places_[row]);
      return;
    }
    auto row = static_cast<std::uint32_t>(here_.first);
    for (std::uint32_t leaf = 0, place = 0; row < here_.last; ++leaf)
      for (const std::uint32_t end = std::min(static_cast<std::uint32_t>(here_.last), row + leaf_rows_);
           row < end; ++row)
        visit(row, leaf, place++);
  }
  /// The rank that holds a row.
  [[nodiscard]] std::size_t rank_of(std::uint32_t row, std::size_t ranks) const noexcept {
    return leaf_owner((listed_.empty() ? row : listed_[row]) / leaf_rows_, leaves_, ranks);
  }
  [[nodiscard]] std::span<const std::uint32_t> listed() const noexcept { return listed_; }
  /// Of the listed rows those that are here, counted from the first row that is here, by their places.
  [[nodiscard]] std::vector<std::uint32_t> listed_here() const;

 private:
  std::size_t n_, held_, leaves_;
  std::uint32_t leaf_rows_, first_leaf_;
  RowRange here_;
  std::vector<std::uint32_t> listed_{}, places_{};
};

/// Both samples. With one leaf every rank has all rows and does all the work by itself.
struct RowSplit {
  Communicator* ranks;
  LeafShare share;
  SampleSplit x, y;

  [[nodiscard]] bool is_whole() const noexcept { return share.leaves == 1; }
  /// The same cuts of listed rows.
  [[nodiscard]] RowSplit of(std::vector<std::uint32_t> rows_x, std::vector<std::uint32_t> rows_y) const {
    return {ranks, share, SampleSplit(std::move(rows_x), x), SampleSplit(std::move(rows_y), y)};
  }
};

[[nodiscard]] RowSplit split_rows(std::size_t n, std::size_t m, std::size_t leaves, Communicator& ranks);
/// The rows that the split gives this rank, of a sample of which it may hold more.
[[nodiscard]] SamplePart rows_here(const SamplePart& sample, const SampleSplit& split);
/// One leaf.
[[nodiscard]] inline RowSplit unsplit_rows(std::size_t n, std::size_t m) {
  return split_rows(n, m, 1, alone());
}

/// Leaves for a step that evaluates so many rows: enough for many ranks, and each with work for itself. A
/// power of two up to 64.
[[nodiscard]] std::size_t leaves_for(std::size_t rows_of_a_step) noexcept;

/// All: one value for each row of a sample, from those of the rows that each rank holds, in the order of
/// places.
[[nodiscard]] std::vector<float> gather_rows(std::span<const float> held, const SampleSplit& sample,
                                             Communicator& ranks);

}  // namespace motmot
