// Rows that are copies of one another are put together; the twin is the same solver without that.
#include "motmot/data.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

using solver::Copies;
using solver::FlowEntry;
using solver::Mass;

/// Whole numbers below `levels`: the fewer, the more copies.
Points lattice(Rng& rng, std::size_t n, std::size_t d, std::uint32_t levels) {
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : points.row(i)) value = rng.below(levels) == 0 ? -0.0 : rng.below(levels);
  return points;
}

std::vector<double> some_weights(Rng& rng, std::size_t n) {
  std::vector<double> weights;
  if (rng.below(2) == 0) return weights;
  for (std::size_t i = 0; i < n; ++i) weights.push_back(rng.below(4));
  weights[rng.below(static_cast<std::uint32_t>(n))] = 1;
  return weights;
}

/// A workspace that takes one line for points as others, and every row by itself.
struct Plain : TransportWorkspace {
  Plain() {
    engine_of(*this).settings.sort_one_dimension = false;
    engine_of(*this).settings.put_copies_together = false;
  }
};
struct Together : TransportWorkspace {
  Together() { engine_of(*this).settings.sort_one_dimension = false; }
};

TEST(Copies, OfRowsMoveAsTheyWouldOneByOne) {
  Together together;
  Plain plain;
  for_each_seed(300, [&](Rng& rng) {
    const std::size_t d = 1 + rng.below(4), n = 1 + rng.below(60),
                      m = rng.below(2) == 0 ? n : 1 + rng.below(60);
    const std::uint32_t levels = 1 + rng.below(6);
    const Points x = lattice(rng, n, d, levels), y = lattice(rng, m, d, levels);
    const auto a = some_weights(rng, n), b = some_weights(rng, m);
    const Transport w = transport(together, x, y, a, b);
    EXPECT_NEAR(w.cost, transport(plain, x, y, a, b).cost, 1e-12 * w.cost + 1e-15);
    expect_certified(w, x, y, a, b);
    if (n == m && a.empty() && b.empty()) {
      EXPECT_EQ(w.plan.size(), n) << "one row to one row";
    }
  });
}

TEST(Copies, OfRowsAreLeftOutAsTheyWouldBeOneByOne) {
  Together together;
  Plain plain;
  for_each_seed(300, [&](Rng& rng) {
    const std::size_t d = 1 + rng.below(3), n = 2 + rng.below(40), m = 2 + rng.below(40);
    const Points x = lattice(rng, n, d, 4), y = lattice(rng, m, d, 5);
    const double tau_x = 0.1 * rng.below(5), tau_y = 0.1 * rng.below(5);
    const Transport w = partial_transport(together, x, y, tau_x, tau_y),
                    expected = partial_transport(plain, x, y, tau_x, tau_y);
    EXPECT_NEAR(w.cost, expected.cost, 1e-11 * expected.cost + 1e-9);
    EXPECT_EQ(w.status, TransportStatus::optimal);
    const auto [row, col, total] = marginals(w, n, m);
    EXPECT_NEAR(total, 1, 1e-12);
    for (const double mass : row) EXPECT_LE(mass, 1 / ((1 - tau_x) * static_cast<double>(n)) + 1e-9);
    for (const double mass : col) EXPECT_LE(mass, 1 / ((1 - tau_y) * static_cast<double>(m)) + 1e-9);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        EXPECT_LE(w.u[i] + w.v[j], distance(x, i, y, j) * (1 + 1e-12) + 1e-9);
  });
}

TEST(Copies, AreNeverManyBidsApart) {
  Rng rng(3, Purpose::test);
  const Points x = lattice(rng, 3000, 3, 6), y = lattice(rng, 3000, 3, 7);
  TransportWorkspace workspace;
  const Transport w = transport(workspace, x, y);
  EXPECT_LT(w.work.bids, 100'000u) << "216 and 343 points, whatever the rows";
  EXPECT_EQ(w.work.searches, 0u);
  expect_certified(w, x, y, {}, {});
}

TEST(Copies, KeepMassesAndOrder) {
  const std::vector<std::uint32_t> kept{1, 2, 4, 5, 7}, first{0, 1, 0, 3, 1, 5, 0, 0};
  const std::vector<Mass> masses{10, 20, 30, 40, 50, 999};  // the last is the slack's
  const Copies copies = Copies::of(kept, masses, first);
  EXPECT_EQ(copies.first_rows(), (std::vector<std::uint32_t>{1, 2, 5}));
  EXPECT_EQ(copies.sums(), (std::vector<Mass>{40, 70, 40}));
  EXPECT_EQ(copies.rows, (std::vector<std::uint32_t>{1, 4, 2, 7, 5}));
  const std::vector<std::uint32_t> two{0, 1}, apart{0, 1};
  const Copies y = Copies::of(two, std::vector<Mass>{60, 90}, apart);
  const std::vector<FlowEntry> flows{{0, 0, 40}, {1, 0, 20}, {1, 1, 50}, {2, 1, 40}, {3, 0, 7}};
  Mass all = 0;
  std::vector<Mass> row(8, 0);
  for (const FlowEntry& entry : between_rows(flows, copies, y)) {
    row[entry.row] += entry.amount;
    all += entry.amount;
  }
  EXPECT_EQ(all, 150) << "without slack";
  EXPECT_EQ(row, (std::vector<Mass>{0, 10, 20, 0, 30, 40, 0, 50}));
}

}  // namespace
}  // namespace motmot::test
