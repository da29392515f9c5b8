#include "transport/tree.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace motmot::solver {

void BasisTree::build(std::size_t n, std::size_t m, std::span<const FlowEntry> edges,
                      const Geometry& geometry, std::size_t nodes_for_tour) {
  n_ = n;
  has_tour_ = false;
  const std::size_t count = n + m;
  assert(edges.size() + 1 == count);
  Incidence at_node;
  at_node.build(n, m, edges);
  nodes_.assign(count, {nobody, 1, 0});
  prev_.assign(count, nobody);
  links_.assign(count, {nobody, nobody});
  root_ = 0;
  midst_ = 0;
  for (std::uint32_t i = 1; i < geometry.x().n; ++i)
    if (geometry.tolerance(i) < geometry.tolerance(midst_)) midst_ = i;
  order_.assign(1, root_);
  for (std::size_t head = 0; head < order_.size(); ++head) {
    const std::uint32_t at = order_[head];
    for (const std::uint32_t e : at_node[at]) {
      const FlowEntry& edge = edges[e];
      const auto other = is_row(at) ? static_cast<std::uint32_t>(n + edge.col) : edge.row;
      if (other == nodes_[at].parent) continue;
      attach(other, at);
      nodes_[other].flow = edge.amount;
      order_.push_back(other);
    }
  }
  assert(order_.size() == count);
  for (std::size_t k = count; k-- > 1;) nodes_[nodes_[order_[k]].parent].size += nodes_[order_[k]].size;
  potential_.assign(count, 0);
  recompute_potentials(geometry);
  if (count >= nodes_for_tour) make_tour();
}

// From first children to next siblings; the arc to a node is that of the edge with its number.
void BasisTree::make_tour() {
  std::vector<std::uint32_t> walk{root_};
  walk.reserve(3 * nodes_.size());
  down_.assign(nodes_.size(), nobody);
  std::uint32_t arc = static_cast<std::uint32_t>(nodes_.size());
  const auto enter = [&](std::uint32_t k) {
    down_[k] = arc;
    arc += 2;
    walk.push_back(down_[k]);
    walk.push_back(k);
    return k;
  };
  for (std::uint32_t k = root_;;) {
    if (links_[k].child != nobody) {
      k = enter(links_[k].child);
      continue;
    }
    while (k != root_) {
      walk.push_back(down_[k] + 1);
      if (links_[k].next != nobody) break;
      k = nodes_[k].parent;
    }
    if (k == root_) break;
    k = enter(links_[k].next);
  }
  tour_.build(walk, nodes_.size(), n_);
  has_tour_ = true;
}

void BasisTree::attach(std::uint32_t child, std::uint32_t parent) noexcept {
  nodes_[child].parent = parent;
  if (has_tour_) return;
  const std::uint32_t first = links_[parent].child;
  prev_[child] = nobody;
  links_[child].next = first;
  if (first != nobody) prev_[first] = child;
  links_[parent].child = child;
}

void BasisTree::detach(std::uint32_t child) noexcept {
  if (has_tour_) return;
  const std::uint32_t next = links_[child].next;
  const std::uint32_t prev = prev_[child];
  (prev != nobody ? links_[prev].next : links_[nodes_[child].parent].child) = next;
  if (next != nobody) prev_[next] = prev;
}

// Pushing flow along i -> j and back through the tree takes from the edges above rows on i's side and
// above columns on j's side. Both ends climb at once, the smaller subtree first; on each side the lowest of
// the edges that have least is remembered.
BasisTree::Cycle BasisTree::cycle(std::uint32_t row, std::uint32_t col) const noexcept {
  std::uint32_t leaving_row = nobody, leaving_col = nobody;
  Mass least_row = std::numeric_limits<Mass>::max(), least_col = least_row;
  while (row != col) {
    const Node& p = nodes_[row];
    const Node& q = nodes_[col];
    if (p.size < q.size) {
      if (is_row(row) && p.flow < least_row) {
        least_row = p.flow;
        leaving_row = row;
      }
      row = p.parent;
    } else {
      if (!is_row(col) && q.flow < least_col) {
        least_col = q.flow;
        leaving_col = col;
      }
      col = q.parent;
    }
  }
  if (least_col < least_row) return {row, leaving_col, least_col, false};
  return {row, leaving_row, least_row, true};
}

// Takes the flow around from every other edge of one side, beginning with the lowest, and gives it to those
// between. Above the leaving edge the subtrees lose what hangs from it; on the other side each gets
// `larger` nodes.
void BasisTree::push(std::uint32_t from, const Cycle& around, std::uint32_t larger) noexcept {
  const bool takes_from_rows = is_row(from);
  const std::uint32_t below = nodes_[around.leaving].size;
  std::uint32_t grows = takes_from_rows == around.on_row_side ? 0 : larger;
  for (std::uint32_t k = from; k != around.top;) {
    Node& node = nodes_[k];
    node.flow += is_row(k) == takes_from_rows ? -around.least : around.least;
    node.size += grows;
    if (k == around.leaving) grows = 0 - below;
    k = node.parent;
  }
}

void BasisTree::pivot(std::uint32_t i, std::uint32_t j, double reduced) {
  const auto col = static_cast<std::uint32_t>(n_ + j);
  const Cycle around = cycle(i, col);
  const auto [top, leaving, least, on_row_side] = around;
  const std::uint32_t inner = on_row_side ? i : col;  // the end that is below the leaving edge
  const std::uint32_t outer = on_row_side ? col : i;
  const std::uint32_t below = nodes_[leaving].size;
  const auto all = static_cast<std::uint32_t>(nodes_.size());
  const bool hang_lower = 2 * below <= all;
  push(i, around, hang_lower ? below : 0);
  push(col, around, hang_lower ? below : 0);
  detach(leaving);
  nodes_[leaving].parent = nobody;
  const std::uint32_t down = has_tour_ ? down_[leaving] : nobody;
  if (hang_lower) {
    make_root(leaving, inner, least, down);
    attach(inner, outer);
  } else {
    for (std::uint32_t k = top; k != nobody; k = nodes_[k].parent) nodes_[k].size -= below;
    make_root(root_, outer, least, has_tour_ ? tour_.back(down) : nobody);
    attach(outer, inner);
    for (std::uint32_t k = inner; k != nobody; k = nodes_[k].parent) nodes_[k].size += all - below;
    root_ = leaving;
  }
  const std::uint32_t hung = hang_lower ? inner : outer;
  const double rows = is_row(hung) ? reduced : -reduced;
  if (has_tour_) tour_.move(down, inner, outer, hang_lower, rows, potential_);
  else shift(hung, rows, -rows);
}

// Turns the part whose root is `top` so that `root` is its root; `flow` and `down` are for the edge that will
// hang it. Every edge on the way changes hands: the flow above a node becomes that above its parent.
void BasisTree::make_root(std::uint32_t top, std::uint32_t root, Mass flow, std::uint32_t down) noexcept {
  const std::uint32_t whole = nodes_[top].size;
  std::uint32_t above = nobody;
  std::uint32_t lost = 0;  // nodes that are no longer below the current one
  for (std::uint32_t k = root;;) {
    const std::uint32_t parent = nodes_[k].parent;
    const std::uint32_t size = nodes_[k].size;
    if (k != top) detach(k);
    const Mass old = nodes_[k].flow;
    nodes_[k].flow = flow;
    nodes_[k].size = whole - lost;
    if (above != nobody) attach(k, above);
    if (has_tour_) {
      const std::uint32_t led_here = down_[k];
      down_[k] = down;
      if (k != top) down = tour_.back(led_here);
    }
    if (k == top) break;
    flow = old;
    lost = size;
    above = k;
    k = parent;
  }
}

// First child and next sibling make the subtree a binary tree: every node visited adds up to two to the
// queue, without a branch, and the nodes in it are loaded side by side.
void BasisTree::shift(std::uint32_t top, double rows, double cols) noexcept {
  const std::array<double, 2> by{cols, rows};
  std::uint32_t* const queue = order_.data();
  potential_[top] += by[is_row(top)];
  std::size_t tail = 0;
  queue[0] = links_[top].child;
  tail += queue[0] != nobody ? 1 : 0;
  for (std::size_t head = 0; head < tail; ++head) {
    const std::uint32_t k = queue[head];
    const Links to = links_[k];
    potential_[k] += by[is_row(k)];
    queue[tail] = to.child;
    tail += to.child != nobody ? 1 : 0;
    queue[tail] = to.next;
    tail += to.next != nobody ? 1 : 0;
  }
}

void BasisTree::hang_all() noexcept {
  links_.assign(nodes_.size(), {nobody, nobody});
  for (std::uint32_t k = 0; k < nodes_.size(); ++k) {
    if (k == root_) continue;
    std::uint32_t& first = links_[nodes_[k].parent].child;
    links_[k].next = first;
    first = k;
  }
}

void BasisTree::order_from_root() {
  if (has_tour_) hang_all();
  order_.assign(1, root_);
  for (std::size_t head = 0; head < order_.size(); ++head)
    for (std::uint32_t k = links_[order_[head]].child; k != nobody; k = links_[k].next) order_.push_back(k);
}

FlowEntry BasisTree::edge(std::uint32_t node) const noexcept {
  const std::uint32_t parent = nodes_[node].parent;
  const std::uint32_t row = is_row(node) ? node : parent;
  const auto col = static_cast<std::uint32_t>((is_row(node) ? parent : node) - n_);
  return {row, col, nodes_[node].flow};
}

void BasisTree::recompute_potentials(const Geometry& geometry) {
  settle();
  order_from_root();
  for (std::size_t k = 1; k < order_.size(); ++k) {
    const FlowEntry at = edge(order_[k]);
    potential_[order_[k]] = geometry.cost(at.row, at.col) - potential_[nodes_[order_[k]].parent];
  }
  if (has_drifted(geometry)) price_from_midst(geometry);
}

// Up to the root, then down from all that lies on that way.
void BasisTree::price_from_midst(const Geometry& geometry) {
  const auto price = [&](std::uint32_t child, std::uint32_t node, std::uint32_t from) {
    const FlowEntry at = edge(child);
    potential_[node] = geometry.cost(at.row, at.col) - potential_[from];
  };
  std::vector<std::uint8_t> on_the_way(nodes_.size(), 0);
  potential_[midst_] = 0;
  on_the_way[midst_] = 1;
  for (std::uint32_t k = midst_; k != root_; k = nodes_[k].parent) {
    price(k, nodes_[k].parent, k);
    on_the_way[nodes_[k].parent] = 1;
  }
  for (const std::uint32_t k : order_)
    if (on_the_way[k] == 0) price(k, k, nodes_[k].parent);
}

void BasisTree::flows(std::span<const Mass> a, std::span<const Mass> b, std::vector<FlowEntry>& out) {
  order_from_root();
  std::vector<Mass> left(nodes_.size());
  std::ranges::copy(a, left.begin());
  std::ranges::copy(b, left.begin() + static_cast<std::ptrdiff_t>(n_));
  out.clear();
  for (std::size_t k = order_.size(); k-- > 1;) {
    FlowEntry at = edge(order_[k]);
    at.amount = std::max<Mass>(0, left[order_[k]]);
    left[nodes_[order_[k]].parent] -= at.amount;
    if (at.amount > 0) out.push_back(at);
  }
}

}  // namespace motmot::solver
