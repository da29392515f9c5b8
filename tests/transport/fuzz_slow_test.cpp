// More and larger problems than the fast tests have time for.
#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

TEST(ExactW1Fuzz, EqualsLemonOnThousandsOfProblems) {
  TransportWorkspace workspace;
  for (std::uint64_t seed = 10000; seed < 14000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed, Purpose::test);
    expect_equals_lemon(workspace, random_case(rng, 60, 20));
  }
}

TEST(ExactW1Fuzz, EqualsLemonOnMiddlingProblems) {
  TransportWorkspace workspace;
  for (std::uint64_t seed = 20000; seed < 20200 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed, Purpose::test);
    expect_equals_lemon(workspace, random_case(rng, 300, 60));
  }
}

// Too large for LEMON here: the certificate is the judge.
TEST(ExactW1Fuzz, CertifiesLargerProblemsInEveryStorage) {
  for (const std::size_t d : {2, 3, 10})
    for (const std::size_t m : {1500, 1497}) {
      Rng rng(d, Purpose::test, m);
      const Points x = gaussian(rng, 1500, d);
      const Points y = gaussian(rng, m, d, 0.5);
      const double expected = transport(x, y).cost;
      for (const auto storage : {solver::Storage::stored, solver::Storage::rows, solver::Storage::boxes}) {
        TransportWorkspace workspace;
        engine_of(workspace).settings.storage = storage;
        const Transport w = transport(workspace, x, y);
        EXPECT_NEAR(w.cost, expected, 1e-12 * expected);
        expect_certified(w, x, y, {}, {});
      }
    }
}

// Over all pairs, on the sizes and settings that are used, but for the threshold.
TEST(ExactW1Fuzz, CertifiesManyPointsByTheTree) {
  for (const std::size_t d : {2, 3})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(testing::Message() << d << " columns, seed " << seed);
      Rng rng(seed, Purpose::test);
      const std::size_t n = 2500 + rng.below(100);
      Points x = gaussian(rng, n, d);
      Points y = gaussian(rng, n, d, seed % 3 == 0 ? 5 : 0);
      for (std::size_t j = 0; j < n; ++j) {
        if (seed % 3 == 1) y(j, 0) *= 3;
        if (seed % 3 == 2 && j < n / 2) x(j, 1) += 6;
        if (seed % 4 == 3)
          for (double& at : x.row(j)) at = std::round(5 * at);
      }
      TransportWorkspace workspace;
      engine_of(workspace).settings.rays.fewest = engine_of(workspace).settings.rays.fewest_in_space = 2;
      const Transport w = transport(workspace, x, y);
      const Transport flat = transport(x, y);
      EXPECT_EQ(w.work.scans, 0u);
      EXPECT_LE(w.gap, 1e-10 * w.cost);
      EXPECT_NEAR(w.cost, flat.cost, 1e-10 * flat.cost);
      expect_certified(w, x, y, {}, {}, 1e-10);
    }
}

}  // namespace
}  // namespace motmot::test
