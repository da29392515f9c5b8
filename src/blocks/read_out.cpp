#include "blocks/read_out.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "base/spread.hpp"
#include "base/statistics.hpp"

namespace motmot {
namespace {

/// The two middle values, alike when the number is odd. Reorders the values.
std::array<double, 2> middle_values(std::span<double> values) {
  const auto high = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), high, values.end());
  if (values.size() % 2 == 1) return {*high, *high};
  return {*std::max_element(values.begin(), high), *high};
}

/// median_pair(...).value, without the blocks that carry it. Reorders the means.
double median_value(Estimator estimator, std::span<double> a, std::span<double> b) {
  if (estimator == Estimator::mou) return median_pair(estimator, a, b).value;
  std::array<double, 2> x{}, y{};
  if (estimator == Estimator::mou_diag) {
    std::ranges::transform(a, b, a.begin(), std::minus<>());
    x = middle_values(a);
  } else {
    x = middle_values(a);
    y = middle_values(b);
  }
  return (x[0] - y[0]) / 2 + (x[1] - y[1]) / 2;
}

/// Block means of one sample over fresh partitions. The values are shuffled, not their indices: a draw
/// touches memory at random once per row, where a BlockSampler and block_means() touch it twice.
class PartitionMeans {
 public:
  PartitionMeans(std::span<const float> phi, std::size_t k, std::uint64_t seed, Purpose purpose)
      : phi_(phi), shuffled_(phi.size()), means_(k), seed_(seed), purpose_(purpose) {}

  /// The means that BlockSampler's blocks of this step have; to be reordered at will.
  std::span<double> draw(std::uint64_t step) {
    Rng rng(seed_, purpose_, step);
    std::ranges::copy(phi_, shuffled_.begin());
    const std::size_t size = phi_.size() / means_.size();
    std::uint32_t i = 0;
    for (double& mean : means_) {
      double sum = 0;
      for (const std::uint32_t end = i + static_cast<std::uint32_t>(size); i < end; ++i) {
        std::swap(shuffled_[i], shuffled_[i + rng.below(static_cast<std::uint32_t>(phi_.size()) - i)]);
        sum += static_cast<double>(shuffled_[i]);
      }
      mean = sum / static_cast<double>(size);
    }
    return means_;
  }

 private:
  std::span<const float> phi_;
  std::vector<float> shuffled_;
  std::vector<double> means_;
  std::uint64_t seed_;
  Purpose purpose_;
};

/// The estimator on the partitions of one draw.
class PartitionReader {
 public:
  PartitionReader(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                  std::span<const float> phi_y, std::uint64_t seed)
      : estimator_(estimator),
        x_(phi_x, plan.k_x, seed, Purpose::read_out_x),
        y_(phi_y, plan.k_y, seed, Purpose::read_out_y) {}

  double operator()(std::uint64_t draw) { return median_value(estimator_, x_.draw(draw), y_.draw(draw)); }

 private:
  Estimator estimator_;
  PartitionMeans x_, y_;
};

/// Blocks for reading out: fresh ones, but where the plan keeps one partition that one.
PlanSampler blocks_to_read(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed) {
  if (plan.scheme == Scheme::partition) return kept_partition(plan, n, m, seed);
  return {plan, n, m, seed, Purpose::read_out_x, Purpose::read_out_y, Purpose::read_out_x};
}

/// What is ranked: blocks of pairs along the diagonal.
Estimator ranked(Estimator estimator, const BlockPlan& plan) {
  return plan.scheme == Scheme::pairs ? Estimator::mou_diag : estimator;
}

/// The same for blocks that may overlap (swor and pairs), and for a partition that is kept.
class OverlapReader {
 public:
  OverlapReader(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                std::span<const float> phi_y, std::uint64_t seed)
      : over_(ranked(estimator, plan)),
        phi_x_(phi_x),
        phi_y_(phi_y),
        blocks_(blocks_to_read(plan, phi_x.size(), phi_y.size(), seed)),
        a_(plan.k_x),
        b_(plan.k_y) {}

  double operator()(std::uint64_t draw) {
    blocks_.draw(draw);
    block_means(phi_x_, blocks_.x(), a_);
    block_means(phi_y_, blocks_.y(), b_);
    return median_value(over_, a_, b_);
  }

 private:
  Estimator over_;
  std::span<const float> phi_x_, phi_y_;
  PlanSampler blocks_;
  std::vector<double> a_, b_;
};

template <class Reader>
ReadOut read_with(std::vector<Reader> readers, std::size_t draws, Team& team, Communicator& ranks) {
  std::vector<double> values(draws);
  spread_tasks(ranks, team, std::span(values),
               [&](std::size_t draw, std::size_t worker) { return readers[worker](draw); });
  const double mean = mean_of(values);
  return {.mean = mean, .sd = sd_of(values, mean)};
}

}  // namespace

std::vector<double> pooled_means(std::span<const double> phi, std::size_t k, std::size_t partitions,
                                 std::uint64_t seed, Purpose purpose, Team& team) {
  std::vector<double> means(k * partitions);
  team.run(partitions, [&](std::size_t t, std::size_t) {
    Rng rng(seed, purpose, t);
    block_means(phi, partition_blocks(phi.size(), k, rng), std::span(means).subspan(t * k, k));
  });
  return means;
}

BlockDraw draw_block_means(Estimator estimator, const BlockPlan& plan, std::span<const double> phi_x,
                           std::span<const double> phi_y, std::uint64_t seed, std::uint64_t draw) {
  require(!phi_x.empty() && !phi_y.empty(), Errc::invalid_argument, "block means need a phi of each sample");
  PlanSampler blocks = blocks_to_read(plan, phi_x.size(), phi_y.size(), seed);
  blocks.draw(draw);
  BlockDraw drawn{.x = block_means(phi_x, blocks.x()), .y = block_means(phi_y, blocks.y()), .median = {}};
  drawn.median = median_pair(ranked(estimator, plan), drawn.x, drawn.y);
  return drawn;
}

ReadOut read_out(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                 std::span<const float> phi_y, std::size_t draws, std::uint64_t seed, Team& team,
                 Communicator& ranks) {
  if (plan.scheme == Scheme::partition) draws = 1;  // it has no more
  if (plan.scheme == Scheme::shuffle)
    return read_with(std::vector(team.size(), PartitionReader(estimator, plan, phi_x, phi_y, seed)), draws,
                     team, ranks);
  return read_with(std::vector(team.size(), OverlapReader(estimator, plan, phi_x, phi_y, seed)), draws, team,
                   ranks);
}

}  // namespace motmot
