#include "transport/start_basis.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace motmot::solver {

std::span<const FlowEntry> StartBasis::make(const Geometry& geometry, std::span<const FlowEntry> wishes,
                                            const RowLists& lists, std::span<const double> v,
                                            std::span<const Mass> a, std::span<const Mass> b) {
  geometry_ = &geometry;
  lists_ = &lists;
  v_ = v;
  n_ = a.size();
  m_ = b.size();
  left_.assign(a.begin(), a.end());
  left_.insert(left_.end(), b.begin(), b.end());
  tree_.clear();
  peel(wishes);
  place_rest_by_lists();
  place_rest_anywhere();
  parent_.resize(n_ + m_);
  std::iota(parent_.begin(), parent_.end(), 0u);
  for (const FlowEntry& edge : tree_) join(edge.row, edge.col);
  connect_by_lists();
  connect_anywhere();
  return tree_;
}

// Every edge taken empties one of its ends, so the edges taken never close a cycle.
void StartBasis::take(std::uint32_t row, std::uint32_t col) {
  const Mass amount = std::min(left_[row], left_[n_ + col]);
  left_[row] -= amount;
  left_[n_ + col] -= amount;
  tree_.push_back({row, col, amount});
}

// Where the auction's flows form a tree, taking leaves first reproduces them; a cycle is opened at
// its largest flow.
void StartBasis::peel(std::span<const FlowEntry> wishes) {
  wishes_ = wishes;
  incident_.build(n_, m_, wishes);
  gone_.assign(wishes.size(), 0);
  leaves_.clear();
  degree_.resize(n_ + m_);
  for (std::uint32_t k = 0; k < n_ + m_; ++k) {
    degree_[k] = static_cast<std::uint32_t>(incident_[k].size());
    if (degree_[k] == 1) leaves_.push_back(k);
  }
  std::vector<std::uint32_t> by_size(wishes.size());
  std::iota(by_size.begin(), by_size.end(), 0u);
  std::ranges::stable_sort(by_size, std::greater<>(), [&](std::uint32_t e) { return wishes[e].amount; });
  const auto settle = [&](std::uint32_t e) {
    const auto row = wishes[e].row;
    const auto col = static_cast<std::uint32_t>(n_ + wishes[e].col);
    gone_[e] = 1;
    take(row, wishes[e].col);
    for (const std::uint32_t end : {row, col}) {
      if (--degree_[end] == 1 && left_[end] > 0) leaves_.push_back(end);
      if (left_[end] == 0) drop_edges_of(end);
    }
  };
  for (std::size_t largest = 0;;) {
    while (!leaves_.empty()) {
      const std::uint32_t leaf = leaves_.back();
      leaves_.pop_back();
      if (degree_[leaf] != 1 || left_[leaf] == 0) continue;
      settle(*std::ranges::find(incident_[leaf], 0, [&](std::uint32_t e) { return gone_[e]; }));
    }
    while (largest < by_size.size() && gone_[by_size[largest]] != 0) ++largest;
    if (largest == by_size.size()) return;
    settle(by_size[largest]);
  }
}

void StartBasis::drop_edges_of(std::uint32_t node) {
  if (degree_[node] == 0) return;
  for (const std::uint32_t e : incident_[node]) {
    if (gone_[e] != 0) continue;
    gone_[e] = 1;
    const auto col = static_cast<std::uint32_t>(n_ + wishes_[e].col);
    const std::uint32_t other = node < n_ ? col : wishes_[e].row;
    if (--degree_[other] == 1 && left_[other] > 0) leaves_.push_back(other);
  }
  degree_[node] = 0;
}

void StartBasis::place_rest_by_lists() {
  for (std::uint32_t i = 0; i < n_; ++i) {
    if (left_[i] == 0) continue;
    choices_.clear();
    for (std::size_t k = 0; k < lists_->length(i); ++k) {
      const std::uint32_t j = lists_->columns(i)[k];
      if (left_[n_ + j] > 0) choices_.push_back({price(i, j), i, j});
    }
    std::ranges::sort(choices_, {}, &Choice::reduced);
    for (const Choice& choice : choices_)
      if (left_[i] > 0) take(i, choice.col);
  }
}

void StartBasis::place_rest_anywhere() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t j = 0; j < m_; ++j)
    if (left_[n_ + j] > 0) open.push_back(j);
  for (std::uint32_t i = 0; i < n_; ++i) {
    while (left_[i] > 0) {
      const auto best = std::ranges::min_element(open, {}, [&](std::uint32_t j) { return price(i, j); });
      const std::uint32_t j = *best;
      take(i, j);
      if (left_[n_ + j] > 0) continue;
      *best = open.back();
      open.pop_back();
    }
  }
}

std::uint32_t StartBasis::part(std::uint32_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void StartBasis::join(std::uint32_t row, std::uint32_t col) {
  const std::uint32_t p = part(row);
  parent_[p] = part(static_cast<std::uint32_t>(n_ + col));
}

// What the lists leave apart hangs on to the part of row 0: rows by their best column there, columns by
// row 0.
void StartBasis::connect_anywhere() {
  const std::size_t spanning = n_ + m_ - 1;
  const auto hang_on = [&](std::uint32_t row, std::uint32_t col) {
    if (part(row) == part(static_cast<std::uint32_t>(n_ + col))) return;
    join(row, col);
    tree_.push_back({row, col, 0});
  };
  for (std::uint32_t j = 0; j < m_ && tree_.size() < spanning; ++j) hang_on(0, j);
  for (std::uint32_t i = 1; i < n_ && tree_.size() < spanning; ++i) hang_on(i, tree_.front().col);
}

// From the flows to a tree: zero-flow edges along shortest paths.

// The pairs that a row offers, with their reduced costs: its list, and all that is slack.
template <class Visit>
void StartBasis::for_each_choice(std::uint32_t i, Visit visit) const {
  const auto real = static_cast<std::uint32_t>(m_ - (geometry_->has_slack_col() ? 1 : 0));
  if (geometry_->has_slack_row() && i + 1 == n_) {
    for (std::uint32_t j = 0; j < real; ++j) visit(geometry_->cost(i, j) - u_[i] - own_v_[j], i, j);
    return;
  }
  for (std::size_t k = 0; k < lists_->length(i); ++k) {
    const std::uint32_t j = lists_->columns(i)[k];
    visit(static_cast<double>(lists_->costs(i)[k]) - u_[i] - own_v_[j], i, j);
  }
  if (real < m_) visit(geometry_->cost(i, real) - u_[i] - own_v_[real], i, real);
}

// Parts are what flows tie together. A tree of shortest paths between them leaves no listed pair violated,
// however long it is; edges of least reduced cost would add up their errors along the tree.
void StartBasis::connect_by_lists() {
  if (tree_.size() == n_ + m_ - 1) return;
  number_parts();
  settle_potentials();
  const std::size_t parts = rows_of_part_.size() - 1;
  distance_.assign(parts, std::numeric_limits<double>::infinity());
  entry_.assign(parts, {});
  settled_.assign(parts, 0);
  heap_.clear();
  const auto later = [](const Choice& p, const Choice& q) { return p.reduced > q.reduced; };
  const std::uint32_t root = largest_part();
  distance_[root] = 0;
  heap_.push_back({0, root, 0});
  while (!heap_.empty()) {
    std::ranges::pop_heap(heap_, later);
    const std::uint32_t at = heap_.back().row;
    heap_.pop_back();
    if (settled_[at] != 0) continue;
    settled_[at] = 1;
    if (at != root) tree_.push_back({entry_[at].row, entry_[at].col, 0});
    for (std::uint32_t k = rows_of_part_[at]; k < rows_of_part_[at + 1]; ++k)
      for_each_choice(row_of_part_[k], [&](double reduced, std::uint32_t row, std::uint32_t col) {
        const std::uint32_t to = part_of_[n_ + col];
        const double distance = distance_[at] + std::max(0.0, reduced);
        if (settled_[to] != 0 || distance >= distance_[to]) return;
        distance_[to] = distance;
        entry_[to] = {row, col};
        heap_.push_back({distance, to, 0});
        std::ranges::push_heap(heap_, later);
      });
  }
  for (std::size_t p = 0; p < parts; ++p)
    if (p != root && settled_[p] != 0) join(entry_[p].row, entry_[p].col);
}

void StartBasis::number_parts() {
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t>& number = scratch_;
  number.assign(n_ + m_, none);
  part_of_.resize(n_ + m_);
  std::uint32_t parts = 0;
  for (std::uint32_t node = 0; node < n_ + m_; ++node) {
    std::uint32_t& of_root = number[part(node)];
    if (of_root == none) of_root = parts++;
    part_of_[node] = of_root;
  }
  rows_of_part_.assign(parts + 1, 0);
  for (std::uint32_t i = 0; i < n_; ++i) ++rows_of_part_[part_of_[i] + 1];
  for (std::uint32_t p = 0; p < parts; ++p) rows_of_part_[p + 1] += rows_of_part_[p];
  row_of_part_.resize(n_);
  scratch_.assign(rows_of_part_.begin(), rows_of_part_.end() - 1);
  for (std::uint32_t i = 0; i < n_; ++i) row_of_part_[scratch_[part_of_[i]]++] = i;
}

std::uint32_t StartBasis::largest_part() const {
  std::uint32_t best = 0;
  for (std::uint32_t p = 0; p + 1 < rows_of_part_.size(); ++p)
    if (rows_of_part_[p + 1] - rows_of_part_[p] > rows_of_part_[best + 1] - rows_of_part_[best]) best = p;
  return best;
}

// Tight on every edge with flow; each part keeps the auction's price of its first column.
void StartBasis::settle_potentials() {
  incident_.build(n_, m_, tree_);
  u_.resize(n_);
  own_v_.resize(m_);
  gone_.assign(n_ + m_, 0);
  for (std::uint32_t j = 0; j < m_; ++j) {
    if (gone_[n_ + j] != 0) continue;
    own_v_[j] = v_[j];
    gone_[n_ + j] = 1;
    leaves_.assign(1, static_cast<std::uint32_t>(n_ + j));
    while (!leaves_.empty()) {
      const std::uint32_t node = leaves_.back();
      leaves_.pop_back();
      for (const std::uint32_t e : incident_[node]) {
        const std::uint32_t other = node < n_ ? static_cast<std::uint32_t>(n_ + tree_[e].col) : tree_[e].row;
        if (gone_[other] != 0) continue;
        gone_[other] = 1;
        if (other < n_) u_[other] = geometry_->cost(other, node - n_) - own_v_[node - n_];
        else own_v_[other - n_] = geometry_->cost(node, other - n_) - u_[node];
        leaves_.push_back(other);
      }
    }
  }
}

}  // namespace motmot::solver
