/// LEMON's network simplex as the judge, and problems to judge by. All inline: the fast and the slow
/// tests are different programs.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// LEMON copies nodes before it fills them; under the sanitizers the compiler notices.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot::test {

/// Points with whole-number weights (not all zero), so that LEMON can have exactly the same masses.
struct Sample {
  Points points;
  std::vector<std::int64_t> weights;

  [[nodiscard]] std::vector<double> real_weights() const { return {weights.begin(), weights.end()}; }
};

struct Case {
  Sample x;
  Sample y;
};

namespace reference {

using Graph = lemon::SmartDigraph;

// Solves the transport with supplies a, demands b and costs c(i, j); infinite costs are no arcs. LEMON
// may cycle on double costs, so it sees whole numbers of up to 2^46; the plan is then priced in double.
template <class Cost>
double lemon_cost(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, Cost c) {
  Graph graph;
  std::vector<Graph::Node> rows(a.size());
  std::vector<Graph::Node> cols(b.size());
  for (auto& node : rows) node = graph.addNode();
  for (auto& node : cols) node = graph.addNode();
  Graph::NodeMap<std::int64_t> supply(graph);
  Graph::ArcMap<double> cost(graph);
  Graph::ArcMap<std::int64_t> whole_cost(graph);
  for (std::size_t i = 0; i < a.size(); ++i) supply[rows[i]] = a[i];
  for (std::size_t j = 0; j < b.size(); ++j) supply[cols[j]] = -b[j];
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (!std::isfinite(c(i, j))) continue;
      cost[graph.addArc(rows[i], cols[j])] = c(i, j);
      largest = std::max(largest, c(i, j));
    }
  if (largest == 0) return 0;
  for (Graph::ArcIt arc(graph); arc != lemon::INVALID; ++arc)
    whole_cost[arc] = std::llround(cost[arc] / largest * 0x1p46);
  lemon::NetworkSimplex<Graph, std::int64_t, std::int64_t> simplex(graph);
  simplex.supplyMap(supply).costMap(whole_cost);
  EXPECT_EQ(simplex.run(), (lemon::NetworkSimplex<Graph, std::int64_t, std::int64_t>::OPTIMAL));
  double sum = 0;
  for (Graph::ArcIt arc(graph); arc != lemon::INVALID; ++arc)
    sum += static_cast<double>(simplex.flow(arc)) * cost[arc];
  return sum;
}

inline void make_ties(Points& points) {
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (double& value : points.row(i)) value = std::round(value);
}

inline void make_duplicates(Points& points, Rng& rng) {
  for (std::size_t i = 1; i < points.rows(); ++i)
    if (rng.below(2) == 0)
      std::ranges::copy(points.row(rng.below(static_cast<std::uint32_t>(i))), points.row(i).begin());
}

inline Points random_points(Rng& rng, std::size_t n, std::size_t d, unsigned kind) {
  Points points = gaussian(rng, n, d, rng.below(2) == 0 ? 0.0 : rng.normal());
  if (kind == 1) make_ties(points);
  if (kind == 2) make_duplicates(points, rng);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : points.row(i)) {
      if (kind == 3 && i % 3 == 0) value += 8;
      if (kind == 4 && i % 10 == 0) value = 50 + 10 * rng.cauchy();
      if (kind == 5) value = rng.uniform();
    }
  return points;
}

inline std::vector<std::int64_t> random_weights(Rng& rng, std::size_t n) {
  std::vector<std::int64_t> weights(n, 1);
  const std::uint32_t kind = rng.below(4);
  for (auto& weight : weights) {
    if (kind == 1) weight = 1 + rng.below(1000);
    if (kind == 2) weight = rng.below(3) == 0 ? 1 + rng.below(9) : 0;
    if (kind == 3) weight = static_cast<std::int64_t>(std::exp(rng.uniform(0, std::log(1e6))));
  }
  if (std::ranges::all_of(weights, [](auto weight) { return weight == 0; }))
    weights[rng.below(static_cast<std::uint32_t>(n))] = 1;
  return weights;
}

}  // namespace reference

/// A small problem of a kind drawn at random: gaussians, shifts, lattices with ties, duplicates, two
/// modes, outliers; weights equal, random, many zero, or spread over six decades.
inline Case random_case(Rng& rng, std::size_t most_rows, std::size_t most_columns) {
  const std::size_t d = 1 + rng.below(static_cast<std::uint32_t>(most_columns));
  const std::size_t n = 1 + rng.below(static_cast<std::uint32_t>(most_rows));
  const std::size_t m = rng.below(2) == 0 ? n : 1 + rng.below(static_cast<std::uint32_t>(most_rows));
  const unsigned kind = rng.below(6);
  Case problem;
  problem.x = {reference::random_points(rng, n, d, kind), reference::random_weights(rng, n)};
  problem.y = {reference::random_points(rng, m, d, kind), reference::random_weights(rng, m)};
  if (rng.below(3) == 0) problem.x.weights.assign(n, 1);
  if (rng.below(3) == 0) problem.y.weights.assign(m, 1);
  if (rng.below(20) == 0 && n == m) problem.y = problem.x;
  return problem;
}

inline double distance(PointsView x, std::size_t i, PointsView y, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < x.cols(); ++k) sum += (x(i, k) - y(j, k)) * (x(i, k) - y(j, k));
  return std::sqrt(sum);
}

/// W1 by LEMON.
inline double lemon_w1(const Sample& x, const Sample& y) {
  const auto sum = [](const std::vector<std::int64_t>& w) {
    return std::accumulate(w.begin(), w.end(), std::int64_t{0});
  };
  const std::int64_t sum_x = sum(x.weights);
  const std::int64_t sum_y = sum(y.weights);
  std::vector<std::int64_t> a = x.weights;
  std::vector<std::int64_t> b = y.weights;
  for (auto& weight : a) weight *= sum_y;
  for (auto& weight : b) weight *= sum_x;
  const double cost = reference::lemon_cost(
      a, b, [&](std::size_t i, std::size_t j) { return distance(x.points, i, y.points, j); });
  return cost / static_cast<double>(sum_x) / static_cast<double>(sum_y);
}

/// Partial W1 by LEMON; the capacities are 1 / (kept_x) and 1 / (kept_y), so tau = 1 - kept / n.
inline double lemon_partial(PointsView x, PointsView y, std::int64_t kept_x, std::int64_t kept_y) {
  const auto n = static_cast<std::int64_t>(x.rows());
  const auto m = static_cast<std::int64_t>(y.rows());
  const std::int64_t total = kept_x * kept_y;
  std::vector<std::int64_t> a(x.rows(), kept_y);
  std::vector<std::int64_t> b(y.rows(), kept_x);
  a.push_back(m * kept_x - total);
  b.push_back(n * kept_y - total);
  const double cost = reference::lemon_cost(a, b, [&](std::size_t i, std::size_t j) {
    if (i < x.rows() && j < y.rows()) return distance(x, i, y, j);
    return i < x.rows() || j < y.rows() ? 0.0 : std::numeric_limits<double>::infinity();
  });
  return cost / static_cast<double>(total);
}

/// What a plan takes from rows and brings to columns.
struct Marginals {
  std::vector<double> row, col;
  double total = 0;
};

inline Marginals marginals(const Transport& w, std::size_t n, std::size_t m) {
  Marginals sums{std::vector<double>(n, 0), std::vector<double>(m, 0)};
  for (const PlanEntry& entry : w.plan) {
    sums.row[entry.row] += entry.mass;
    sums.col[entry.col] += entry.mass;
    sums.total += entry.mass;
  }
  return sums;
}

/// Fails unless plan, potentials, cost and gap of the result agree with each other and the weights. The gap
/// may be `gap` of the largest distance.
inline void expect_certified(const Transport& w, PointsView x, PointsView y, const std::vector<double>& a,
                             const std::vector<double>& b, double gap = 1e-12,
                             TransportStatus status = TransportStatus::optimal) {
  EXPECT_EQ(w.status, status);
  const double size = w.cost + 1e-300;
  std::vector<double> row(x.rows(), 0);
  std::vector<double> col(y.rows(), 0);
  double cost = 0;
  double largest = 0;
  for (const PlanEntry& entry : w.plan) {
    EXPECT_GT(entry.mass, 0);
    row[entry.row] += entry.mass;
    col[entry.col] += entry.mass;
    cost += entry.mass * distance(x, entry.row, y, entry.col);
  }
  EXPECT_LE(w.plan.size(), x.rows() + y.rows() - 1);
  EXPECT_NEAR(cost, w.cost, 1e-12 * size);
  const double sum_a = a.empty() ? static_cast<double>(x.rows()) : std::accumulate(a.begin(), a.end(), 0.0);
  const double sum_b = b.empty() ? static_cast<double>(y.rows()) : std::accumulate(b.begin(), b.end(), 0.0);
  double dual = 0;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double mass = (a.empty() ? 1 : a[i]) / sum_a;
    EXPECT_NEAR(row[i], mass, 1e-13) << "row " << i;
    dual += mass * w.u[i];
  }
  for (std::size_t j = 0; j < y.rows(); ++j) {
    const double mass = (b.empty() ? 1 : b[j]) / sum_b;
    EXPECT_NEAR(col[j], mass, 1e-13) << "column " << j;
    dual += mass * w.v[j];
  }
  double worst = 0;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < y.rows(); ++j) {
      const double c = distance(x, i, y, j);
      largest = std::max(largest, c);
      worst = std::max(worst, w.u[i] + w.v[j] - c);
    }
  EXPECT_LE(worst, 1e-12 * largest);
  EXPECT_LE(w.gap, gap * largest);
  EXPECT_NEAR(dual, w.cost - w.gap, 1e-11 * largest);
}

// A share is taken as 1e-12 more than it is: of what is kept at tau = 0.9 that is 1e-11.
inline constexpr double all_of_it = 1 + 1.1e-11;

struct Shares {
  double x, y;
};

/// The plan moves mass 1 and no more of a point than it may, the potentials hold for all pairs and for what
/// is left out, and they are worth cost - gap.
inline void expect_certified_partial(const Transport& w, const Points& x, const Points& y, Shares tau) {
  const auto capacity = [](const Points& points, double share) {
    return 1 / ((1 - share) * static_cast<double>(points.rows()));
  };
  const double of_x = capacity(x, tau.x), of_y = capacity(y, tau.y);
  std::vector<double> sent(x.rows()), got(y.rows());
  double cost = 0, moved = 0, largest = 0;
  for (const PlanEntry& entry : w.plan) {
    EXPECT_GT(entry.mass, 0);
    sent[entry.row] += entry.mass;
    got[entry.col] += entry.mass;
    moved += entry.mass;
    cost += entry.mass * distance(x, entry.row, y, entry.col);
  }
  EXPECT_LE(w.plan.size(), x.rows() + y.rows() + 1);
  EXPECT_NEAR(moved, 1, 1e-11);
  EXPECT_NEAR(cost, w.cost, 1e-12 * w.cost + 1e-300);
  for (const double mass : sent) ASSERT_LE(mass, of_x * all_of_it);
  for (const double mass : got) ASSERT_LE(mass, of_y * all_of_it);
  double worst = 0;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < y.rows(); ++j) {
      const double c = distance(x, i, y, j);
      largest = std::max(largest, c);
      worst = std::max(worst, w.u[i] + w.v[j] - c);
    }
  double dual = tau.x / (1 - tau.x) * w.v_left_out + tau.y / (1 - tau.y) * w.u_left_out;
  for (const double u : w.u) {
    dual += of_x * u;
    if (tau.x > 0) worst = std::max(worst, u + w.v_left_out);
  }
  for (const double v : w.v) {
    dual += of_y * v;
    if (tau.y > 0) worst = std::max(worst, v + w.u_left_out);
  }
  EXPECT_LE(worst, 1e-12 * largest);
  EXPECT_NEAR(dual, w.cost - w.gap, 1e-10 * largest);
}

/// Cost and certificate of the solver, held against LEMON.
inline void expect_equals_lemon(TransportWorkspace& workspace, const Case& problem) {
  const auto a = problem.x.real_weights(), b = problem.y.real_weights();
  const Transport w = transport(workspace, problem.x.points, problem.y.points, a, b);
  const double expected = lemon_w1(problem.x, problem.y);
  EXPECT_NEAR(w.cost, expected, 1e-9 * expected + 1e-15);
  expect_certified(w, problem.x.points, problem.y.points, a, b);
}

}  // namespace motmot::test
