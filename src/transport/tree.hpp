/// The basis of the network simplex: a spanning tree over rows (0 .. n - 1) and columns (n .. n + m - 1)
/// with a flow on every edge and potentials that make every edge tight.
///
/// There is no thread and no depth: the ends of a new edge meet by climbing from the smaller subtree,
/// and of the two parts that a pivot makes the smaller one is hung anew, with a new root if need be. Its
/// potentials are shifted one by one, or, in a large tree, by a tour of it in blocks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/flow_auction.hpp"
#include "transport/tour.hpp"

namespace motmot::solver {

class BasisTree {
 public:
  /// n + m - 1 edges that span; `cost(row, col)` in double. By a tour if there are as many nodes.
  void build(std::size_t n, std::size_t m, std::span<const FlowEntry> edges, const Geometry& geometry,
             std::size_t nodes_for_tour);

  [[nodiscard]] bool has_tour() const noexcept { return has_tour_; }
  /// What the tour keeps apart goes into the potentials.
  void settle() noexcept {
    if (has_tour_) tour_.settle(potential_);
  }
  /// Of a tree without a tour, or just settled.
  [[nodiscard]] double u(std::size_t i) const noexcept { return potential_[i]; }
  [[nodiscard]] double v(std::size_t j) const noexcept { return potential_[n_ + j]; }
  [[nodiscard]] std::span<const double> row_potentials() const noexcept { return {potential_.data(), n_}; }
  [[nodiscard]] std::span<const double> col_potentials() const noexcept {
    return {potential_.data() + n_, potential_.size() - n_};
  }
  /// With what the tour keeps apart.
  [[nodiscard]] double u_by_tour(std::size_t i) const noexcept { return potential_[i] + tour_.offset(i); }
  [[nodiscard]] double v_by_tour(std::size_t j) const noexcept {
    return potential_[n_ + j] - tour_.offset(n_ + j);
  }

  /// Brings edge (row i, column j) in, whose reduced cost is `reduced` < 0.
  void pivot(std::uint32_t i, std::uint32_t j, double reduced);

  /// Potentials from scratch: pivots leave their rounding behind. From the root; if they have drifted then,
  /// from the midst of the points, so that what is near has small ones, whatever the root is.
  void recompute_potentials(const Geometry& geometry);
  /// What all potentials have in common, plus on rows and minus on columns, has become so large that its
  /// rounding hides the tolerance of reduced costs: pivots on arcs that are no better would go round in
  /// circles. Seen where costs are smallest, in the midst of the points: the root may be a row far away.
  [[nodiscard]] bool has_drifted(const Geometry& geometry) const noexcept {
    const double apart = has_tour_ ? tour_.offset(midst_) : 0;
    return drowns(geometry, std::max(std::abs(potential_[midst_]), std::abs(apart)));
  }
  /// A change of potentials by so much rounds off more than the tolerance of what is near.
  [[nodiscard]] bool drowns(const Geometry& geometry, double change) const noexcept {
    return std::abs(change) * 0x1p-50 > geometry.tolerance(midst_);
  }

  /// The flows that the tree has for these masses (some may come out negative by what the tree's own
  /// flows were perturbed; those are set to zero).
  void flows(std::span<const Mass> a, std::span<const Mass> b, std::vector<FlowEntry>& out);

 private:
  /// What the way from a node to the root reads: four to a cache line.
  struct Node {
    std::uint32_t parent;
    std::uint32_t size;  ///< of the subtree
    Mass flow;           ///< on the edge to the parent
  };
  /// Apart from the rest: shifting the potentials of a subtree reads nothing else.
  struct Links {
    std::uint32_t child;  ///< first of a doubly linked list
    std::uint32_t next;
  };

  void attach(std::uint32_t child, std::uint32_t parent) noexcept;
  void detach(std::uint32_t child) noexcept;
  void make_root(std::uint32_t top, std::uint32_t root, Mass flow, std::uint32_t down) noexcept;
  void hang_all() noexcept;
  void make_tour();
  void shift(std::uint32_t top, double rows, double cols) noexcept;
  void order_from_root();
  void price_from_midst(const Geometry& geometry);
  /// Where the ways from both ends of a new edge to the root meet, and the edge that can give up least.
  struct Cycle {
    std::uint32_t top, leaving;
    Mass least;
    bool on_row_side;
  };
  [[nodiscard]] Cycle cycle(std::uint32_t row, std::uint32_t col) const noexcept;
  void push(std::uint32_t from, const Cycle& around, std::uint32_t larger) noexcept;
  [[nodiscard]] bool is_row(std::uint32_t node) const noexcept { return node < n_; }
  [[nodiscard]] FlowEntry edge(std::uint32_t node) const noexcept;

  std::size_t n_ = 0;
  std::uint32_t root_ = 0;
  std::uint32_t midst_ = 0;  ///< the point of X of least tolerance
  std::vector<Node> nodes_;
  std::vector<Links> links_;
  std::vector<std::uint32_t> prev_;  ///< of the list of children that a node is in
  std::vector<double> potential_;
  std::vector<std::uint32_t> order_;
  bool has_tour_ = false;  ///< then lists of children are made when they are asked for
  Tour tour_;
  std::vector<std::uint32_t> down_;  ///< of nodes but the root: the arc of the tour that leads to them
};

}  // namespace motmot::solver
