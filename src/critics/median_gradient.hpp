#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "blocks/median.hpp"
#include "blocks/sampler.hpp"
#include "critics/mlp.hpp"
#include "critics/row_split.hpp"

namespace motmot {

/// Line 4 of Algorithms 1, 3 and 4: the gradient through the median blocks alone. The page prints factors
/// floor(K / n), which are 0 whenever K < n; the mean over a block is meant, so every row of a block of X
/// has the share +1/B_X and every row of a block of Y the share -1/B_Y.
template <class C>
class MedianGradient {
 public:
  MedianGradient(const C& critic, const RowSplit& split, Team& team)
      : split_(split),
        team_(team),
        own_rows_(split.share.count()),
        gradient_(critic.weights().size()),
        sum_(*split.ranks, split.share.leaves, split.is_whole() ? 0 : gradient_.size()) {
    for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces_.emplace_back(critic);
  }

  /// `data` has the rows that are held here, those of X first.
  std::span<const float> operator()(const C& critic, const FeatureMajor& data, const Blocks& x,
                                    const Blocks& y, const MedianPair& median) {
    const auto distinct = [](const std::array<std::uint32_t, 2>& pair) {
      return std::span(pair).first(pair[0] == pair[1] ? 1 : 2);
    };
    return through(critic, data, x, distinct(median.x), y, distinct(median.y));
  }

  /// The same through any number of blocks of X and of Y, each sample's in equal shares.
  std::span<const float> through(const C& critic, const FeatureMajor& data, const Blocks& x,
                                 std::span<const std::uint32_t> which_x, const Blocks& y,
                                 std::span<const std::uint32_t> which_y) {
    rows_.clear();
    for (std::vector<WeightedRow>& rows : own_rows_) rows.clear();
    add_blocks(x, which_x, split_.x, 0, +1.0f);
    add_blocks(y, which_y, split_.y, static_cast<std::uint32_t>(split_.x.held()), -1.0f);
    if (!split_.is_whole()) return sum_over_leaves(critic, data);
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

  void add_blocks(const Blocks& blocks, std::span<const std::uint32_t> which, const SampleSplit& sample,
                  std::uint32_t offset, float sign) {
    const float share = sign / static_cast<float>(which.size() * blocks.size);
    const bool whole = split_.is_whole();
    for (const std::uint32_t k : which)
      for (const std::uint32_t row : blocks[k]) {
        if (whole) rows_.push_back({offset + row, share});
        else if (sample.holds(row))
          own_rows_[sample.own_leaf(row)].push_back({offset + sample.place(row), share});
      }
  }

  std::span<const float> sum_over_leaves(const C& critic, const FeatureMajor& data) {
    team_.run(own_rows_.size(), [&](std::size_t leaf, std::size_t worker) {
      std::ranges::fill(sum_.part(leaf), 0.0f);
      critic.add_gradient(data, own_rows_[leaf], sum_.part(leaf), workspaces_[worker]);
    });
    return sum_.sum();
  }

  const RowSplit& split_;
  Team& team_;
  std::vector<std::vector<WeightedRow>> own_rows_;  ///< by leaf, where rows are split
  std::vector<WeightedRow> rows_;
  std::vector<std::vector<float>> partial_;
  std::vector<float> gradient_;
  LeafSum<float> sum_;
  std::vector<typename C::Workspace> workspaces_;
};

}  // namespace motmot
