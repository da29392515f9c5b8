/// One step's blocks and the means of phi over them, on all threads.
#pragma once

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
        team_(team),
        blocks_(plan, n_, m_, seed, plan.mini ? Purpose::minibatch_x : Purpose::blocks_x,
                plan.mini ? Purpose::minibatch_y : Purpose::blocks_y, Purpose::pairs),
        a_(plan.k_x),
        b_(plan.k_y) {
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
    const std::span<const float> phi(phi_);
    block_means(phi.first(n_), blocks_.x(), a_);
    block_means(phi.subspan(n_, m_), blocks_.y(), b_);
  }

  void evaluate_listed_rows(const C& critic, std::uint64_t step) {
    blocks_.draw(step);
    listed_ = blocks_.x().index;
    for (const std::uint32_t row : blocks_.y().index) listed_.push_back(static_cast<std::uint32_t>(n_) + row);
    const std::size_t tiles = (listed_.size() + tile - 1) / tile;
    team_.run(tiles, work_for(critic, listed_.size()), [&](std::size_t t, std::size_t worker) {
      const auto rows = std::span(listed_).subspan(t * tile, std::min(tile, listed_.size() - t * tile));
      critic.evaluate(data_, rows, phi_.data() + t * tile, workspaces_[worker]);
    });
    means_in_order(phi_.data(), plan_.b_x, a_);
    means_in_order(phi_.data() + blocks_.x().index.size(), plan_.b_y, b_);
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
  Team& team_;
  PlanSampler blocks_;
  bool every_row_ = true;
  std::vector<std::uint32_t> listed_;
  std::vector<float> phi_;
  std::vector<double> a_, b_;
  std::vector<typename C::Workspace> workspaces_;
};

}  // namespace motmot
