// The whole chain on the exact critic: fit, error bar, bracket. Seeds are fixed.
#include "base/threads.hpp"
#include "critics/exact_fit.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/data.hpp"
#include "motmot/inference.hpp"
#include "motmot/theory.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

struct Outcome {
  double target = 0;
  Distance w;
};

Outcome run(const ToyOptions& toy, double tau_x, double tau_y) {
  const ToySample s = generate(toy);
  return {.target = transport(without(s.x, s.outliers_x), without(s.y, s.outliers_y)).cost,
          .w = distance(s.x, s.y,
                        {.estimator = Estimator::mom,
                         .critic = CriticKind::exact,
                         .tau = {tau_x, tau_y},
                         .seed = toy.seed})};
}

// 4 seeds of each; study/answer.py has more.
TEST(ErrorBarOfTheExactCritic, CoversTheInliersDistance) {
  int covered = 0;
  int runs = 0;
  for (const Toy toy : {Toy::d1, Toy::d2, Toy::far, Toy::behind, Toy::inside, Toy::both})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto [target, w] =
          run({.toy = toy, .n = 300, .m = 300, .seed = seed}, 0.1, toy == Toy::both ? 0.1 : 0);
      ++runs;
      covered += std::abs(w.value - target) <= *w.neighbours.paper->error_bar ? 1 : 0;
      EXPECT_TRUE(w.warnings.empty()) << name(toy) << " " << seed << ": " << w.warnings.front().text;
    }
  EXPECT_GE(covered, 0.9 * runs);
}

// The width that the design expects: a few per cent on shifts with the default K.
TEST(BracketOfTheExactCritic, IsNarrowOnShiftsAndHoldsThePartitionsValue) {
  const ToySample s = generate({.n = 300, .m = 300, .tau_x = 0.05, .seed = 3});
  Team team(2);
  const BlockChoice k = choose_blocks(Estimator::mom, 300, 300, 0.05, 0.05);
  const ExactFit fit =
      fit_exact({.x = s.x, .y = s.y, .plan = {.k_x = k.k_x, .k_y = k.k_y, .b_x = k.b_x, .b_y = k.b_y}}, team);
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
    const Bracket b =
        bracket(s.x, s.y, fit.phi_x, fit.phi_y, {.estimator = estimator, .k_x = k.k_x, .k_y = k.k_y});
    EXPECT_LE(b.fixed_partition_value, b.lower + 1e-9) << name(estimator);
    EXPECT_LE(b.lower, b.upper) << name(estimator);
    EXPECT_LE(b.upper, 1.03 * b.lower) << name(estimator);
  }
}

}  // namespace
}  // namespace motmot::test
