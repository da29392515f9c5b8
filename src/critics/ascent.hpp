/// The ascent of Algorithms 1 (MoM), 3 (MoU-diag) and 4 (MoU): one loop for the three.
#pragma once

#include <chrono>

#include "base/rank_statistics.hpp"
#include "blocks/median.hpp"
#include "critics/block_evaluator.hpp"
#include "critics/checkpoint.hpp"
#include "critics/median_gradient.hpp"
#include "motmot/critics.hpp"

namespace motmot {

struct AscentRun {
  double value = 0;  ///< mean of the last `tail` values
  double sd = 0;     ///< their standard deviation
  std::size_t steps = 0;
  bool settled = false;
  bool stopped = false;  ///< by the progress callback, before the last step
  std::vector<double> trace;
  std::optional<double> bytes_a_step;  ///< sent by all ranks, where rows are split
};

/// Mean, spread and drift of the last values of a run.
class Tail {
 public:
  explicit Tail(std::size_t length) : last_(2 * length) {}
  void add(double value) noexcept { last_[count_++ % last_.size()] = value; }
  [[nodiscard]] double mean() const { return mean_of(0, length()); }
  [[nodiscard]] double sd() const;
  /// Whether the mean over the tail equals that over the tail before it, up to 1 % or three standard errors.
  [[nodiscard]] bool settled() const;

  /// What it holds, for a checkpoint, and the way back.
  [[nodiscard]] const std::vector<double>& values() const noexcept { return last_; }
  void restore(std::span<const double> values, std::size_t count) {
    last_.assign(values.begin(), values.end());
    count_ = count;
  }

 private:
  [[nodiscard]] std::size_t length() const { return std::min(count_, last_.size() / 2); }
  /// The i-th last value.
  [[nodiscard]] double recent(std::size_t i) const { return last_[(count_ - 1 - i) % last_.size()]; }
  [[nodiscard]] double mean_of(std::size_t first, std::size_t count) const;

  std::vector<double> last_;
  std::size_t count_ = 0;
};

/// Asks the callback ten times a second at most.
class ProgressClock {
 public:
  explicit ProgressClock(const Progress& progress) : progress_(progress) {}
  /// False when the caller wants to stop.
  bool report(std::size_t done, std::size_t all) {
    if (!progress_ || (done % 16 != 0 && done != all)) return true;
    const auto now = std::chrono::steady_clock::now();
    if (done != all && now - last_ < std::chrono::milliseconds(100)) return true;
    last_ = now;
    return progress_(static_cast<double>(done) / static_cast<double>(all));
  }

 private:
  const Progress& progress_;
  std::chrono::steady_clock::time_point last_{};
};

/// Means that are not finite have no median.
void require_finite(std::span<const double> a, std::span<const double> b, std::size_t step);

/// What the loop needs besides the critic and its update rule.
struct AscentTask {
  const FeatureMajor& data;  ///< the rows of X that are held here, then those of Y
  const RowSplit& split;     ///< which rows these are
  Estimator estimator = Estimator::mom;
  BlockPlan plan{};
  EvenMedian even = EvenMedian::mean;
  double band = 0;  ///< > 0: this share of the blocks, those nearest to the median, carries the gradient
  std::size_t steps = 0, tail = 100;
  bool keep_trace = false;
  std::uint64_t seed = 0;
  Checkpoint* checkpoint = nullptr;  ///< null: nothing is kept
  const char* name = "ascent";       ///< in the checkpoint
};

/// Every rank has the same critic and rule, and takes the same steps.
template <class C, class Rule>
AscentRun ascend(C& critic, Rule& rule, const AscentTask& task, Team& team, const Progress& progress) {
  BlockEvaluator<C> blocks(task.data, task.split, task.plan, task.seed, team, critic);
  MedianGradient<C> gradient(critic, task.split, team);
  // A block of pairs is a pair of blocks: its U-statistic is the difference of their means, and the median
  // over blocks of pairs is that over the diagonal.
  const Estimator over = task.plan.scheme == Scheme::pairs ? Estimator::mou_diag : task.estimator;
  const auto through_median = [&](const MedianPair& median) {
    return gradient(critic, task.data, blocks.blocks_x(), blocks.blocks_y(), median);
  };
  const auto through_band = [&](const MedianPair& median) {
    const MedianBand band = median_band(over, blocks.means_x(), blocks.means_y(), median.value, task.band);
    return gradient.through(critic, task.data, blocks.blocks_x(), band.x, blocks.blocks_y(), band.y);
  };
  Tail tail(task.tail);
  ProgressClock clock(progress);
  AscentRun result;
  const auto state = [&] {
    const std::span<const float> weights = critic.weights();
    return AscentState{.steps = result.steps,
                       .weights = {weights.begin(), weights.end()},
                       .rule = rule.state(),
                       .tail = tail.values(),
                       .trace = result.trace};
  };
  if (const auto found =
          task.checkpoint != nullptr ? task.checkpoint->found(task.name, state()) : std::nullopt) {
    std::ranges::copy(found->weights, critic.weights().begin());
    rule.restore(found->rule, found->steps);
    tail.restore(found->tail, found->steps);
    result.trace = found->trace;
    result.steps = found->steps;
  }
  const std::size_t begun = result.steps;
  const std::uint64_t sent = task.split.ranks->sent().bytes;
  for (std::size_t t = begun; t < task.steps; ++t) {  // Algorithms 1, 3, 4
    blocks.evaluate(critic, t);                       // line 2
    require_finite(blocks.means_x(), blocks.means_y(), t);
    const MedianPair median = median_pair(over, blocks.means_x(), blocks.means_y(), task.even);    // line 3
    rule.ascend(critic.weights(), task.band > 0 ? through_band(median) : through_median(median));  // 4, 7
    tail.add(median.value);
    if (task.keep_trace) result.trace.push_back(median.value);
    result.steps = t + 1;
    if (task.checkpoint != nullptr && task.checkpoint->is_due()) task.checkpoint->save(task.name, state());
    if (!clock.report(t + 1, task.steps)) {
      result.stopped = t + 1 < task.steps;
      break;
    }
  }
  if (task.checkpoint != nullptr && task.checkpoint->keeps()) task.checkpoint->save(task.name, state());
  if (!task.split.ranks->alone() && result.steps > begun) {
    const std::size_t by_all = count_over_ranks(task.split.ranks->sent().bytes - sent, *task.split.ranks);
    result.bytes_a_step = static_cast<double>(by_all) / static_cast<double>(result.steps - begun);
  }
  result.value = tail.mean();
  result.sd = tail.sd();
  result.settled = tail.settled();
  return result;
}

}  // namespace motmot
