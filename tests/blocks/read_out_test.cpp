#include "blocks/read_out.hpp"

#include "blocks/median.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;

std::vector<float> floats(Rng& rng, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

// The plain version: the samplers' blocks, their means, the estimator's own median.
TEST(ReadOut, IsTheMeanOfTheEstimatorOverPartitions) {
  for_each_seed(60, [](Rng& rng) {
    const std::vector<float> phi_x = floats(rng, 20 + rng.below(80)), phi_y = floats(rng, 20 + rng.below(80));
    const std::size_t k_x = 1 + rng.below(20);
    for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
      const std::size_t k_y = estimator == Estimator::mou_diag ? k_x : 1 + rng.below(20);
      BlockSampler x(Scheme::shuffle, phi_x.size(), k_x, 0, 7, Purpose::read_out_x);
      BlockSampler y(Scheme::shuffle, phi_y.size(), k_y, 0, 7, Purpose::read_out_y);
      std::vector<double> a(k_x), b(k_y), values;
      for (std::uint64_t draw = 0; draw < 10; ++draw) {
        block_means(phi_x, x.draw(draw), a);
        block_means(phi_y, y.draw(draw), b);
        values.push_back(median_pair(estimator, a, b).value);
      }
      double mean = 0, squares = 0;
      for (const double value : values) mean += value / 10;
      for (const double value : values) squares += (value - mean) * (value - mean) / 9;
      Team team(1 + rng.below(3));
      const ReadOut read = read_out(estimator, {.k_x = k_x, .k_y = k_y}, phi_x, phi_y, 10, 7, team);
      EXPECT_NEAR(read.mean, mean, 1e-14);
      EXPECT_NEAR(read.sd, std::sqrt(squares), 1e-12);
    }
  });
}

TEST(ReadOut, DoesNotDependOnThreads) {
  Rng rng(1, Purpose::test);
  const std::vector<float> phi_x = floats(rng, 200), phi_y = floats(rng, 150);
  for (const Scheme scheme : {Scheme::shuffle, Scheme::swor, Scheme::pairs}) {
    const BlockPlan plan{.scheme = scheme, .k_x = 9, .k_y = 9, .b_x = 10, .b_y = 10};
    Team one(1), three(3);
    const ReadOut read = read_out(Estimator::mou, plan, phi_x, phi_y, 50, 3, one);
    EXPECT_EQ(read_out(Estimator::mou, plan, phi_x, phi_y, 50, 3, three).mean, read.mean);
    EXPECT_GT(read.sd, 0);
  }
}

}  // namespace
}  // namespace motmot
