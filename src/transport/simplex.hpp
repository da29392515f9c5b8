/// The exact finish for arbitrary masses: a primal network simplex on a few arcs per row, with passes
/// over all pairs to find what those arcs lack, until no pair is left that could improve.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "costs/column_search.hpp"
#include "transport/start_basis.hpp"
#include "transport/tree.hpp"

namespace motmot::solver {

class Simplex {
 public:
  enum class End { optimal, stopped, work_limit, close };

  /// `basis`: edges that span, with feasible flows. `v`: potentials for the first choice of arcs.
  /// `nodes_for_tour`: of BasisTree::build().
  void begin(const Geometry& geometry, ColumnSearch& search, const RowLists& lists,
             std::span<const FlowEntry> basis, std::span<const double> v, std::size_t nodes_for_tour);
  /// From where it is. `close`: asked before every pass over all pairs whether tree() is good enough.
  /// `blocks`: of rows, in which a pass looks for arcs, with pivots after each.
  End run(std::uint32_t blocks, const Ask& ask, const Ask& close);
  /// The geometry's, in another gauge.
  void costs_have_changed();

  [[nodiscard]] BasisTree& tree() noexcept { return tree_; }
  [[nodiscard]] std::uint64_t pivots() const noexcept { return pivots_; }

 private:
  static constexpr std::size_t arcs_per_row = 16;
  /// Far more than any problem takes (some ten); potentials of wild size can go round in circles.
  static constexpr int max_passes = 300;

  struct Arc {
    double reduced;
    std::uint32_t col;
  };

  [[nodiscard]] bool sees_all(std::uint32_t i) const;
  /// Of a reduced cost at a row's potential.
  [[nodiscard]] double tolerance(std::uint32_t i, double u) const {
    return geometry_->tolerance(i) + (far_apart_ ? 1e-14 * std::abs(u) : 0);
  }
  /// With what is to be tolerated because of its own size.
  [[nodiscard]] double arc_cost(std::uint32_t i, std::uint32_t j) const {
    return geometry_->cost(i, j) + (far_apart_ ? geometry_->more_tolerance(i, j) : 0);
  }
  void offer_slack(std::uint32_t i);
  void choose_arcs(std::uint32_t i, const RowLists& lists, std::span<const double> v);
  End pivot_until_arcs_are_fine(const Ask& ask);
  template <class U, class V>
  End pivot_until_fine(const Ask& ask, U u, V v);
  bool find_missing_arcs(std::uint32_t first, std::uint32_t last);
  bool refresh_arcs(std::uint32_t i);
  void set_arcs(std::uint32_t i, std::size_t keep);

  const Geometry* geometry_ = nullptr;
  bool far_apart_ = false;  ///< as the geometry tells
  ColumnSearch* search_ = nullptr;
  BasisTree tree_;
  std::vector<double> arc_cost_;
  std::vector<std::uint32_t> arc_col_, arc_count_;
  std::vector<Arc> sorted_;
  std::vector<FlowEntry> perturbed_;
  std::uint32_t next_row_ = 0;
  std::uint64_t pivots_ = 0;
};

}  // namespace motmot::solver
