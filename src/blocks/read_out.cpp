#include "blocks/read_out.hpp"

#include <algorithm>
#include <cmath>

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
/// touches memory at random once per row, where block_means() behind a BlockSampler does so twice.
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

/// The same for blocks that may overlap: swor and pairs.
class OverlapReader {
 public:
  OverlapReader(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                std::span<const float> phi_y, std::uint64_t seed)
      : estimator_(plan.scheme == Scheme::pairs ? Estimator::mou_diag : estimator),
        plan_(plan),
        phi_x_(phi_x),
        phi_y_(phi_y),
        seed_(seed),
        a_(plan.k_x),
        b_(plan.k_y) {}

  double operator()(std::uint64_t draw) {
    Rng rng_x(seed_, Purpose::read_out_x, draw), rng_y(seed_, Purpose::read_out_y, draw);
    if (plan_.scheme == Scheme::pairs) {
      const PairBlocks pairs = pair_blocks(phi_x_.size(), phi_y_.size(), plan_.k_x, plan_.b_x, rng_x);
      block_means(phi_x_, pairs.x, a_);
      block_means(phi_y_, pairs.y, b_);
    } else {
      block_means(phi_x_, swor_blocks(phi_x_.size(), plan_.k_x, plan_.b_x, rng_x), a_);
      block_means(phi_y_, swor_blocks(phi_y_.size(), plan_.k_y, plan_.b_y, rng_y), b_);
    }
    return median_value(estimator_, a_, b_);
  }

 private:
  Estimator estimator_;
  BlockPlan plan_;
  std::span<const float> phi_x_, phi_y_;
  std::uint64_t seed_;
  std::vector<double> a_, b_;
};

template <class Reader>
ReadOut read_with(std::vector<Reader> readers, std::size_t draws, Team& team) {
  std::vector<double> values(draws);
  team.run(draws, [&](std::size_t draw, std::size_t worker) { values[draw] = readers[worker](draw); });
  const double mean = mean_of(values);
  return {.mean = mean, .sd = sd_of(values, mean)};
}

}  // namespace

ReadOut read_out(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                 std::span<const float> phi_y, std::size_t draws, std::uint64_t seed, Team& team) {
  if (plan.scheme == Scheme::partition || plan.scheme == Scheme::shuffle)
    return read_with(std::vector(team.size(), PartitionReader(estimator, plan, phi_x, phi_y, seed)), draws,
                     team);
  return read_with(std::vector(team.size(), OverlapReader(estimator, plan, phi_x, phi_y, seed)), draws, team);
}

}  // namespace motmot
