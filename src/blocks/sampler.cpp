#include "blocks/sampler.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_set>

#include "base/require.hpp"

namespace motmot {
namespace {

/// Partial Fisher-Yates: `count` rows, drawn without replacement, come to the front. What lies behind
/// them is never read as a draw, so it is never shuffled. Rows are a vector or SparseRows.
template <class Rows>
void draw_front(Rows& rows, std::size_t count, Rng& rng) {
  const auto n = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t i = 0; i < count; ++i) std::swap(rows[i], rows[i + rng.below(n - i)]);
}

template <class Rows>
void draw_swor(Rows& rows, Blocks& blocks, Rng& rng) {
  // Whatever order the last block left the rows in, the next front is again a uniform draw.
  for (std::size_t k = 0; k < blocks.count; ++k) {
    draw_front(rows, blocks.size, rng);
    for (std::size_t i = 0; i < blocks.size; ++i) blocks.index[k * blocks.size + i] = rows[i];
  }
}

template <class Rows>
void draw_blocks(Scheme scheme, Rows& rows, Blocks& blocks, Rng& rng) {
  if (scheme == Scheme::swor) return draw_swor(rows, blocks, rng);
  draw_front(rows, blocks.index.size(), rng);
  for (std::size_t i = 0; i < blocks.index.size(); ++i) blocks.index[i] = rows[i];
}

void require_blocks(std::size_t n, std::size_t k, std::size_t b) {
  require(1 <= k, Errc::invalid_argument, "need at least one block, got K = ", k);
  require(1 <= b && b <= n, Errc::invalid_argument, "need 1 <= B <= n, got B = ", b, ", n = ", n);
  require(n <= 0xffffffffu, Errc::unsupported, "at most 2^32 - 1 rows are supported, got ", n);
}

}  // namespace

SparseRows::SparseRows(std::size_t n, std::size_t most) : n_(n), entries_(std::bit_ceil(2 * most)) {}

std::uint32_t& SparseRows::operator[](std::size_t place) noexcept {
  const std::size_t mask = entries_.size() - 1;
  const auto wanted = static_cast<std::uint32_t>(place);
  // Fibonacci hashing: neighbours, of which the front has many, are spread.
  std::size_t at = (place * 0x9e3779b97f4a7c15u) >> 32 & mask;
  while (entries_[at].round == round_ && entries_[at].place != wanted) at = (at + 1) & mask;
  if (entries_[at].round != round_) entries_[at] = {round_, wanted, wanted};
  return entries_[at].row;
}

void SparseRows::reset() noexcept {
  if (++round_ != 0) return;
  std::ranges::fill(entries_, Entry{});
  round_ = 1;
}

BlockSampler::BlockSampler(Scheme scheme, std::size_t n, std::size_t k, std::size_t b, std::uint64_t seed,
                           Purpose purpose)
    : scheme_(scheme), seed_(seed), purpose_(purpose) {
  if (scheme != Scheme::swor) {
    require(1 <= k && k <= n, Errc::invalid_argument, "need 1 <= K <= n, got K = ", k, ", n = ", n);
    if (b == 0) b = n / k;
    require(b <= n / k, Errc::invalid_argument, "need K B <= n, got K = ", k, ", B = ", b, ", n = ", n);
  }
  require_blocks(n, k, b);
  if (k * b < n / 8) sparse_.emplace(n, 2 * k * b);
  else rows_.resize(n);
  blocks_ = {.index = std::vector<std::uint32_t>(k * b), .count = k, .size = b};
}

const Blocks& BlockSampler::draw(std::uint64_t step) {
  if (scheme_ == Scheme::partition) {
    if (drawn_) return blocks_;
    step = 0;
  }
  Rng rng(seed_, purpose_, step);
  if (sparse_) {
    sparse_->reset();
    draw_blocks(scheme_, *sparse_, blocks_, rng);
  } else {
    std::iota(rows_.begin(), rows_.end(), 0u);
    draw_blocks(scheme_, rows_, blocks_, rng);
  }
  drawn_ = true;
  return blocks_;
}

Blocks partition_blocks(std::size_t n, std::size_t k, Rng& rng) {
  require(1 <= k && k <= n, Errc::invalid_argument, "need 1 <= K <= n, got K = ", k, ", n = ", n);
  Blocks blocks{.index = std::vector<std::uint32_t>(n), .count = k, .size = n / k};
  std::iota(blocks.index.begin(), blocks.index.end(), 0u);
  draw_front(blocks.index, k * blocks.size, rng);
  blocks.index.resize(k * blocks.size);
  return blocks;
}

Blocks swor_blocks(std::size_t n, std::size_t k, std::size_t b, Rng& rng) {
  require_blocks(n, k, b);
  Blocks blocks{.index = std::vector<std::uint32_t>(k * b), .count = k, .size = b};
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  draw_swor(rows, blocks, rng);
  return blocks;
}

PairBlocks pair_blocks(std::size_t n, std::size_t m, std::size_t k, std::size_t pairs, Rng& rng) {
  require(1 <= k && 1 <= pairs, Errc::invalid_argument, "need at least one block of one pair, got K = ", k,
          ", M = ", pairs);
  require(pairs <= n * m, Errc::invalid_argument, "need M <= n m, got M = ", pairs, ", n m = ", n * m);
  PairBlocks blocks{.x = {.index = {}, .count = k, .size = pairs},
                    .y = {.index = {}, .count = k, .size = pairs}};
  blocks.x.index.reserve(k * pairs);
  blocks.y.index.reserve(k * pairs);
  std::unordered_set<std::uint64_t> taken;
  // A draw is refused while few pairs are left only when M is near n m, where blocks say little anyway.
  for (std::size_t block = 0; block < k; ++block) {
    taken.clear();
    while (taken.size() < pairs) {
      const std::uint32_t i = rng.below(static_cast<std::uint32_t>(n));
      const std::uint32_t j = rng.below(static_cast<std::uint32_t>(m));
      if (!taken.insert(std::uint64_t{i} * m + j).second) continue;
      blocks.x.index.push_back(i);
      blocks.y.index.push_back(j);
    }
  }
  return blocks;
}

PlanSampler::PlanSampler(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed,
                         Purpose purpose_x, Purpose purpose_y, Purpose purpose_pairs)
    : n_(n), m_(m), k_(plan.k_x), pairs_per_block_(plan.b_x), seed_(seed), purpose_pairs_(purpose_pairs) {
  if (plan.scheme == Scheme::pairs) return;
  const bool sized = plan.mini || plan.scheme == Scheme::swor;
  sampler_x_.emplace(plan.scheme, n, plan.k_x, sized ? plan.b_x : 0, seed, purpose_x);
  sampler_y_.emplace(plan.scheme, m, plan.k_y, sized ? plan.b_y : 0, seed, purpose_y);
}

void PlanSampler::draw_x(std::uint64_t step) {
  if (sampler_x_) {
    sampler_x_->draw(step);
    return;
  }
  Rng rng(seed_, purpose_pairs_, step);
  pairs_ = pair_blocks(n_, m_, k_, pairs_per_block_, rng);
}

void PlanSampler::draw_y(std::uint64_t step) {
  if (sampler_y_) sampler_y_->draw(step);
}

PlanSampler kept_partition(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed) {
  BlockPlan whole = plan;
  whole.scheme = Scheme::partition;
  whole.mini = false;
  PlanSampler blocks(whole, n, m, seed, Purpose::blocks_x, Purpose::blocks_y, Purpose::pairs);
  blocks.draw(0);
  return blocks;
}

namespace {

template <class T>
void means_over(std::span<const T> phi, const Blocks& blocks, std::span<double> means) {
  assert(means.size() == blocks.count);
  for (std::size_t k = 0; k < blocks.count; ++k) {
    double sum = 0;
    for (const std::uint32_t row : blocks[k]) sum += static_cast<double>(phi[row]);
    means[k] = sum / static_cast<double>(blocks.size);
  }
}

}  // namespace

void block_means(std::span<const float> phi, const Blocks& blocks, std::span<double> means) {
  means_over(phi, blocks, means);
}

void block_means(std::span<const double> phi, const Blocks& blocks, std::span<double> means) {
  means_over(phi, blocks, means);
}

std::vector<double> block_means(std::span<const double> phi, const Blocks& blocks) {
  std::vector<double> means(blocks.count);
  means_over(phi, blocks, means);
  return means;
}

}  // namespace motmot
