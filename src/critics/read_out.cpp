#include "critics/read_out.hpp"

#include <cmath>

namespace motmot {
namespace {

/// One thread's blocks and block means.
class Reader {
 public:
  Reader(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
         std::span<const float> phi_y, std::uint64_t seed)
      : estimator_(estimator),
        plan_(plan),
        phi_x_(phi_x),
        phi_y_(phi_y),
        seed_(seed),
        a_(plan.k_x),
        b_(plan.k_y) {
    if (plan.scheme == Scheme::pairs) return;
    const bool free = plan.scheme == Scheme::swor;
    const Scheme scheme = free ? Scheme::swor : Scheme::shuffle;
    x_.emplace_back(scheme, phi_x.size(), plan.k_x, free ? plan.b_x : 0, seed, Purpose::read_out_x);
    y_.emplace_back(scheme, phi_y.size(), plan.k_y, free ? plan.b_y : 0, seed, Purpose::read_out_y);
  }

  double value(std::uint64_t draw) {
    if (plan_.scheme == Scheme::pairs) return value_of_pairs(draw);
    block_means(phi_x_, x_.front().draw(draw), a_);
    block_means(phi_y_, y_.front().draw(draw), b_);
    return median_pair(estimator_, a_, b_).value;
  }

 private:
  double value_of_pairs(std::uint64_t draw) {
    Rng rng(seed_, Purpose::read_out_x, draw);
    const PairBlocks pairs = pair_blocks(phi_x_.size(), phi_y_.size(), plan_.k_x, plan_.b_x, rng);
    block_means(phi_x_, pairs.x, a_);
    block_means(phi_y_, pairs.y, b_);
    return median_pair(Estimator::mou_diag, a_, b_).value;
  }

  Estimator estimator_;
  BlockPlan plan_;
  std::span<const float> phi_x_, phi_y_;
  std::uint64_t seed_;
  std::vector<double> a_, b_;
  std::vector<BlockSampler> x_, y_;  ///< one each, none for pairs
};

}  // namespace

ReadOut read_out(Estimator estimator, const BlockPlan& plan, std::span<const float> phi_x,
                 std::span<const float> phi_y, std::size_t draws, std::uint64_t seed, Team& team) {
  std::vector<Reader> readers;
  for (std::size_t worker = 0; worker < team.size(); ++worker)
    readers.emplace_back(estimator, plan, phi_x, phi_y, seed);
  std::vector<double> values(draws);
  team.run(draws, [&](std::size_t draw, std::size_t worker) { values[draw] = readers[worker].value(draw); });
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(draws);
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .sd = draws < 2 ? 0 : std::sqrt(squares / static_cast<double>(draws - 1))};
}

}  // namespace motmot
