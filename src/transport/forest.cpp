#include "transport/forest.hpp"

#include <algorithm>

namespace motmot::solver {

std::vector<FlowEntry> FlowForest::make(std::span<const FlowEntry> flows) {
  n_ = static_cast<std::uint32_t>(geometry_.rows());
  nodes_.assign(geometry_.rows() + geometry_.cols(), {});
  for (const FlowEntry& flow : flows) add(flow);
  std::vector<FlowEntry> kept;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (nodes_[node].parent != nobody && nodes_[node].flow > 0)
      kept.push_back({edge(node).row, edge(node).col, nodes_[node].flow});
  std::ranges::sort(kept, [](const FlowEntry& p, const FlowEntry& q) {
    return p.row != q.row ? p.row < q.row : p.col < q.col;
  });
  return kept;
}

FlowForest::Edge FlowForest::edge(std::uint32_t node) const noexcept {
  const std::uint32_t parent = nodes_[node].parent;
  return node < n_ ? Edge{node, parent - n_} : Edge{parent, node - n_};
}

std::vector<std::uint32_t> FlowForest::way_to_root(std::uint32_t node) const {
  std::vector<std::uint32_t> way{node};
  while (nodes_[way.back()].parent != nobody) way.push_back(nodes_[way.back()].parent);
  return way;
}

void FlowForest::make_root(std::uint32_t node) {
  Node above = {};
  for (std::uint32_t child = nobody; node != nobody;) {
    const Node was = nodes_[node];
    nodes_[node] = {child, above.flow};
    above = was;
    child = node;
    node = was.parent;
  }
}

// The end with the shorter way to its root is turned.
void FlowForest::link(std::uint32_t row, std::uint32_t col, Mass flow) {
  std::uint32_t child = row;
  std::uint32_t parent = n_ + col;
  if (way_to_root(child).size() > way_to_root(parent).size()) std::swap(child, parent);
  make_root(child);
  nodes_[child] = {parent, flow};
}

// An edge within a tree closes a cycle, round which mass is sent the cheaper way until one of its edges is
// empty.
void FlowForest::add(FlowEntry flow) {
  std::vector<std::uint32_t> from_row = way_to_root(flow.row);
  std::vector<std::uint32_t> from_col = way_to_root(n_ + flow.col);
  if (from_row.back() != from_col.back()) return link(flow.row, flow.col, flow.amount);
  while (!from_row.empty() && !from_col.empty() && from_row.back() == from_col.back()) {
    from_row.pop_back();
    from_col.pop_back();
  }
  // More on the new edge is less on every edge that leaves a row upwards on the row's way, or a column on the
  // column's.
  std::vector<std::uint32_t> less;
  std::vector<std::uint32_t> more;
  for (const std::uint32_t node : from_row) (node < n_ ? less : more).push_back(node);
  for (const std::uint32_t node : from_col) (node < n_ ? more : less).push_back(node);
  double change = cost({flow.row, flow.col});
  for (const std::uint32_t node : more) change += cost(edge(node));
  for (const std::uint32_t node : less) change -= cost(edge(node));
  const bool grow = change <= 0;
  const std::vector<std::uint32_t>& shrinking = grow ? less : more;
  const auto least =
      std::ranges::min_element(shrinking, {}, [&](std::uint32_t node) { return nodes_[node].flow; });
  Mass amount = least == shrinking.end() ? flow.amount : nodes_[*least].flow;
  if (!grow) amount = std::min(amount, flow.amount);
  for (const std::uint32_t node : more) nodes_[node].flow += grow ? amount : -amount;
  for (const std::uint32_t node : less) nodes_[node].flow -= grow ? amount : -amount;
  flow.amount += grow ? amount : -amount;
  if (flow.amount == 0) return;
  nodes_[*least] = {};
  link(flow.row, flow.col, flow.amount);
}

}  // namespace motmot::solver
