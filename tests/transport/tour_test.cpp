#include "transport/tour.hpp"

#include <functional>
#include <limits>
#include <set>

#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

using solver::Tour;

/// The plain twin: neighbours of each node, and a potential that is added to node by node. Edges keep their
/// number; which of its two arcs leads where is `ends`.
struct PlainTree {
  std::vector<std::set<std::uint32_t>> neighbours;
  std::vector<std::array<std::uint32_t, 2>> ends;  ///< of edges: from, to of the first arc
  std::vector<double> potential;
  std::size_t rows;

  PlainTree(Rng& rng, std::size_t nodes, std::size_t first_column)
      : neighbours(nodes), potential(normals(rng, nodes)), rows(first_column) {
    const bool deep = rng.below(2) == 0;
    for (std::uint32_t k = 1; k < nodes; ++k)
      hang(k, deep ? k - 1 - rng.below(std::min<std::uint32_t>(k, 3)) : rng.below(k));
  }
  void hang(std::uint32_t child, std::uint32_t parent) {
    neighbours[child].insert(parent);
    neighbours[parent].insert(child);
    ends.push_back({parent, child});
  }
  /// The walk from node 0; edges are numbered as they were hung.
  [[nodiscard]] std::vector<std::uint32_t> walk() const {
    std::vector<std::uint32_t> steps;
    const auto nodes = static_cast<std::uint32_t>(neighbours.size());
    const std::function<void(std::uint32_t, std::uint32_t)> visit = [&](std::uint32_t k, std::uint32_t from) {
      steps.push_back(k);
      for (const std::uint32_t next : neighbours[k]) {
        if (next == from) continue;
        steps.push_back(nodes + 2 * (next - 1));
        visit(next, k);
        steps.push_back(nodes + 2 * (next - 1) + 1);
      }
    };
    visit(0, nodes);
    return steps;
  }
  [[nodiscard]] std::vector<std::uint32_t> part_of(std::uint32_t start) const {
    std::vector<std::uint32_t> part{start};
    std::vector<bool> seen(neighbours.size());
    seen[start] = true;
    for (std::size_t k = 0; k < part.size(); ++k)
      for (const std::uint32_t next : neighbours[part[k]])
        if (!seen[next]) seen[next] = true, part.push_back(next);
    return part;
  }
  void add(const std::vector<std::uint32_t>& part, double amount) {
    for (const std::uint32_t k : part) potential[k] += k < rows ? amount : -amount;
  }
};

TEST(Tour, AddsToPartsThatAreCutOffAndHungElsewhere) {
  for_each_seed(40, [](Rng& rng) {
    const std::size_t nodes = 2 + rng.below(rng.below(2) == 0 ? 8 : 400), rows = 1 + rng.below(nodes);
    PlainTree plain(rng, nodes, rows);
    std::vector<double> potentials = plain.potential;
    Tour tour;
    tour.build(plain.walk(), nodes, rows);
    for (int turn = 0; turn < 300; ++turn) {
      const std::uint32_t edge = rng.below(static_cast<std::uint32_t>(nodes - 1));
      const bool first_arc = rng.below(2) == 0, to_part = rng.below(2) == 0;
      auto& ends = plain.ends[edge];
      const std::uint32_t above = ends[first_arc ? 0 : 1], below = ends[first_arc ? 1 : 0];
      plain.neighbours[above].erase(below);
      plain.neighbours[below].erase(above);
      const auto part = plain.part_of(below), rest = plain.part_of(above);
      const auto inner = part[rng.below(static_cast<std::uint32_t>(part.size()))],
                 outer = rest[rng.below(static_cast<std::uint32_t>(rest.size()))];
      const double add = rng.normal();
      plain.add(to_part ? part : rest, add);
      plain.neighbours[inner].insert(outer);
      plain.neighbours[outer].insert(inner);
      ends = first_arc ? std::array{outer, inner} : std::array{inner, outer};
      tour.move(tour.arc(edge) + (first_arc ? 0 : 1), inner, outer, to_part, add, potentials);
      if (turn % 100 == 50) tour.settle(potentials);
      for (std::uint32_t k = 0; k < nodes; ++k)
        ASSERT_NEAR(potentials[k] + (k < rows ? tour.offset(k) : -tour.offset(k)), plain.potential[k], 1e-11)
            << "node " << k << " of " << nodes << " in turn " << turn;
    }
  });
}

TEST(Tour, LeadsTheSimplexWhereItGoesWithoutOne) {
  TransportWorkspace with, without;
  engine_of(with).settings.nodes_for_tour = 2;
  engine_of(without).settings.nodes_for_tour = std::numeric_limits<std::size_t>::max();
  for (TransportWorkspace* workspace : {&with, &without})
    engine_of(*workspace).settings.finish = solver::Finish::simplex;
  for_each_seed(300, [&](Rng& rng) {
    const Case problem = random_case(rng, rng.below(10) == 0 ? 300 : 60, 4);
    const auto a = problem.x.real_weights(), b = problem.y.real_weights();
    expect_equals_lemon(with, problem);
    const double tau = 0.3 * rng.uniform();
    const Points &x = problem.x.points, &y = problem.y.points;
    const Transport by_tour = partial_transport(with, x, y, tau, tau / 2),
                    plain = partial_transport(without, x, y, tau, tau / 2);
    EXPECT_NEAR(by_tour.cost, plain.cost, 1e-11 * plain.cost);
    EXPECT_LE(by_tour.gap, 1e-11 * (plain.cost + transport(x, y).cost) + 1e-12);
  });
}

}  // namespace
}  // namespace motmot::test
