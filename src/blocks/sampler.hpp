/// Drawing blocks (Sections 2.2 and 3.1).
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "motmot/blocks.hpp"

namespace motmot {

/// `count` blocks of `size` row indices each, one after the other.
struct Blocks {
  std::vector<std::uint32_t> index;
  std::size_t count = 0;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t k) const noexcept {
    assert(k < count);
    return std::span(index).subspan(k * size, size);
  }
};

/// Numbers and sizes of blocks. For Scheme::pairs k_x = k_y = K and b_x = b_y = M.
struct BlockPlan {
  Scheme scheme = Scheme::shuffle;
  std::size_t k_x = 1, k_y = 1;
  std::size_t b_x = 1, b_y = 1;
  bool mini =
      false;  ///< shuffle: a step draws k_x blocks of b_x rows and leaves the others alone (k_x b_x <= n)
};

/// K disjoint blocks of floor(n / K) rows; the n mod K rows left over are dropped at random.
Blocks partition_blocks(std::size_t n, std::size_t k, Rng& rng);

/// K blocks of B rows, each drawn by itself without replacement: blocks may share rows.
Blocks swor_blocks(std::size_t n, std::size_t k, std::size_t b, Rng& rng);

/// K blocks of M pairs (i, j), i < n, j < m, drawn without replacement inside a block; the t-th pair of
/// block k is (x[k][t], y[k][t]).
struct PairBlocks {
  Blocks x, y;
};
PairBlocks pair_blocks(std::size_t n, std::size_t m, std::size_t k, std::size_t pairs, Rng& rng);

/// A permutation of 0 .. n - 1 of which few entries were moved: memory for these alone.
class SparseRows {
 public:
  /// n rows, of which at most `most` are looked at between two resets.
  SparseRows(std::size_t n, std::size_t most);

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  std::uint32_t& operator[](std::size_t place) noexcept;
  /// Every row is in its own place again. O(1).
  void reset() noexcept;

 private:
  struct Entry {
    std::uint32_t round = 0, place = 0, row = 0;
  };
  std::size_t n_;
  std::uint32_t round_ = 1;     ///< entries of other rounds are free
  std::vector<Entry> entries_;  ///< a power of two of them, at least twice as many as are used
};

/// Draws the blocks of one sample again and again without allocating: what an ascent loop needs.
class BlockSampler {
 public:
  /// k blocks of b rows. For partition and shuffle b = 0 means floor(n / k); a smaller b gives the first k
  /// blocks of a partition into blocks of b rows. When few rows are drawn, a draw costs them and not n, in
  /// time and in memory.
  BlockSampler(Scheme scheme, std::size_t n, std::size_t k, std::size_t b, std::uint64_t seed,
               Purpose purpose);

  /// The blocks of step t: a function of (seed, purpose, t) alone, and of (seed, purpose) for partition.
  const Blocks& draw(std::uint64_t step);
  /// Those of the last draw.
  [[nodiscard]] const Blocks& blocks() const noexcept { return blocks_; }

 private:
  Scheme scheme_;
  std::uint64_t seed_;
  Purpose purpose_;
  bool drawn_ = false;
  std::vector<std::uint32_t> rows_;   ///< a permutation of the rows, put in order before every draw
  std::optional<SparseRows> sparse_;  ///< the same where few are drawn
  Blocks blocks_;
};

/// The blocks of both samples, step after step, whatever the scheme.
class PlanSampler {
 public:
  /// Blocks of pairs are drawn for `purpose_pairs`, all others for the other two.
  PlanSampler(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed, Purpose purpose_x,
              Purpose purpose_y, Purpose purpose_pairs);

  void draw(std::uint64_t step) {
    draw_x(step);
    draw_y(step);
  }
  /// The two halves of draw(), for two threads at once.
  void draw_x(std::uint64_t step);
  void draw_y(std::uint64_t step);

  [[nodiscard]] const Blocks& x() const noexcept { return sampler_x_ ? sampler_x_->blocks() : pairs_.x; }
  [[nodiscard]] const Blocks& y() const noexcept { return sampler_y_ ? sampler_y_->blocks() : pairs_.y; }

 private:
  std::size_t n_, m_, k_, pairs_per_block_;
  std::uint64_t seed_;
  Purpose purpose_pairs_;
  std::optional<BlockSampler> sampler_x_, sampler_y_;  ///< none for pairs
  PairBlocks pairs_;
};

/// The one partition that Scheme::partition keeps: what is fitted, read and bracketed there. Drawn already.
PlanSampler kept_partition(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed);

/// The mean of phi over each block, summed in double in the order of the index. Where phi is not finite, the
/// mean of its block is not either.
void block_means(std::span<const float> phi, const Blocks& blocks, std::span<double> means);
void block_means(std::span<const double> phi, const Blocks& blocks, std::span<double> means);
std::vector<double> block_means(std::span<const double> phi, const Blocks& blocks);

}  // namespace motmot
