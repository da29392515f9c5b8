/// Flows without cycles: at most n + m - 1 of them, the same marginals, a cost that is no higher.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "transport/flow_auction.hpp"

namespace motmot::solver {

class FlowForest {
 public:
  explicit FlowForest(const Geometry& geometry) : geometry_(geometry) {}

  std::vector<FlowEntry> make(std::span<const FlowEntry> flows);

 private:
  /// Rows, then columns; the flow is that on the edge to the parent.
  struct Node {
    std::uint32_t parent = nobody;
    Mass flow = 0;
  };
  struct Edge {
    std::uint32_t row, col;
  };

  void add(FlowEntry flow);
  void link(std::uint32_t row, std::uint32_t col, Mass flow);
  void make_root(std::uint32_t node);
  [[nodiscard]] std::vector<std::uint32_t> way_to_root(std::uint32_t node) const;
  [[nodiscard]] Edge edge(std::uint32_t node) const noexcept;
  [[nodiscard]] double cost(Edge edge) const noexcept { return geometry_.cost(edge.row, edge.col); }

  const Geometry& geometry_;
  std::uint32_t n_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace motmot::solver
