#include "transport/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace motmot::solver {
namespace {

// Units (of some 2^60) added at random to every flow of the first basis: without ties between flows no
// pivot is degenerate, so the simplex cannot cycle. The last flows are taken from the true masses.
constexpr std::uint32_t perturbation = 512;
// A guard against a solve without an end (TransportStatus::work_limit), far above what was ever seen.
constexpr std::uint64_t pivots_per_node = 2000;
constexpr std::uint64_t pivots_between_questions = 1 << 12;

}  // namespace

void Simplex::begin(const Geometry& geometry, ColumnSearch& search, const RowLists& lists,
                    std::span<const FlowEntry> basis, std::span<const double> v, std::size_t nodes_for_tour) {
  geometry_ = &geometry;
  search_ = &search;
  far_apart_ = geometry.tells_far_apart();
  pivots_ = 0;
  next_row_ = 0;
  perturbed_.assign(basis.begin(), basis.end());
  Rng rng(1, Purpose::transport);
  for (FlowEntry& edge : perturbed_) edge.amount += 1 + rng.below(perturbation);
  tree_.build(geometry.rows(), geometry.cols(), perturbed_, geometry, nodes_for_tour);
  const std::size_t arcs = geometry.rows() * arcs_per_row + (geometry.has_slack_row() ? geometry.cols() : 0);
  arc_col_.resize(arcs);
  arc_cost_.resize(arcs);
  arc_count_.assign(geometry.rows(), 0);
  for (std::uint32_t i = 0; i < geometry.rows(); ++i) choose_arcs(i, lists, v);
}

void Simplex::costs_have_changed() {
  far_apart_ = geometry_->tells_far_apart();
  for (std::uint32_t i = 0; i < geometry_->rows(); ++i)
    for (std::size_t k = i * arcs_per_row; k < i * arcs_per_row + arc_count_[i]; ++k)
      arc_cost_[k] = arc_cost(i, arc_col_[k]);
  tree_.recompute_potentials(*geometry_);
}

Simplex::End Simplex::run(std::uint32_t blocks, const Ask& ask, const Ask& close) {
  if (const End end = pivot_until_arcs_are_fine(ask); end != End::optimal) return end;
  const auto n = static_cast<std::uint32_t>(geometry_->rows());
  const std::uint32_t block = (n + blocks - 1) / blocks;
  for (int pass = 0; pass < max_passes; ++pass) {
    tree_.recompute_potentials(*geometry_);
    if (close()) return End::close;
    const std::uint64_t before = pivots_;
    for (std::uint32_t first = 0; first < n; first += block) {
      if (!find_missing_arcs(first, std::min(n, first + block))) continue;
      if (const End end = pivot_until_arcs_are_fine(ask); end != End::optimal) return end;
    }
    // Arcs that a pass asked for, and that no pivot wants, are violated by rounding alone: the certificate
    // says what that is worth.
    if (pivots_ == before) return End::optimal;
  }
  return End::work_limit;
}

// What is left out of Y has its own row, with some share of all columns.
bool Simplex::sees_all(std::uint32_t i) const {
  return geometry_->has_slack_row() && i + 1 == geometry_->rows();
}

void Simplex::choose_arcs(std::uint32_t i, const RowLists& lists, std::span<const double> v) {
  sorted_.clear();
  if (sees_all(i)) {
    for (std::uint32_t j = 0; j < geometry_->cols(); ++j)
      sorted_.push_back({geometry_->cost(i, j) - v[j], j});
  } else {
    for (std::size_t k = 0; k < lists.length(i); ++k) {
      const std::uint32_t j = lists.columns(i)[k];
      sorted_.push_back({static_cast<double>(lists.costs(i)[k]) - v[j], j});
    }
  }
  set_arcs(i, sees_all(i) ? geometry_->cols() : arcs_per_row);
  offer_slack(i);
}

// And every row sees the column of what is left out of X.
void Simplex::offer_slack(std::uint32_t i) {
  if (!geometry_->has_slack_col()) return;
  const auto slack = static_cast<std::uint32_t>(geometry_->cols() - 1);
  std::uint32_t* columns = arc_col_.data() + std::size_t{i} * arcs_per_row;
  if (std::find(columns, columns + arc_count_[i], slack) != columns + arc_count_[i]) return;
  const std::size_t at = arc_count_[i] < arcs_per_row ? arc_count_[i]++ : arcs_per_row - 1;
  columns[at] = slack;
  arc_cost_[i * arcs_per_row + at] = arc_cost(i, slack);
}

// The first few of sorted_, by reduced cost.
void Simplex::set_arcs(std::uint32_t i, std::size_t keep) {
  const auto less = [](const Arc& p, const Arc& q) { return p.reduced < q.reduced; };
  if (sorted_.size() > keep) {
    std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(keep), sorted_.end(),
                     less);
    sorted_.resize(keep);
  }
  for (std::size_t k = 0; k < sorted_.size(); ++k) {
    arc_col_[i * arcs_per_row + k] = sorted_[k].col;
    arc_cost_[i * arcs_per_row + k] = arc_cost(i, sorted_[k].col);
  }
  arc_count_[i] = static_cast<std::uint32_t>(sorted_.size());
}

// Block pricing: the best arc of the next few rows enters.
template <class U, class V>
Simplex::End Simplex::pivot_until_fine(const Ask& ask, U u, V v) {
  const auto n = static_cast<std::uint32_t>(geometry_->rows());
  const auto block = std::max(4u, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n)) / 4));
  const std::uint64_t nodes = geometry_->rows() + geometry_->cols();
  const std::uint64_t limit = pivots_per_node * nodes;
  for (std::uint32_t fine = 0; fine < n;) {
    double best = 0;
    std::uint32_t row = nobody;
    std::uint32_t col = nobody;
    for (std::uint32_t t = 0; t < block; ++t) {
      const std::uint32_t i = next_row_;
      if (++next_row_ == n) next_row_ = 0;
      const std::uint32_t* columns = arc_col_.data() + std::size_t{i} * arcs_per_row;
      const double* costs = arc_cost_.data() + std::size_t{i} * arcs_per_row;
      const double u_i = u(i);
      double least = best + u_i;
      std::uint32_t at = nobody;
      for (std::uint32_t k = 0; k < arc_count_[i]; ++k) {
        const double value = costs[k] - v(columns[k]);
        if (value < least) {
          least = value;
          at = columns[k];
        }
      }
      if (at == nobody || least - u_i >= -tolerance(i, u_i)) continue;
      best = least - u_i;
      row = i;
      col = at;
    }
    if (row == nobody) {
      fine += block;
      continue;
    }
    fine = 0;
    tree_.pivot(row, col, far_apart_ ? best - geometry_->more_tolerance(row, col) : best);
    if (far_apart_ && tree_.drowns(*geometry_, best)) tree_.recompute_potentials(*geometry_);
    if (++pivots_ > limit) return End::work_limit;
    if (pivots_ % nodes == 0 && tree_.has_drifted(*geometry_)) tree_.recompute_potentials(*geometry_);
    if (pivots_ % pivots_between_questions == 0 && !ask()) return End::stopped;
  }
  return ask() ? End::optimal : End::stopped;
}

Simplex::End Simplex::pivot_until_arcs_are_fine(const Ask& ask) {
  if (!tree_.has_tour())
    return pivot_until_fine(
        ask, [&](std::size_t i) { return tree_.u(i); }, [&](std::size_t j) { return tree_.v(j); });
  const End end = pivot_until_fine(
      ask, [&](std::size_t i) { return tree_.u_by_tour(i); },
      [&](std::size_t j) { return tree_.v_by_tour(j); });
  tree_.settle();
  return end;
}

// Looks at all pairs of some rows. True when one of them got new arcs.
bool Simplex::find_missing_arcs(std::uint32_t first, std::uint32_t last) {
  search_->set(tree_.col_potentials());
  bool any = false;
  for (std::uint32_t i = first; i < last; ++i) any |= refresh_arcs(i);
  return any;
}

// Violated arcs first, or the same few good arcs could hide them forever.
bool Simplex::refresh_arcs(std::uint32_t i) {
  const double u = tree_.u(i);
  const double most = tolerance(i, u);
  if (sees_all(i)) {
    const std::size_t first = i * arcs_per_row;
    for (std::size_t k = first; k < first + arc_count_[i]; ++k)
      if (arc_cost_[k] - u - tree_.v(arc_col_[k]) < -most) return true;
    return false;
  }
  sorted_.clear();
  for (const std::uint32_t j : search_->below(i, u - most)) {
    const double reduced = arc_cost(i, j) - u - tree_.v(j);
    if (reduced < -most) sorted_.push_back({reduced, j});
  }
  if (sorted_.empty()) return false;
  const std::size_t found = sorted_.size();
  for (std::size_t k = 0; k < arc_count_[i] && found < arcs_per_row; ++k) {
    const std::uint32_t j = arc_col_[i * arcs_per_row + k];
    const double reduced = arc_cost_[i * arcs_per_row + k] - u - tree_.v(j);
    if (reduced >= -most) sorted_.push_back({reduced, j});
  }
  set_arcs(i, arcs_per_row);
  offer_slack(i);
  return true;
}

}  // namespace motmot::solver
