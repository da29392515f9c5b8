#include "blocks/block_draw.hpp"

#include "base/require.hpp"
#include "blocks/block_means.hpp"
#include "blocks/sampler.hpp"

namespace motmot {
namespace {

Blocks blocks_of(Scheme scheme, std::size_t n, std::size_t k, std::size_t b, Rng& rng) {
  return scheme == Scheme::swor ? swor_blocks(n, k, b, rng) : partition_blocks(n, k, rng);
}

}  // namespace

BlockDraw draw_block_means(std::span<const double> phi_x, std::span<const double> phi_y,
                           const BlockDrawOptions& o, std::uint64_t draw) {
  require(!phi_x.empty() && !phi_y.empty(), Errc::invalid_argument, "block means need a phi of each sample");
  Rng rng_x(o.seed, Purpose::read_out_x, draw), rng_y(o.seed, Purpose::read_out_y, draw);
  BlockDraw drawn;
  if (o.scheme == Scheme::pairs) {
    const PairBlocks pairs = pair_blocks(phi_x.size(), phi_y.size(), o.k_x, o.b_x, rng_x);
    drawn.x = block_means(phi_x, pairs.x);
    drawn.y = block_means(phi_y, pairs.y);
  } else {
    drawn.x = block_means(phi_x, blocks_of(o.scheme, phi_x.size(), o.k_x, o.b_x, rng_x));
    drawn.y = block_means(phi_y, blocks_of(o.scheme, phi_y.size(), o.k_y, o.b_y, rng_y));
  }
  drawn.median = median_pair(o.scheme == Scheme::pairs ? Estimator::mou_diag : o.estimator, drawn.x, drawn.y);
  return drawn;
}

}  // namespace motmot
