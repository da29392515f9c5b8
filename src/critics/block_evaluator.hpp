/// One step's blocks and the means of phi over them, on all threads.
#pragma once

#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "blocks/sampler.hpp"
#include "critics/feature_major.hpp"
#include "critics/row_split.hpp"

namespace motmot {

/// Whether a step evaluates all rows of both samples.
inline bool evaluates_every_row(const BlockPlan& plan, std::size_t n, std::size_t m) {
  const bool covers = plan.scheme == Scheme::partition || plan.scheme == Scheme::shuffle;
  return (covers && !plan.mini) || 2 * (plan.k_x * plan.b_x + plan.k_y * plan.b_y) > n + m;
}

/// Draws the blocks of a step and evaluates a critic on their rows. When the blocks hold most rows (all
/// but swor, pairs and mini-blocks with few rows) every row is evaluated in storage order, so that nothing is
/// gathered and drawing runs beside evaluation; otherwise the listed rows alone are. Where rows are split,
/// every rank draws all blocks and evaluates its own rows; a block's sum is one over leaves.
template <class C>
class BlockEvaluator {
 public:
  /// `data` has the rows that are held here, those of X first.
  BlockEvaluator(const FeatureMajor& data, const RowSplit& split, const BlockPlan& plan, std::uint64_t seed,
                 Team& team, const C& critic)
      : data_(data),
        split_(split),
        n_(split.x.rows()),
        m_(split.y.rows()),
        plan_(plan),
        team_(team),
        blocks_(plan, n_, m_, seed, plan.mini ? Purpose::minibatch_x : Purpose::blocks_x,
                plan.mini ? Purpose::minibatch_y : Purpose::blocks_y, Purpose::pairs),
        a_(plan.k_x),
        b_(plan.k_y),
        every_row_(evaluates_every_row(plan, n_, m_)),
        sums_(*split.ranks, split.share.leaves, split.is_whole() ? 0 : plan.k_x + plan.k_y) {
    const std::size_t listed = plan.k_x * plan.b_x + plan.k_y * plan.b_y;
    phi_.resize(kernels::padded_rows(every_row_ ? data.rows() : listed));
    for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces_.emplace_back(critic);
  }

  /// Line 2 of Algorithms 1, 3, 4, and the block means that line 3 ranks.
  void evaluate(const C& critic, std::uint64_t step) {
    every_row_ ? evaluate_every_row(critic, step) : evaluate_listed_rows(critic, step);
  }

  [[nodiscard]] std::span<const double> means_x() const noexcept { return a_; }
  [[nodiscard]] std::span<const double> means_y() const noexcept { return b_; }
  [[nodiscard]] const Blocks& blocks_x() const noexcept { return blocks_.x(); }
  [[nodiscard]] const Blocks& blocks_y() const noexcept { return blocks_.y(); }

 private:
  static constexpr std::size_t tile = kernels::tile_rows;

  static Work work_for(const C& critic, std::size_t rows) {
    return {static_cast<double>(rows * critic.weights().size()) / C::multiply_adds_a_second};
  }

  void evaluate_every_row(const C& critic, std::uint64_t step) {
    team_.run(data_.tiles() + 2, work_for(critic, data_.rows()), [&](std::size_t task, std::size_t worker) {
      if (task == 0) return blocks_.draw_x(step);
      if (task == 1) return blocks_.draw_y(step);
      const std::size_t t = task - 2;
      critic.evaluate(data_.tile(t), data_.ld(), phi_.data() + t * tile, workspaces_[worker]);
    });
    if (!split_.is_whole()) return means_over_leaves();
    const std::span<const float> phi(phi_);
    block_means(phi.first(n_), blocks_.x(), a_);
    block_means(phi.subspan(n_, m_), blocks_.y(), b_);
  }

  void evaluate_listed_rows(const C& critic, std::uint64_t step) {
    blocks_.draw(step);
    if (split_.is_whole()) {
      listed_ = blocks_.x().index;
      for (const std::uint32_t row : blocks_.y().index)
        listed_.push_back(static_cast<std::uint32_t>(n_) + row);
    } else {
      listed_.clear();
      for_each_own([&](std::size_t, std::uint32_t place) { listed_.push_back(place); });
    }
    const std::size_t tiles = (listed_.size() + tile - 1) / tile;
    team_.run(tiles, work_for(critic, listed_.size()), [&](std::size_t t, std::size_t worker) {
      const auto rows = std::span(listed_).subspan(t * tile, std::min(tile, listed_.size() - t * tile));
      critic.evaluate(data_, rows, phi_.data() + t * tile, workspaces_[worker]);
    });
    if (!split_.is_whole()) return means_over_leaves();
    means_in_order(phi_.data(), plan_.b_x, a_);
    means_in_order(phi_.data() + blocks_.x().index.size(), plan_.b_y, b_);
  }

  /// Calls visit(sum, place) for each row of the blocks that is held here, in the order of the blocks: the
  /// sum over its leaf and block that it goes to, and where it is held.
  template <class Visit>
  void for_each_own(Visit visit) const {
    const std::size_t blocks = plan_.k_x + plan_.k_y;
    const auto walk = [&](const Blocks& drawn, const SampleSplit& sample, std::size_t first_block,
                          std::uint32_t first_place) {
      for (std::size_t k = 0; k < drawn.count; ++k)
        for (const std::uint32_t row : drawn[k])
          if (sample.holds(row))
            visit(sample.own_leaf(row) * blocks + first_block + k, first_place + sample.place(row));
    };
    walk(blocks_.x(), split_.x, 0, 0);
    walk(blocks_.y(), split_.y, plan_.k_x, static_cast<std::uint32_t>(split_.x.held()));
  }

  /// The same for blocks that share no row and phi of every row: in the order of the rows, so that a rank
  /// looks at its own alone once it knows the block of each.
  void add_own_rows(const Blocks& drawn, const SampleSplit& sample, std::size_t first_block, const float* phi,
                    std::vector<std::uint32_t>& block_of) {
    const std::span<double> sums = sums_.parts();
    const std::size_t blocks = plan_.k_x + plan_.k_y;
    const auto none = static_cast<std::uint32_t>(drawn.count);
    if (block_of.empty() || plan_.scheme != Scheme::partition) {  // a partition stays as it is
      block_of.assign(sample.rows(), none);
      for (std::uint32_t k = 0; k < none; ++k)
        for (const std::uint32_t row : drawn[k]) block_of[row] = k;
    }
    sample.for_each_here([&](std::uint32_t row, std::uint32_t leaf, std::uint32_t place) {
      if (block_of[row] != none)
        sums[leaf * blocks + first_block + block_of[row]] += static_cast<double>(phi[place]);
    });
  }

  /// Rows of a leaf and block are added in a fixed order, leaves along their tree.
  void means_over_leaves() {
    const std::span<double> sums = sums_.parts();
    std::ranges::fill(sums, 0.0);
    const bool disjoint = plan_.scheme == Scheme::partition || plan_.scheme == Scheme::shuffle;
    const float* next = phi_.data();
    if (every_row_ && disjoint) {
      add_own_rows(blocks_.x(), split_.x, 0, phi_.data(), block_of_x_);
      add_own_rows(blocks_.y(), split_.y, plan_.k_x, phi_.data() + split_.x.held(), block_of_y_);
    } else if (every_row_) {
      for_each_own(
          [&](std::size_t sum, std::uint32_t place) { sums[sum] += static_cast<double>(phi_[place]); });
    } else {
      for_each_own([&](std::size_t sum, std::uint32_t) { sums[sum] += static_cast<double>(*next++); });
    }
    const std::span<const double> all = sums_.sum();
    const auto means = [](std::span<const double> from, std::size_t size, std::span<double> to) {
      std::ranges::transform(from, to.begin(), [&](double sum) { return sum / static_cast<double>(size); });
    };
    means(all.first(plan_.k_x), blocks_.x().size, a_);
    means(all.subspan(plan_.k_x), blocks_.y().size, b_);
  }

  static void means_in_order(const float* phi, std::size_t size, std::span<double> means) {
    for (double& mean : means) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(*phi++);
      mean = sum / static_cast<double>(size);
    }
  }

  const FeatureMajor& data_;
  const RowSplit& split_;
  std::size_t n_, m_;
  BlockPlan plan_;
  Team& team_;
  PlanSampler blocks_;
  std::vector<double> a_, b_;
  bool every_row_;
  LeafSum<double> sums_;
  std::vector<std::uint32_t> listed_, block_of_x_, block_of_y_;
  std::vector<float> phi_;
  std::vector<typename C::Workspace> workspaces_;
};

}  // namespace motmot
