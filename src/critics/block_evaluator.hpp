/// One step's blocks and the means of phi over them, on all threads.
#pragma once

#include <memory>
#include <vector>

#include "base/threads.hpp"
#include "blocks/sampler.hpp"
#include "critics/feature_major.hpp"

namespace motmot {

/// Draws the blocks of a step and evaluates a critic on their rows. When the blocks hold most rows (all
/// but swor, pairs and mini-blocks with few rows) every row is evaluated in storage order, so that nothing is
/// gathered and drawing runs beside evaluation; otherwise the listed rows alone are.
template <class C>
class BlockEvaluator {
 public:
  BlockEvaluator(const FeatureMajor& data, std::size_t n, const BlockPlan& plan, std::uint64_t seed,
                 Team& team, const C& critic)
      : data_(data),
        n_(n),
        m_(data.rows() - n),
        plan_(plan),
        seed_(seed),
        team_(team),
        a_(plan.k_x),
        b_(plan.k_y) {
    if (plan.scheme != Scheme::pairs) {
      const bool sized = plan.mini || plan.scheme == Scheme::swor;
      sampler_x_.emplace_back(plan.scheme, n_, plan.k_x, sized ? plan.b_x : 0, seed,
                              plan.mini ? Purpose::minibatch_x : Purpose::blocks_x);
      sampler_y_.emplace_back(plan.scheme, m_, plan.k_y, sized ? plan.b_y : 0, seed,
                              plan.mini ? Purpose::minibatch_y : Purpose::blocks_y);
    }
    const std::size_t listed = plan.k_x * plan.b_x + plan.k_y * plan.b_y;
    const bool covers = plan.scheme == Scheme::partition || plan.scheme == Scheme::shuffle;
    every_row_ = (covers && !plan.mini) || 2 * listed > data.rows();
    phi_.resize(kernels::padded_rows(every_row_ ? data.rows() : listed));
    for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces_.emplace_back(critic);
  }

  /// Line 2 of Algorithms 1, 3, 4, and the block means that line 3 ranks.
  void evaluate(const C& critic, std::uint64_t step) {
    every_row_ ? evaluate_every_row(critic, step) : evaluate_listed_rows(critic, step);
  }

  [[nodiscard]] std::span<const double> means_x() const noexcept { return a_; }
  [[nodiscard]] std::span<const double> means_y() const noexcept { return b_; }
  [[nodiscard]] const Blocks& blocks_x() const noexcept { return *x_; }
  [[nodiscard]] const Blocks& blocks_y() const noexcept { return *y_; }

 private:
  static constexpr std::size_t tile = kernels::tile_rows;

  void draw_x(std::uint64_t step) {
    if (plan_.scheme != Scheme::pairs) {
      x_ = &sampler_x_.front().draw(step);
      return;
    }
    Rng rng(seed_, Purpose::pairs, step);
    pairs_ = pair_blocks(n_, m_, plan_.k_x, plan_.b_x, rng);
    x_ = &pairs_.x;
    y_ = &pairs_.y;
  }

  void draw_y(std::uint64_t step) {
    if (plan_.scheme != Scheme::pairs) y_ = &sampler_y_.front().draw(step);
  }

  void evaluate_every_row(const C& critic, std::uint64_t step) {
    team_.run(data_.tiles() + 2, [&](std::size_t task, std::size_t worker) {
      if (task == 0) return draw_x(step);
      if (task == 1) return draw_y(step);
      const std::size_t t = task - 2;
      critic.evaluate(data_.tile(t), data_.ld(), phi_.data() + t * tile, workspaces_[worker]);
    });
    const std::span<const float> phi(phi_);
    block_means(phi.first(n_), *x_, a_);
    block_means(phi.subspan(n_, m_), *y_, b_);
  }

  void evaluate_listed_rows(const C& critic, std::uint64_t step) {
    draw_x(step);
    draw_y(step);
    listed_ = x_->index;
    for (const std::uint32_t row : y_->index) listed_.push_back(static_cast<std::uint32_t>(n_) + row);
    team_.run((listed_.size() + tile - 1) / tile, [&](std::size_t t, std::size_t worker) {
      const auto rows = std::span(listed_).subspan(t * tile, std::min(tile, listed_.size() - t * tile));
      critic.evaluate(data_, rows, phi_.data() + t * tile, workspaces_[worker]);
    });
    means_in_order(phi_.data(), plan_.b_x, a_);
    means_in_order(phi_.data() + x_->index.size(), plan_.b_y, b_);
  }

  static void means_in_order(const float* phi, std::size_t size, std::span<double> means) {
    for (double& mean : means) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(*phi++);
      mean = sum / static_cast<double>(size);
    }
  }

  const FeatureMajor& data_;
  std::size_t n_, m_;
  BlockPlan plan_;
  std::uint64_t seed_;
  Team& team_;
  bool every_row_ = true;
  std::vector<BlockSampler> sampler_x_, sampler_y_;  ///< one each, none for pairs
  PairBlocks pairs_;
  const Blocks* x_ = nullptr;
  const Blocks* y_ = nullptr;
  std::vector<std::uint32_t> listed_;
  std::vector<float> phi_;
  std::vector<double> a_, b_;
  std::vector<typename C::Workspace> workspaces_;
};

}  // namespace motmot
