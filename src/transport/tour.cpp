#include "transport/tour.hpp"

#include <algorithm>
#include <cmath>

namespace motmot::solver {
namespace {

// Longest block: a pivot touches some ten blocks whole, and passes over all of them.
constexpr double block_share = 1.0;  // of the root of the number of steps
constexpr std::size_t least_block = 64;
constexpr double merged_share = 0.75;  // of the longest block: what two blocks have that become one

}  // namespace

void Tour::build(std::span<const std::uint32_t> walk, std::size_t nodes, std::size_t rows) {
  nodes_ = nodes;
  rows_ = rows;
  longest_ = std::max(least_block,
                      static_cast<std::size_t>(block_share * std::sqrt(static_cast<double>(walk.size()))));
  block_of_.resize(walk.size());
  blocks_.clear();
  offset_.clear();
  unused_.clear();
  const std::size_t length = longest_ / 2;
  for (std::size_t first = 0; first < walk.size(); first += length) {
    const std::uint32_t block = new_block(0);
    const auto steps = walk.subspan(first, std::min(length, walk.size() - first));
    blocks_[block].steps.assign(steps.begin(), steps.end());
    for (const std::uint32_t step : steps) block_of_[step] = block;
    if (block > 0) link(block - 1, block);
  }
  link(static_cast<std::uint32_t>(blocks_.size() - 1), 0);
}

void Tour::settle(std::span<double> potentials) noexcept {
  for (std::size_t k = 0; k < nodes_; ++k) {
    const double add = offset_[block_of_[k]];
    potentials[k] += k < rows_ ? add : -add;
  }
  std::ranges::fill(offset_, 0);
}

std::uint32_t Tour::new_block(double offset) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    blocks_.push_back({});
    blocks_.back().steps.reserve(longest_ + 2);
    offset_.push_back(0);
  }
  const std::uint32_t block = unused_.back();
  unused_.pop_back();
  blocks_[block].steps.clear();
  offset_[block] = offset;
  return block;
}

void Tour::link(std::uint32_t first, std::uint32_t second) noexcept {
  blocks_[first].next = second;
  blocks_[second].prev = first;
}

/// The step becomes the last of its block, or the first.
void Tour::split(std::uint32_t step, bool after) {
  const std::uint32_t block = block_of_[step];
  const std::vector<std::uint32_t>& steps = blocks_[block].steps;
  const auto at = static_cast<std::size_t>(std::ranges::find(steps, step) - steps.begin()) + (after ? 1 : 0);
  if (at > 0 && at < steps.size()) split_at(block, at);
}

// The shorter half moves.
void Tour::split_at(std::uint32_t block, std::size_t at) {
  const std::uint32_t half = new_block(offset_[block]);
  std::vector<std::uint32_t>& steps = blocks_[block].steps;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(at);
  if (2 * at >= steps.size()) {
    blocks_[half].steps.assign(middle, steps.end());
    steps.erase(middle, steps.end());
    link(half, blocks_[block].next);
    link(block, half);
  } else {
    blocks_[half].steps.assign(steps.begin(), middle);
    steps.erase(steps.begin(), middle);
    link(blocks_[block].prev, half);
    link(half, block);
  }
  for (const std::uint32_t step : blocks_[half].steps) block_of_[step] = half;
}

void Tour::take_out_if_empty(std::uint32_t block) {
  if (!blocks_[block].steps.empty()) return;
  link(blocks_[block].prev, blocks_[block].next);
  unused_.push_back(block);
}

// The shorter one moves into the other, and its potentials change to that one's offset.
void Tour::merge_with_next(std::uint32_t block, std::span<double> potentials) {
  const std::uint32_t next = blocks_[block].next;
  const std::size_t both = blocks_[block].steps.size() + blocks_[next].steps.size();
  if (next == block || static_cast<double>(both) > merged_share * static_cast<double>(longest_)) return;
  const bool next_moves = blocks_[next].steps.size() <= blocks_[block].steps.size();
  const std::uint32_t from = next_moves ? next : block, to = next_moves ? block : next;
  const double add = offset_[from] - offset_[to];
  for (const std::uint32_t step : blocks_[from].steps) {
    block_of_[step] = to;
    if (step < nodes_) potentials[step] += step < rows_ ? add : -add;
  }
  std::vector<std::uint32_t>& steps = blocks_[to].steps;
  steps.insert(next_moves ? steps.end() : steps.begin(), blocks_[from].steps.begin(),
               blocks_[from].steps.end());
  if (next_moves) link(to, blocks_[from].next);
  else link(blocks_[from].prev, to);
  unused_.push_back(from);
}

void Tour::move(std::uint32_t down, std::uint32_t inner, std::uint32_t outer, bool to_part, double add,
                std::span<double> potentials) {
  const std::uint32_t up = back(down);
  split(down, true);
  split(up, false);
  const std::uint32_t before = block_of_[down], after = block_of_[up];
  const std::uint32_t first = blocks_[before].next, last = blocks_[after].prev;
  const std::uint32_t end_of_part = blocks_[last].steps.back();
  // Two closed walks, both without the edge.
  link(last, first);
  link(before, after);
  blocks_[before].steps.pop_back();
  blocks_[after].steps.erase(blocks_[after].steps.begin());
  const std::uint32_t end_of_rest =
      blocks_[blocks_[before].steps.empty() ? blocks_[before].prev : before].steps.back();
  take_out_if_empty(before);
  if (after != before) take_out_if_empty(after);
  split(inner, false);
  split(outer, true);
  const std::uint32_t head = block_of_[inner], tail = blocks_[head].prev;
  const std::uint32_t from = block_of_[outer], to = blocks_[from].next;
  const std::uint32_t start = to_part ? head : to;
  std::uint32_t block = start;
  do {
    offset_[block] += add;
    block = blocks_[block].next;
  } while (block != start);
  append(down, from);
  append(up, tail);
  link(from, head);
  link(tail, to);
  for (const std::uint32_t step : {down, up, end_of_part, end_of_rest})
    merge_with_next(block_of_[step], potentials);
  for (const std::uint32_t step : {down, up})
    if (blocks_[block_of_[step]].steps.size() > longest_) split_at(block_of_[step], longest_ / 2);
}

void Tour::append(std::uint32_t step, std::uint32_t block) {
  blocks_[block].steps.push_back(step);
  block_of_[step] = block;
}

}  // namespace motmot::solver
