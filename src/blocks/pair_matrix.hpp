/// All differences a_k - b_l of block means, never listed: what MoU ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace motmot {

/// Reused from partition to partition without allocating.
class PairMatrix {
 public:
  /// Sorts a ascending and b descending, so that differences ascend along rows and along columns.
  void assign(std::span<const double> a, std::span<const double> b);
  [[nodiscard]] std::uint64_t size() const noexcept { return std::uint64_t{a_.size()} * b_.size(); }

  /// The `rank`-th smallest difference (from 0), by selection in a matrix with sorted rows and columns:
  /// O(K log K) after Johnson and Mizoguchi (1978).
  double select(std::uint64_t rank);

  /// Which blocks have this difference, a value of select(): of equal means the first in a, the last in b.
  struct Pair {
    std::uint32_t k, l;
  };
  [[nodiscard]] Pair find(double difference);

  /// How many pairs with low <= a_k - b_l <= high block k of a takes part in, and block l of b. Returns
  /// the number of such pairs. Two walks down the staircase: O(K).
  std::uint64_t count_between(double low, double high, std::span<std::uint64_t> of_a,
                              std::span<std::uint64_t> of_b);

 private:
  struct Entry {
    double value;
    std::uint32_t position;
  };
  [[nodiscard]] double at(std::size_t row, std::size_t col) const { return a_[row].value - b_[col].value; }
  template <class Before>
  std::uint64_t stairs(double pivot, Before before, std::vector<std::uint32_t>& ends) const;
  /// Where a search stands: values known to lie below and above the answer, and how many differences are
  /// up to `low` and below `high`.
  struct Bracket {
    double low, high;
    std::uint64_t up_to_low, below_high;
  };
  [[nodiscard]] double guess(const Bracket& bracket, std::uint64_t rank, int tries) const;
  [[nodiscard]] double pivot(std::uint64_t candidates) const;
  double select_listed(std::uint64_t rank);

  std::vector<Entry> a_, b_;
  std::vector<std::uint32_t> first_, last_;   ///< candidates of a row: columns [first, last)
  std::vector<std::uint32_t> below_, up_to_;  ///< per row, entries < and <= a pivot
  std::vector<double> listed_;
};

}  // namespace motmot
