/// One draw of blocks, and what a fitted phi has on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

struct BlockDrawOptions {
  Estimator estimator = Estimator::mom;
  Scheme scheme = Scheme::shuffle;
  std::size_t k_x = 1, k_y = 1;  ///< blocks
  std::size_t b_x = 1, b_y = 1;  ///< rows per block, for swor and pairs
  std::uint64_t seed = 0;
};

/// The block means of one draw of blocks, and the blocks that carry the median.
struct BlockDraw {
  std::vector<double> x, y;  ///< a_k and b_l
  MedianPair median;
};

/// Means of a fitted phi over the blocks of the given draw: those that Distance::value is a mean over (exact,
/// lipschitz), whose draws count from 0. O(n + m).
[[nodiscard]] BlockDraw draw_block_means(std::span<const double> phi_x, std::span<const double> phi_y,
                                         const BlockDrawOptions& options, std::uint64_t draw = 0);

}  // namespace motmot
