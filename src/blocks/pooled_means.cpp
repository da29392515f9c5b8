#include "blocks/pooled_means.hpp"

#include "blocks/sampler.hpp"

namespace motmot {

std::vector<double> pooled_means(std::span<const double> phi, std::size_t k, std::size_t partitions,
                                 std::uint64_t seed, Purpose purpose, Team& team) {
  std::vector<double> means(k * partitions);
  team.run(partitions, [&](std::size_t t, std::size_t) {
    Rng rng(seed, purpose, t);
    const Blocks blocks = partition_blocks(phi.size(), k, rng);
    for (std::size_t block = 0; block < k; ++block) {
      double sum = 0;
      for (const std::uint32_t row : blocks[block]) sum += phi[row];
      means[t * k + block] = sum / static_cast<double>(blocks.size);
    }
  });
  return means;
}

}  // namespace motmot
