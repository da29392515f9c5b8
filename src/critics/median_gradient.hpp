#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "blocks/median.hpp"
#include "blocks/sampler.hpp"
#include "critics/mlp.hpp"

namespace motmot {

/// Line 4 of Algorithms 1, 3 and 4: the gradient through the median blocks alone. The page prints factors
/// floor(K / n), which are 0 whenever K < n; the mean over a block is meant, so every row of a block of X
/// has the share +1/B_X and every row of a block of Y the share -1/B_Y.
template <class C>
class MedianGradient {
 public:
  MedianGradient(const C& critic, Team& team) : team_(team), gradient_(critic.weights().size()) {
    for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces_.emplace_back(critic);
  }

  /// Row i of Y is row n + i of data.
  std::span<const float> operator()(const C& critic, const FeatureMajor& data, std::size_t n, const Blocks& x,
                                    const Blocks& y, const MedianPair& median) {
    const auto distinct = [](const std::array<std::uint32_t, 2>& pair) {
      return std::span(pair).first(pair[0] == pair[1] ? 1 : 2);
    };
    return through(critic, data, n, x, distinct(median.x), y, distinct(median.y));
  }

  /// The same through any number of blocks of X and of Y, each sample's in equal shares.
  std::span<const float> through(const C& critic, const FeatureMajor& data, std::size_t n, const Blocks& x,
                                 std::span<const std::uint32_t> which_x, const Blocks& y,
                                 std::span<const std::uint32_t> which_y) {
    rows_.clear();
    add_blocks(x, which_x, 0, +1.0f);
    add_blocks(y, which_y, static_cast<std::uint32_t>(n), -1.0f);
    // Parts of the sum are cut by the number of rows alone and added in order: threads change nothing.
    const std::size_t parts = std::min(max_parts, (rows_.size() + min_part - 1) / min_part);
    const std::size_t length = (rows_.size() + parts - 1) / parts;
    partial_.resize(parts);
    // Forward, backward and the outer products: three times what evaluating takes.
    const Work work{3 * static_cast<double>(rows_.size() * gradient_.size()) / C::multiply_adds_a_second};
    team_.run(parts, work, [&](std::size_t part, std::size_t worker) {
      partial_[part].assign(gradient_.size(), 0.0f);
      const std::size_t first = std::min(part * length, rows_.size());
      critic.add_gradient(data, std::span(rows_).subspan(first, std::min(length, rows_.size() - first)),
                          partial_[part], workspaces_[worker]);
    });
    if (parts == 1) return partial_.front();
    std::ranges::copy(partial_.front(), gradient_.begin());
    for (const auto& part : std::span(partial_).subspan(1))
      std::ranges::transform(gradient_, part, gradient_.begin(), std::plus<>());
    return gradient_;
  }

 private:
  static constexpr std::size_t min_part = 4 * kernels::tile_rows;
  static constexpr std::size_t max_parts = 16;

  void add_blocks(const Blocks& blocks, std::span<const std::uint32_t> which, std::uint32_t offset,
                  float sign) {
    const float share = sign / static_cast<float>(which.size() * blocks.size);
    for (const std::uint32_t k : which)
      for (const std::uint32_t row : blocks[k]) rows_.push_back({offset + row, share});
  }

  Team& team_;
  std::vector<WeightedRow> rows_;
  std::vector<std::vector<float>> partial_;
  std::vector<float> gradient_;
  std::vector<typename C::Workspace> workspaces_;
};

}  // namespace motmot
