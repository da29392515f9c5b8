// Partial transport of many points by the tree, at sizes where the others can tell whether it is right.
#include <utility>

#include "motmot/transport.hpp"
#include "rays/holdings.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/rays.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

class PartialByRays : public InTwoAndThree {};
INSTANTIATE_TEST_SUITE_P(Columns, PartialByRays, testing::Values(2, 3));

/// Returns whether the tree did it alone.
bool expect_as_good_as_flat(const Points& x, const Points& y, Shares tau) {
  TransportWorkspace workspace = by_tree();
  const Transport w = partial_transport(workspace, x, y, tau.x, tau.y);
  const double flat = partial_transport(x, y, tau.x, tau.y).cost;
  EXPECT_EQ(w.status, TransportStatus::optimal);
  EXPECT_NEAR(w.cost, flat, 1e-9 * flat + 1e-11);
  EXPECT_LE(w.gap, 1e-9 * w.cost + 1e-11);
  EXPECT_GT(w.work.searches, 0u);
  expect_certified_partial(w, x, y, tau);
  return was_by_tree(w);
}

Points shifted(Points points, double by) {
  for (std::size_t i = 0; i < points.rows(); ++i) points(i, 0) += by;
  return points;
}

TEST_P(PartialByRays, OfEqualSharesIsAsGoodAsTheOthersOnEveryKindOfPoints) {
  int by_tree_alone = 0;
  for_each_seed(120, [&](Rng& rng) {
    const std::size_t n = 10 + rng.below(300);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    const Points y = shifted(points_of_kind(rng, n, d, rng.below(kinds_of_points)),
                             rng.below(2) == 0 ? 0.25 : 5 * rng.uniform());
    const double tau = std::vector{0.01, 0.1, 0.25, 0.5, 0.9}[rng.below(5)];
    if (expect_as_good_as_flat(x, y, {tau, tau})) ++by_tree_alone;
  });
  EXPECT_GE(by_tree_alone, 115);  // the simplex places the parts of points of the others
}

TEST_P(PartialByRays, OfAnySizesAndSharesIsAsGoodAsTheOthers) {
  for_each_seed(80, [&](Rng& rng) {
    const Points x = points_of_kind(rng, 10 + rng.below(250), d, rng.below(kinds_of_points));
    const Points y =
        shifted(points_of_kind(rng, 10 + rng.below(250), d, rng.below(kinds_of_points)), rng.uniform());
    const double tau = 0.01 + 0.5 * rng.uniform();
    const Shares shares = std::vector<Shares>{{tau, 0},   {0, tau},    {tau, tau},
                                              {tau, 0.1}, {1e-7, tau}, {0.9, 0.3}}[rng.below(6)];
    (void)expect_as_good_as_flat(x, y, shares);
  });
}

TEST_P(PartialByRays, EqualsLemonWithSlackNodes) {
  for_each_seed(60, [&](Rng& rng) {
    const std::uint32_t n = 5 + rng.below(50), m = rng.below(2) == 0 ? n : 5 + rng.below(50);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points)),
                 y = points_of_kind(rng, m, d, rng.below(kinds_of_points));
    const std::uint32_t kept_x = n - rng.below(n / 2), kept_y = n == m ? kept_x : m - rng.below(m / 2);
    TransportWorkspace workspace = by_tree();
    const Transport w = partial_transport(workspace, x, y, 1 - static_cast<double>(kept_x) / n,
                                          1 - static_cast<double>(kept_y) / m);
    const double expected = lemon_partial(x, y, kept_x, kept_y);
    EXPECT_NEAR(w.cost, expected, 1e-9 * expected + 1e-9);
  });
}

TEST_P(PartialByRays, LeavesOutFarClustersAndStandsOffsetsAndScales) {
  for (const double offset : {0.0, 1e8, 1e16})
    for (const double scale : {1e-200, 1.0, 1e200}) {
      Rng rng(3, Purpose::test);
      Points x = gaussian(rng, 200, d), y = gaussian(rng, 200, d);
      for (std::size_t i = 0; i < 20; ++i) x(i, 0) = 300 + 1e-3 * x(i, 0);
      for (std::size_t j = 0; j < 200; ++j)
        for (std::size_t k = 0; k < d; ++k) {
          x(j, k) *= scale;
          y(j, k) = (y(j, k) + offset) * scale;
        }
      TransportWorkspace workspace = by_tree();
      const Transport w = partial_transport(workspace, x, y, 0.1, 0.1);
      EXPECT_NEAR(w.cost / partial_transport(x, y, 0.1, 0.1).cost, 1, 1e-9) << offset << " " << scale;
      EXPECT_LE(w.gap, 1e-9 * w.cost);
      if (offset == 0) {
        EXPECT_LT(w.cost, scale);
        for (const PlanEntry& entry : w.plan) EXPECT_GE(entry.row, 20u);
      }
    }
}

TEST_P(PartialByRays, GoesOnToAVertexOnRequest) {
  Rng rng(4, Purpose::test);
  const Points x = gaussian(rng, 300, d), y = gaussian(rng, 300, d, 1);
  TransportWorkspace workspace = by_tree();
  const Transport w = partial_transport(workspace, x, y, 0.1, 0.1, {.vertex = true});
  EXPECT_LE(w.gap, 1e-14 * w.cost);
  EXPECT_NEAR(w.cost, partial_transport(x, y, 0.1, 0.1).cost, 1e-12 * w.cost);
  expect_certified_partial(w, x, y, {0.1, 0.1});
}

TEST_P(PartialByRays, HandsOverWhenItTakesTooLong) {
  Rng rng(6, Purpose::test);
  const Points x = gaussian(rng, 200, d), y = gaussian(rng, 200, d, 1);
  const double flat = partial_transport(x, y, 0.1, 0.1).cost;
  for (const double bids : {0.0, 0.5, 3.0})
    for (const double tau_y : {0.1, 0.2}) {
      TransportWorkspace workspace = by_tree();
      engine_of(workspace).settings.rays.bids_per_row = bids;
      const Transport w = partial_transport(workspace, x, y, 0.1, tau_y);
      EXPECT_GT(w.work.scans, 0u) << bids;
      EXPECT_EQ(w.status, TransportStatus::optimal);
      if (tau_y == 0.1) {
        EXPECT_EQ(w.cost, flat);
      }
      expect_certified_partial(w, x, y, {0.1, tau_y});
    }
}

TEST_P(PartialByRays, EndsAtTheGapThatIsAskedFor) {
  for_each_seed(40, [&](Rng& rng) {
    const std::size_t n = 50 + rng.below(300);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    const Points y =
        shifted(points_of_kind(rng, rng.below(2) == 0 ? n : n / 2, d, rng.below(kinds_of_points)), 0.25);
    const Shares tau{0.1, rng.below(2) == 0 ? 0.1 : 0.0};
    const double optimum = partial_transport(x, y, tau.x, tau.y).cost;
    for (const double gap : {0.3, 0.01}) {
      TransportWorkspace workspace = by_tree();
      const Transport w = partial_transport(workspace, x, y, tau.x, tau.y, {.gap = gap});
      EXPECT_LE(w.gap, gap * w.cost);
      EXPECT_GE(w.cost, optimum * (1 - 1e-12));
      EXPECT_LE(w.cost - w.gap, optimum * (1 + 1e-12));
      expect_certified_partial(w, x, y, tau);
    }
  });
}

TEST_P(PartialByRays, HasACertificateWheneverItIsStopped) {
  Rng rng(13, Purpose::test);
  const Points x = gaussian(rng, 400, d), y = gaussian(rng, 400, d, 1);
  const double optimum = partial_transport(x, y, 0.1, 0.1).cost;
  for (const double time_limit : {0.0, 1e6}) {
    TransportWorkspace workspace = by_tree();
    double last = 0;
    for (int patience = 0;; ++patience) {
      int asked = 0;
      const Transport w = partial_transport(
          workspace, x, y, 0.1, 0.1,
          {.time_limit = time_limit, .progress = [&](double) { return ++asked <= patience; }});
      EXPECT_GE(w.cost, optimum * (1 - 1e-12));
      EXPECT_LE(w.cost - w.gap, optimum * (1 + 1e-12));
      expect_certified_partial(w, x, y, {0.1, 0.1});
      EXPECT_LE(w.plan.size(), x.rows() + 2) << "points are divided without need";
      last = w.gap;
      if (w.status == TransportStatus::optimal) break;
      EXPECT_EQ(w.status, TransportStatus::stopped);
    }
    EXPECT_LE(last, 1e-9 * optimum);
  }
}

TEST_P(PartialByRays, SaysHowTheGapFalls) {
  Rng rng(14, Purpose::test);
  const Points x = gaussian(rng, 400, d), y = gaussian(rng, 400, d, 1);
  std::vector<double> gaps;
  TransportWorkspace workspace = by_tree();
  (void)partial_transport(workspace, x, y, 0.1, 0.1, {.on_gap = [&](double gap) { gaps.push_back(gap); }});
  ASSERT_GE(gaps.size(), 3u);
  EXPECT_LT(gaps.back(), 1e-3 * gaps.front());
}

TEST_P(PartialByRays, HasTheSameBitsEveryTime) {
  Rng rng(8, Purpose::test);
  const Points x = gaussian(rng, 400, d), y = gaussian(rng, 400, d, 1);
  TransportWorkspace workspace = by_tree();
  const Transport first = partial_transport(workspace, x, y, 0.1, 0.1);
  const Transport other = partial_transport(workspace, y, x, 0.1, 0.1);
  const Transport again = partial_transport(workspace, x, y, 0.1, 0.1);
  EXPECT_EQ(first.cost, again.cost);
  EXPECT_EQ(first.u, again.u);
  EXPECT_EQ(first.v, again.v);
  EXPECT_NEAR(first.cost, other.cost, 2e-9 * first.cost);
}

// A place with many holders is found by row and by a heap, one with few by a list: the same things are seen.
TEST(Holdings, OfACrowdedPlaceAreThoseOfAnyOther) {
  for_each_seed(100, [&](Rng& rng) {
    const std::uint32_t rows = 1 + rng.below(40);
    solver::Holdings crowded, plain;
    crowded.reset(rows, 1, 0);
    plain.reset(rows, 1, solver::nobody);
    const auto price_of_cheapest = [](solver::Holdings& held) {
      const std::uint32_t h = held.cheapest(0);
      return h == solver::nobody ? -1.0 : held[h].price;
    };
    for (int step = 0; step < 200; ++step) {
      const std::uint32_t row = rng.below(rows), kind = rng.below(4);
      const double price = rng.below(1000);
      for (solver::Holdings* held : {&crowded, &plain}) {
        if (kind < 2) {
          const std::uint32_t h = held->own(row, 0);
          (*held)[h].amount += 1 + kind;
          held->offer(h, 0, price);
        } else if (kind == 2) {
          const std::uint32_t h = held->find(row, 0);
          if (h != solver::nobody) (*held)[h].amount = 0;
          held->drop_empty(0);
        } else if (step % 10 == 0) {
          held->each(0, [](solver::Holdings::Holding& holding) { holding.price = 2 * holding.price; });
          held->forget_order();
        }
      }
      EXPECT_EQ(price_of_cheapest(crowded), price_of_cheapest(plain));
      EXPECT_EQ(crowded.find(row, 0) == solver::nobody, plain.find(row, 0) == solver::nobody);
    }
    solver::Mass in_crowd = 0, in_list = 0;
    crowded.all(
        [&](std::uint32_t, const solver::Holdings::Holding& h) { in_crowd += h.amount * (1 + h.row); });
    plain.all([&](std::uint32_t, const solver::Holdings::Holding& h) { in_list += h.amount * (1 + h.row); });
    EXPECT_EQ(in_crowd, in_list);
  });
}

}  // namespace
}  // namespace motmot::test
