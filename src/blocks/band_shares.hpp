/// Medians of block means and the blocks that carry them, smoothed: not the one median block, whose identity
/// is noise, but those within 5 % of all ranks around it (measured: a third of the partitions suffice).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bucket_select.hpp"
#include "blocks/pair_matrix.hpp"
#include "motmot/blocks.hpp"

namespace motmot {

/// Order statistics of one array after another, all alike. Looks first in a window around the last answer:
/// one pass that compares, then a selection among a third of the values. The answer is the order statistic
/// itself; the window only decides how long it takes.
class RankWindow {
 public:
  using Values = BucketSelect::Two;
  /// The values of ranks first <= last (from 0). No NaN.
  Values select(std::span<const double> values, std::size_t first, std::size_t last);

 private:
  std::size_t fill(std::span<const double> values, double low, double high);
  void widen(std::size_t first, std::size_t last);

  double low_ = 1, high_ = 0;     ///< the window; empty at first
  double below_ = 0, above_ = 0;  ///< how far it reaches beyond the answer
  std::size_t inside_count_ = 0;
  std::vector<double> inside_;
  BucketSelect nth_;
};

/// Buffers for one thread.
class BandShares {
 public:
  /// The value of Definition 2; of an even number of values the mean of the two middle ones.
  double value(Estimator estimator, std::span<const double> a, std::span<const double> b);

  /// What the shares of a sample add up to (almost: they are rounded down). Integers, so that sums over
  /// partitions do not depend on their order.
  static constexpr std::uint64_t unit = std::uint64_t{1} << 40;

  /// Each block's share of the band; equal values share alike. mom ranks the two samples apart, mou_diag the
  /// differences a_k - b_k, mou all a_k - b_l (a block counts as often as it is in a pair of the band).
  void shares(Estimator estimator, std::span<const double> a, std::span<const double> b,
              std::span<std::uint64_t> of_a, std::span<std::uint64_t> of_b);

 private:
  void differences(std::span<const double> a, std::span<const double> b);
  void shares_of_pairs(std::span<const double> a, std::span<const double> b, std::span<std::uint64_t> of_a,
                       std::span<std::uint64_t> of_b);

  RankWindow window_a_, window_b_;  ///< a_ also for differences
  std::vector<double> differences_;
  PairMatrix pairs_;
};

/// First and last rank (from 0) of the band among `count` values.
struct RankBand {
  std::uint64_t first, last;
};
RankBand rank_band(std::uint64_t count) noexcept;

}  // namespace motmot
