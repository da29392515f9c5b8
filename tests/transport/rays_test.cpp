// The solver for many points in two and three dimensions, at sizes where the others can tell whether it is
// right.
#include "transport/rays.hpp"

#include <limits>
#include <numeric>
#include <set>

#include "base/euclidean.hpp"
#include "motmot/data.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/forest.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

using kernels::ray_list;
using kernels::RayTwo;
using solver::RayPoint;
using solver::RayTree;

constexpr double infinite = std::numeric_limits<double>::infinity();

template <std::size_t D>
std::vector<RayPoint<D>> scattered(Rng& rng, std::size_t count) {
  const std::size_t kind = rng.below(6);
  std::vector<RayPoint<D>> points(count);
  for (RayPoint<D>& p : points) {
    std::ranges::copy(normals(rng, D), p.begin());
    if (kind == 1) std::fill(p.begin() + 1, p.end(), 0.5 * p[0]);  // on a line
    if (kind == 2)
      for (double& at : p) at = std::floor(4 * at);                        // on a grid, twice and more
    if (kind == 3) p[0] *= std::pow(10, -4 * rng.uniform()), p[1] += 1e3;  // of very different scale
    if (kind == 4) p.fill(1);                                              // all the same
    if (kind == 5) p[D - 1] = p[0];                                        // on a plane
  }
  return points;
}

template <std::size_t D>
RayPoint<D> normal_point(Rng& rng, double scale) {
  RayPoint<D> p;
  std::ranges::copy(normals(rng, D), p.begin());
  for (double& at : p) at *= scale;
  return p;
}

/// A tree with prices near a potential of transport, and the same without boxes.
template <std::size_t D>
struct PricedTree {
  std::vector<RayPoint<D>> columns, rays;
  RayTree<D> tree;

  explicit PricedTree(Rng& rng, std::size_t count) : columns(scattered<D>(rng, count)), rays(count) {
    for (RayPoint<D>& ray : rays)
      for (double& at : ray) at = rng.uniform() - (&at == ray.data() ? 0.2 : 0.5);
    if (rng.below(3) == 0) std::ranges::fill(rays, RayPoint<D>{});
    tree.build(columns, rays);
    const double noise = std::pow(10, -6 * rng.uniform());
    for (std::size_t j = 0; j < count; ++j)
      tree.set_price(tree.place(j), -0.8 * columns[j][0] + 0.6 * columns[j][D - 1] + noise * rng.uniform());
    tree.fit();
  }

  double value(const RayPoint<D>& q, std::size_t j) const {
    return euclidean(q, columns[j]) + tree.price(tree.place(j));
  }
  std::vector<double> sorted_values(const RayPoint<D>& q) const {
    std::vector<double> values;
    for (std::size_t j = 0; j < columns.size(); ++j) values.push_back(value(q, j));
    std::ranges::sort(values);
    return values;
  }
};

template <std::size_t D>
void expect_two_smallest(const PricedTree<D>& priced, const RayPoint<D>& q, double tolerance, RayTwo known) {
  const std::vector<double> values = priced.sorted_values(q);
  const double rounding = 1e-12 * (1 + std::abs(values[0]));
  const RayTwo best = priced.tree.two_smallest(q, tolerance, known);
  EXPECT_GE(best.first, values[0] - rounding);
  EXPECT_GE(best.second, values[1] - rounding);
  EXPECT_LE(best.second, values[1] + std::max(0.0, tolerance) + rounding);
  EXPECT_LE(best.first, best.second);
  EXPECT_NE(best.at, best.next);
  for (std::size_t j = 0; j < priced.columns.size(); ++j)
    if (priced.tree.place(j) != best.at) {
      EXPECT_GE(priced.value(q, j), best.second - tolerance - rounding);
    }
  const RayTwo plain = kernels::scalar_ray_kernels<D>().two_smallest(priced.tree.view(), q, tolerance, known);
  EXPECT_NEAR(plain.first, values[0], rounding);
  EXPECT_NEAR(plain.second, values[1], rounding);
  const auto one = priced.tree.smallest(q, tolerance, known);
  EXPECT_GE(one.value, values[0] - rounding);
  EXPECT_LE(one.value, values[0] + std::max(0.0, tolerance) + rounding);
}

/// What a search may be told to begin with: nothing, a place, one column with its value, or two.
template <std::size_t D>
RayTwo something_known(const PricedTree<D>& priced, const RayPoint<D>& q, Rng& rng) {
  const auto count = static_cast<std::uint32_t>(priced.columns.size());
  const std::uint32_t i = rng.below(count), j = (i + 1 + rng.below(count - 1)) % count;
  RayTwo known = kernels::ray_near(priced.tree.place(i));
  const std::uint32_t how = rng.below(4);
  if (how == 0) return kernels::ray_near(kernels::ray_nowhere);
  if (how >= 2) known.first = priced.value(q, i);
  if (how == 3) known.second = priced.value(q, j), known.next = priced.tree.place(j);
  if (known.second < known.first) std::swap(known.first, known.second), std::swap(known.at, known.next);
  return known;
}

template <class Dimension>
class RayTreeOf : public testing::Test {};
using TwoAndThree =
    testing::Types<std::integral_constant<std::size_t, 2>, std::integral_constant<std::size_t, 3>>;
TYPED_TEST_SUITE(RayTreeOf, TwoAndThree);

TYPED_TEST(RayTreeOf, FindsWhatAPassOverAllColumnsFinds) {
  constexpr std::size_t d = TypeParam::value;
  for_each_seed(200, [](Rng& rng) {
    PricedTree<d> priced(rng, 2 + rng.below(900));
    for (int trial = 0; trial < 20; ++trial) {
      const RayPoint<d> q = normal_point<d>(rng, 3);
      expect_two_smallest<d>(priced, q, rng.below(2) == 0 ? -1e-13 : 0.01, something_known(priced, q, rng));
      // Prices rise now and then, and bounds are not all made anew.
      const std::size_t j = rng.below(static_cast<std::uint32_t>(priced.columns.size()));
      priced.tree.raise(priced.tree.place(j), priced.tree.price(priced.tree.place(j)) + rng.uniform());
    }
  });
}

TYPED_TEST(RayTreeOf, CollectsAllBelowABoundOrTheSmallest) {
  constexpr std::size_t d = TypeParam::value;
  for_each_seed(200, [](Rng& rng) {
    const PricedTree<d> priced(rng, 2 + rng.below(900));
    const RayPoint<d> q = normal_point<d>(rng, 1);
    const std::vector<double> values = priced.sorted_values(q);
    const double bound = values[0] + rng.uniform() * rng.uniform();
    std::uint32_t place[2 * ray_list];
    double distance[2 * ray_list];
    const auto found = priced.tree.collect(q, bound, place, distance);
    const std::set<std::uint32_t> different(place, place + found.count);
    EXPECT_EQ(different.size(), found.count);
    for (std::size_t k = 0; k < found.count; ++k)
      EXPECT_LE(distance[k] + priced.tree.price(place[k]), found.horizon + 1e-12);
    // Nothing below the horizon is missing.
    const auto below = std::ranges::count_if(values, [&](double v) { return v < found.horizon - 1e-9; });
    EXPECT_LE(below, static_cast<std::ptrdiff_t>(found.count));
    EXPECT_LE(found.horizon, bound);
    if (found.count < ray_list) {
      EXPECT_EQ(found.horizon, bound);
    }
  });
}

TYPED_TEST(RayTreeOf, DoesNotFindWhatIsHidden) {
  constexpr std::size_t d = TypeParam::value;
  for_each_seed(50, [](Rng& rng) {
    PricedTree<d> priced(rng, 2 + rng.below(300));
    const RayPoint<d> q = normal_point<d>(rng, 1);
    double last = -infinite;
    for (std::size_t left = priced.columns.size(); left > 0; --left) {
      const auto one = priced.tree.smallest(q, -1e-13, kernels::ray_near(kernels::ray_nowhere));
      EXPECT_GE(one.value, last - 1e-12);
      EXPECT_NEAR(one.value, priced.sorted_values(q).front(), 1e-12 * (1 + std::abs(one.value)));
      last = one.value;
      priced.tree.hide(one.at);
    }
    EXPECT_EQ(priced.tree.smallest(q, 0, kernels::ray_near(kernels::ray_nowhere)).at, kernels::ray_nowhere);
  });
}

TEST(FlowForest, HasTheSameMarginalsNoCycleAndNoHigherCost) {
  for_each_seed(200, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(12);
    const std::size_t m = 1 + rng.below(12);
    const Points x = gaussian(rng, n, 2);
    const Points y = gaussian(rng, m, 2);
    std::vector<std::uint32_t> rows(n), cols(m);
    for (std::uint32_t i = 0; i < n; ++i) rows[i] = i;
    for (std::uint32_t j = 0; j < m; ++j) cols[j] = j;
    solver::Geometry geometry;
    geometry.build(x, y, rows, cols);
    std::vector<solver::FlowEntry> flows;
    for (std::size_t k = rng.below(60); k-- > 0;)
      flows.push_back({rng.below(static_cast<std::uint32_t>(n)), rng.below(static_cast<std::uint32_t>(m)),
                       1 + rng.below(5)});
    const auto forest = solver::FlowForest(geometry).make(flows);
    std::vector<solver::Mass> change(n + m);
    double cost = 0;
    for (const auto& flow : flows) {
      change[flow.row] += flow.amount;
      change[n + flow.col] += flow.amount;
      cost += static_cast<double>(flow.amount) * geometry.cost(flow.row, flow.col);
    }
    std::vector<std::size_t> part(n + m);
    for (std::size_t k = 0; k < n + m; ++k) part[k] = k;
    for (const auto& flow : forest) {
      EXPECT_GT(flow.amount, 0);
      change[flow.row] -= flow.amount;
      change[n + flow.col] -= flow.amount;
      cost -= static_cast<double>(flow.amount) * geometry.cost(flow.row, flow.col);
      const std::size_t p = part[flow.row];
      const std::size_t q = part[n + flow.col];
      EXPECT_NE(p, q) << "a cycle";
      std::ranges::replace(part, p, q);
    }
    EXPECT_TRUE(std::ranges::all_of(change, [](solver::Mass mass) { return mass == 0; }));
    EXPECT_GE(cost, -1e-12);
  });
}

class RaySolving : public InTwoAndThree {};
INSTANTIATE_TEST_SUITE_P(Columns, RaySolving, testing::Values(2, 3));

void expect_as_good_as_flat(const Points& x, const Points& y) {
  TransportWorkspace workspace = by_tree();
  const Transport w = transport(workspace, x, y);
  const Transport flat = transport(x, y);
  EXPECT_EQ(w.status, TransportStatus::optimal);
  EXPECT_TRUE(was_by_tree(w));
  EXPECT_NEAR(w.cost, flat.cost, 1e-9 * flat.cost + 1e-12);
  EXPECT_LE(w.gap, 1e-9 * w.cost + 1e-12);
  expect_certified(w, x, y, {}, {}, 1e-9);
}

TEST_P(RaySolving, IsAsGoodAsTheOthersOnEveryKindOfPoints) {
  for_each_seed(120, [&](Rng& rng) {
    const std::size_t n = 2 + rng.below(350);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    Points y = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    const double shift = rng.below(2) == 0 ? 0.25 : 5 * rng.uniform();
    for (std::size_t j = 0; j < n; ++j) y(j, 0) += shift;
    expect_as_good_as_flat(x, y);
  });
}

TEST_P(RaySolving, GoesOnToAVertexOnRequest) {
  for_each_seed(40, [&](Rng& rng) {
    const std::size_t n = 50 + rng.below(300);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    Points y = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    const double shift = rng.below(2) == 0 ? 0.25 : 1e8;
    for (std::size_t j = 0; j < n; ++j) y(j, 0) += shift;
    TransportWorkspace workspace = by_tree();
    const Transport w = transport(workspace, x, y, {}, {}, {.vertex = true});
    EXPECT_GT(w.work.searches, 0u);
    EXPECT_NEAR(w.cost, transport(x, y).cost, 1e-12 * w.cost);
    expect_certified(w, x, y, {}, {}, 1e-13);
    // A vertex of equal masses moves every row whole.
    EXPECT_EQ(w.plan.size(), n);
  });
}

TEST_P(RaySolving, SeesThroughAShiftOfAGridAndOfItself) {
  Rng rng(1, Purpose::test);
  for (const std::size_t kind : {0, 2, 5}) {
    const std::size_t n = d == 2 ? 289 : 343;
    const Points x = points_of_kind(rng, n, d, kind);
    Points y = x;
    for (std::size_t j = 0; j < n; ++j) {
      y(j, 0) += 3;
      y(j, 1) += 4;
    }
    TransportWorkspace workspace = by_tree();
    EXPECT_NEAR(transport(workspace, x, y).cost, 5, 1e-8);
  }
}

TEST_P(RaySolving, FindsThatAShuffledSampleIsTheSame) {
  Rng rng(2, Purpose::test);
  const Points x = gaussian(rng, 200, d);
  Points y = x;
  for (std::size_t j = 0; j < 200; ++j) std::ranges::copy(x.row((j * 77 + 13) % 200), y.row(j).begin());
  TransportWorkspace workspace = by_tree();
  const Transport w = transport(workspace, x, y);
  EXPECT_LE(w.cost, 1e-11);
  EXPECT_LE(w.gap, 1e-11);
}

TEST_P(RaySolving, StandsOffsetsAndScales) {
  for (const double offset : {1e8, 1e16})
    for (const double scale : {1e-200, 1.0, 1e200}) {
      Rng rng(3, Purpose::test);
      Points x = gaussian(rng, 150, d);
      Points y = gaussian(rng, 150, d);
      for (std::size_t j = 0; j < 150; ++j)
        for (std::size_t k = 0; k < d; ++k) {
          x(j, k) *= scale;
          y(j, k) = (y(j, k) + offset) * scale;
        }
      TransportWorkspace workspace = by_tree();
      const Transport w = transport(workspace, x, y);
      EXPECT_NEAR(w.cost / transport(x, y).cost, 1, 1e-9) << offset << " " << scale;
      EXPECT_LE(w.gap, 1e-9 * w.cost);
    }
}

TEST_P(RaySolving, LeavesPointsThatLieTooFarOutToTheOthers) {
  Rng rng(4, Purpose::test);
  Points x = gaussian(rng, 100, d);
  const Points y = gaussian(rng, 100, d, 1);
  x(3, 1) = 1e9;
  TransportWorkspace workspace = by_tree();
  const Transport w = transport(workspace, x, y);
  EXPECT_FALSE(was_by_tree(w));
  EXPECT_EQ(w.cost, transport(x, y).cost);
}

TEST_P(RaySolving, TakesOverAtItsThreshold) {
  Rng rng(5, Purpose::test);
  for (const std::size_t n : {99, 100, 101}) {
    const Points x = gaussian(rng, n, d);
    const Points y = gaussian(rng, n, d, 1);
    TransportWorkspace workspace = by_tree(100);
    const Transport w = transport(workspace, x, y);
    EXPECT_EQ(was_by_tree(w), n >= 100);
    EXPECT_NEAR(w.cost, transport(x, y).cost, 1e-9 * w.cost);
    expect_certified(w, x, y, {}, {}, 1e-9);
  }
}

TEST_P(RaySolving, HandsOverWhenItTakesTooLong) {
  Rng rng(6, Purpose::test);
  const Points x = gaussian(rng, 200, d);
  const Points y = gaussian(rng, 200, d, 1);
  const Transport flat = transport(x, y);
  for (const double bids : {0.0, 0.5, 3.0}) {
    TransportWorkspace workspace = by_tree();
    engine_of(workspace).settings.rays.bids_per_row = bids;
    const Transport w = transport(workspace, x, y);
    EXPECT_GT(w.work.scans, 0u) << bids;
    EXPECT_EQ(w.cost, flat.cost);
    EXPECT_EQ(w.u, flat.u);
    EXPECT_EQ(w.v, flat.v);
  }
}

// Every bid raises a price by at least epsilon, whatever the search left aside: the tolerance sets how good
// the end is, not whether there is one.
TEST_P(RaySolving, EndsForAnyToleranceAndAnyWayToItsEnd) {
  for_each_seed(6, [&](Rng& rng) {
    const std::size_t n = 100 + rng.below(200);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    Points y = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    for (std::size_t j = 0; j < n; ++j) y(j, 1) += 0.25;
    const double expected = transport(x, y).cost;
    for (const double tolerance : {0.0, 0.5, 2.0, 4.0})
      for (const double before : {0.0, 0.1, 4.0}) {
        TransportWorkspace workspace = by_tree();
        engine_of(workspace).settings.rays.tolerance = tolerance;
        engine_of(workspace).settings.rays.bids_before_paths = before;
        const Transport w = transport(workspace, x, y);
        EXPECT_TRUE(was_by_tree(w)) << tolerance << " " << before;
        EXPECT_NEAR(w.cost, expected, 5e-9 * expected + 1e-12);
      }
  });
}

/// Whole weights: equal, up to ten, many zeros, or over six decades.
Sample weighted(Rng& rng, std::size_t n, std::size_t d) {
  return {points_of_kind(rng, n, d, rng.below(kinds_of_points)), reference::random_weights(rng, n)};
}

TEST_P(RaySolving, PlacesAnyMasses) {
  for_each_seed(60, [&](Rng& rng) {
    const Sample x = weighted(rng, 1 + rng.below(80), d);
    const Sample y = weighted(rng, 1 + rng.below(80), d);
    TransportWorkspace workspace = by_tree();
    const std::vector<double> a = x.real_weights();
    const std::vector<double> b = y.real_weights();
    const Transport w = transport(workspace, x.points, y.points, a, b);
    EXPECT_NEAR(w.cost, lemon_w1(x, y), 1e-9 * w.cost + 1e-12);
    expect_certified(w, x.points, y.points, a, b, 1e-9);
  });
}

TEST_P(RaySolving, PlacesAnyMassesOfManyRows) {
  for_each_seed(12, [&](Rng& rng) {
    const Sample x = weighted(rng, 200 + rng.below(300), d);
    const Sample y = weighted(rng, 200 + rng.below(300), d);
    TransportWorkspace workspace = by_tree();
    const std::vector<double> a = x.real_weights();
    const std::vector<double> b = y.real_weights();
    const Transport w = transport(workspace, x.points, y.points, a, b);
    EXPECT_NEAR(w.cost, transport(x.points, y.points, a, b).cost, 1e-9 * w.cost + 1e-12);
    expect_certified(w, x.points, y.points, a, b, 1e-9);
  });
}

TEST_P(RaySolving, PlacesAnyMassesWheneverItIsStopped) {
  Rng rng(15, Purpose::test);
  const Sample x = weighted(rng, 200, d);
  const Sample y = weighted(rng, 300, d);
  const std::vector<double> a = x.real_weights();
  const std::vector<double> b = y.real_weights();
  const double optimum = transport(x.points, y.points, a, b).cost;
  TransportWorkspace workspace = by_tree();
  for (int patience = 0;; ++patience) {
    int asked = 0;
    const Transport w =
        transport(workspace, x.points, y.points, a, b,
                  {.time_limit = 1e6, .progress = [&](double) { return ++asked <= patience; }});
    EXPECT_GE(w.cost, optimum * (1 - 1e-12));
    EXPECT_LE(w.cost - w.gap, optimum * (1 + 1e-12));
    expect_certified(w, x.points, y.points, a, b, infinite, w.status);
    if (w.status == TransportStatus::optimal) break;
  }
}

TEST_P(RaySolving, GoesOnFromMassesThatTakeTooLong) {
  Rng rng(9, Purpose::test);
  const Points x = gaussian(rng, 150, d);
  const Points y = gaussian(rng, 210, d, 1);
  const double optimum = transport(x, y).cost;
  for (const double bids : {0.0, 0.5, 3.0}) {
    TransportWorkspace workspace = by_tree();
    engine_of(workspace).settings.rays.bids_per_row = bids;
    const Transport w = transport(workspace, x, y);
    EXPECT_NEAR(w.cost, optimum, 1e-12 * optimum);
    expect_certified(w, x, y, {}, {}, 1e-9);
  }
}

/// The plan moves all, the potentials hold for all pairs, and the optimum lies within the gap.
void expect_bracket(const Transport& w, const Points& x, const Points& y, double optimum) {
  EXPECT_LE(w.cost - w.gap, optimum * (1 + 1e-12));
  EXPECT_GE(w.cost, optimum * (1 - 1e-12));
  std::vector<double> sent(x.rows()), got(y.rows());
  for (const PlanEntry& entry : w.plan) {
    sent[entry.row] += entry.mass;
    got[entry.col] += entry.mass;
  }
  for (const double mass : sent) EXPECT_NEAR(mass, 1.0 / static_cast<double>(x.rows()), 1e-15);
  for (const double mass : got) EXPECT_NEAR(mass, 1.0 / static_cast<double>(y.rows()), 1e-15);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < y.rows(); ++j) ASSERT_LE(w.u[i] + w.v[j], distance(x, i, y, j) + 1e-12);
}

TEST_P(RaySolving, EndsAtTheGapThatIsAskedFor) {
  Rng rng(10, Purpose::test);
  const Points x = gaussian(rng, 500, d);
  for (const std::size_t m : {500, 350}) {
    const Points y = gaussian(rng, m, d, 1);
    TransportWorkspace workspace = by_tree();
    const Transport best = transport(workspace, x, y);
    for (const double gap : {0.1, 0.01, 1e-4}) {
      const Transport w = transport(workspace, x, y, {}, {}, {.gap = gap});
      EXPECT_TRUE(w.status == TransportStatus::close || w.work.pivots > 0);
      EXPECT_LE(w.gap, gap * w.cost);
      EXPECT_LE(w.work.bids, best.work.bids);
      expect_bracket(w, x, y, best.cost);
    }
    EXPECT_EQ(transport(workspace, x, y, {}, {}, {.gap = 0.1}).status, TransportStatus::close);
    EXPECT_LT(transport(workspace, x, y, {}, {}, {.gap = 0.1}).work.bids, best.work.bids);
  }
}

TEST_P(RaySolving, EndsAtTheGapOnEveryKindOfPoints) {
  for_each_seed(60, [&](Rng& rng) {
    const std::size_t n = 50 + rng.below(300);
    const Points x = points_of_kind(rng, n, d, rng.below(kinds_of_points));
    Points y = points_of_kind(rng, rng.below(2) == 0 ? n : n / 2, d, rng.below(kinds_of_points));
    const double shift = rng.below(3) == 0 ? 0 : rng.below(2) == 0 ? 0.25 : 1e16;
    for (std::size_t j = 0; j < y.rows(); ++j) y(j, 0) += shift;
    const double optimum = transport(x, y).cost;
    for (const double gap : {0.3, 0.01}) {
      TransportWorkspace workspace = by_tree();
      const Transport w = transport(workspace, x, y, {}, {}, {.gap = gap});
      EXPECT_LE(w.gap, gap * w.cost);
      EXPECT_GE(w.cost, optimum * (1 - 1e-12));
      EXPECT_LE(w.cost - w.gap, optimum * (1 + 1e-12));
      expect_certified(w, x, y, {}, {}, 1, w.status);
    }
  });
}

TEST_P(RaySolving, EndsAtTheTimeLimitWithACertificate) {
  Rng rng(11, Purpose::test);
  const Points x = gaussian(rng, 500, d);
  for (const std::size_t m : {500, 350}) {
    const Points y = gaussian(rng, m, d, 1);
    TransportWorkspace workspace = by_tree();
    const double optimum = transport(workspace, x, y).cost;
    const Transport w = transport(workspace, x, y, {}, {}, {.time_limit = 1e-9});
    EXPECT_EQ(w.status, TransportStatus::stopped);
    expect_bracket(w, x, y, optimum);
  }
}

TEST_P(RaySolving, HasASmallerGapTheLaterItIsStopped) {
  Rng rng(13, Purpose::test);
  const Points x = gaussian(rng, 500, d);
  const Points y = gaussian(rng, 500, d, 1);
  TransportWorkspace workspace = by_tree();
  const double optimum = transport(workspace, x, y).cost;
  double last = infinite;
  for (int patience = 0;; ++patience) {
    int asked = 0;
    const Transport w =
        transport(workspace, x, y, {}, {},
                  {.time_limit = 1e6, .progress = [&](double) { return ++asked <= patience; }});
    expect_bracket(w, x, y, optimum);
    // Up to the first phase on the finest level what has no place is placed anywhere.
    if (w.gap < 0.1 * optimum) {
      EXPECT_LE(w.gap, last) << patience;
      last = w.gap;
    }
    if (w.status == TransportStatus::optimal) break;
  }
  EXPECT_LE(last, 1e-9 * optimum);
}

TEST_P(RaySolving, RefusesLimitsThatMakeNoSense) {
  Rng rng(12, Purpose::test);
  const Points x = gaussian(rng, 3, d);
  for (const double gap : {-0.1, 1.0, infinite})
    EXPECT_THROW(transport(x, x, {}, {}, {.gap = gap}), Error) << gap;
  for (const double seconds : {-1.0, infinite})
    EXPECT_THROW(transport(x, x, {}, {}, {.time_limit = seconds}), Error) << seconds;
}

TEST_P(RaySolving, StopsWhenAskedWithAPlanThatMovesAll) {
  Rng rng(7, Purpose::test);
  const Points x = gaussian(rng, 300, d);
  const Points y = gaussian(rng, 300, d, 1);
  const double optimum = transport(x, y).cost;
  for (const int patience : {0, 1, 4, 9}) {
    TransportWorkspace workspace = by_tree();
    int asked = 0;
    const Transport w =
        transport(workspace, x, y, {}, {}, {.progress = [&](double) { return ++asked <= patience; }});
    EXPECT_EQ(w.status, TransportStatus::stopped) << patience;
    expect_bracket(w, x, y, optimum);
  }
}

TEST_P(RaySolving, HasTheSameBitsEveryTime) {
  Rng rng(8, Purpose::test);
  const Points x = gaussian(rng, 400, d);
  const Points y = gaussian(rng, 400, d, 1);
  TransportWorkspace workspace = by_tree();
  const Transport first = transport(workspace, x, y);
  const Transport other = transport(workspace, y, x);
  const Transport again = transport(workspace, x, y);
  EXPECT_EQ(first.cost, again.cost);
  EXPECT_EQ(first.gap, again.gap);
  EXPECT_EQ(first.u, again.u);
  EXPECT_EQ(first.v, again.v);
  EXPECT_NEAR(first.cost, other.cost, 2e-9 * first.cost);
}

}  // namespace
}  // namespace motmot::test
