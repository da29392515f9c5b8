#pragma once

#include <span>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

/// The mean of phi over the rows of each block.
inline std::vector<double> block_means(std::span<const double> phi, const Blocks& blocks) {
  std::vector<double> means(blocks.count);
  for (std::size_t k = 0; k < blocks.count; ++k) {
    double sum = 0;
    for (const std::uint32_t row : blocks[k]) sum += phi[row];
    means[k] = sum / static_cast<double>(blocks.size);
  }
  return means;
}

}  // namespace motmot
