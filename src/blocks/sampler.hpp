/// Drawing blocks (Sections 2.2 and 3.1).
#pragma once

#include "base/random.hpp"
#include "motmot/blocks.hpp"

namespace motmot {

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

/// Draws the blocks of one sample again and again without allocating: what an ascent loop needs.
class BlockSampler {
 public:
  /// k blocks of b rows. For partition and shuffle b = 0 means floor(n / k); a smaller b gives the first k
  /// blocks of a partition into blocks of b rows. When few rows are drawn, a draw costs them and not n.
  BlockSampler(Scheme scheme, std::size_t n, std::size_t k, std::size_t b, std::uint64_t seed,
               Purpose purpose);

  /// The blocks of step t: a function of (seed, purpose, t) alone, and of (seed, purpose) for partition.
  const Blocks& draw(std::uint64_t step);

 private:
  void put_in_order();

  Scheme scheme_;
  std::size_t n_;
  std::uint64_t seed_;
  Purpose purpose_;
  bool drawn_ = false;
  std::vector<std::uint32_t> rows_;   ///< a permutation of the rows, put in order after every draw
  std::vector<std::uint32_t> swaps_;  ///< partners of the draw's exchanges, in order
  Blocks blocks_;
};

/// Means of phi over each block, summed in double in the order of the index. Non-finite phi is kept:
/// its block's mean is not finite either.
void block_means(std::span<const float> phi, const Blocks& blocks, std::span<double> means);

}  // namespace motmot
