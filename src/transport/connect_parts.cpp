// From the flows of a start basis to a tree: zero-flow edges along shortest paths.
#include <algorithm>
#include <limits>

#include "transport/start_basis.hpp"

namespace motmot::solver {

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
  const std::size_t nodes = n_ + m_;
  start_.assign(nodes + 1, 0);
  for (const FlowEntry& edge : tree_) {
    ++start_[edge.row + 1];
    ++start_[n_ + edge.col + 1];
  }
  for (std::size_t k = 0; k < nodes; ++k) start_[k + 1] += start_[k];
  incident_.resize(2 * tree_.size());
  scratch_.assign(start_.begin(), start_.end() - 1);
  for (const FlowEntry& edge : tree_) {
    const auto col = static_cast<std::uint32_t>(n_ + edge.col);
    incident_[scratch_[edge.row]++] = col;
    incident_[scratch_[col]++] = edge.row;
  }
  u_.resize(n_);
  own_v_.resize(m_);
  gone_.assign(nodes, 0);
  for (std::uint32_t j = 0; j < m_; ++j) {
    if (gone_[n_ + j] != 0) continue;
    own_v_[j] = v_[j];
    gone_[n_ + j] = 1;
    leaves_.assign(1, static_cast<std::uint32_t>(n_ + j));
    while (!leaves_.empty()) {
      const std::uint32_t node = leaves_.back();
      leaves_.pop_back();
      for (std::uint32_t k = start_[node]; k < start_[node + 1]; ++k) {
        const std::uint32_t other = incident_[k];
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
