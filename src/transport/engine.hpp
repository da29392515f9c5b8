/// One problem from weights to result: which rows take part, which method finishes, what is certified.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "costs/column_search.hpp"
#include "costs/lines.hpp"
#include "motmot/transport.hpp"
#include "rays/ray_solver.hpp"
#include "transport/augment.hpp"
#include "transport/copies.hpp"
#include "transport/flow_auction.hpp"
#include "transport/simplex.hpp"
#include "transport/start_basis.hpp"

namespace motmot {

namespace solver {
/// For points on a line, which need only be sorted.
Transport solve_one_dimension(PointsView x, PointsView y, const Masses& masses,
                              const TransportOptions& options);
/// The same when mass may be left out: n log n.
Transport solve_partial_line(PointsView x, PointsView y, const Masses& masses,
                             const TransportOptions& options);
}  // namespace solver

class TransportEngine {
 public:
  /// Checks the points and forgets what was known of others.
  void bind(PointsView x, PointsView y);

  /// `warm`: start from the potentials of the last solve between these points.
  Transport solve(std::span<const double> a, std::span<const double> b, const TransportOptions& options,
                  bool warm);
  Transport solve_partial(double tau_x, double tau_y, const TransportOptions& options, bool warm);

  solver::Settings settings{};

 private:
  [[nodiscard]] bool same_sample() const;
  Transport trivial(const TransportOptions& options) const;
  void put_copies_together();
  Transport solve_general(const TransportOptions& options, bool slack, bool warm);
  void look_for_lines();
  void set_geometry(const TransportOptions& options, bool slack);
  void start_prices(bool warm);
  bool ask(const TransportOptions& options, double done);
  void solve_single();
  [[nodiscard]] bool tree_pays(std::size_t points) const;
  [[nodiscard]] bool suits_tree() const;
  template <std::size_t D>
  bool solve_by_tree(const TransportOptions& options);
  void solve_assignment(const TransportOptions& options, bool warm);
  solver::Augmenter::End augment(std::span<const std::uint32_t> columns, const TransportOptions& options);
  void solve_flow(const TransportOptions& options, bool warm);
  void auction_refined(const solver::AuctionSettings& tuned, const TransportOptions& options);
  solver::Bidder bidder(const solver::AuctionSettings& tuned);
  void run_simplex(const TransportOptions& options);
  void keep_better_prices(std::span<const double> before);
  [[nodiscard]] double gap() const;
  bool settle_for_gap(const TransportOptions& options);
  bool settle_for_assignment(const TransportOptions& options);
  bool lift_far_of_tree();
  void try_far_apart(const TransportOptions& options, bool slack);
  void take_from_tree();
  [[nodiscard]] double typical() const;
  [[nodiscard]] double first_epsilon(bool warm) const;
  Transport report(const TransportOptions& options, bool slack);
  [[nodiscard]] double plan_cost() const;
  [[nodiscard]] std::vector<solver::FlowEntry> caller_plan() const;
  void fill_potentials(Transport& result, bool slack) const;
  void extend_potentials(Transport& result) const;

  PointsView x_, y_;
  solver::Masses masses_;
  bool together_ = false;  ///< masses_ are of points, each with all its copies in these:
  solver::Copies copies_x_, copies_y_;
  std::vector<std::uint32_t> cols_;                     ///< masses_.cols in the order of the geometry
  std::vector<solver::Mass> b_;                         ///< masses_.b in that order
  std::vector<std::uint32_t> known_rows_, known_cols_;  ///< what geometry_ was built for
  bool known_ = false;
  bool on_lines_ = false;       ///< points lie on lines or close to them
  bool on_thin_lines_ = false;  ///< close to them
  bool far_apart_ = false;      ///< see try_far_apart()
  solver::Geometry geometry_;
  solver::Scanner scanner_;
  solver::Prices prices_;
  solver::FlatSearch flat_search_{geometry_, scanner_};
  std::unique_ptr<solver::ColumnSearch> tree_search_;
  solver::ColumnSearch* search_ = &flat_search_;  ///< one of these two
  solver::RowLists lists_;
  solver::AssignmentAuction assignment_;
  solver::FlowAuction flow_;
  solver::Augmenter augmenter_;
  solver::StartBasis start_;
  solver::Simplex simplex_;
  std::vector<solver::FlowEntry> plan_;
  std::vector<double> u_, v_;
  std::vector<double> last_v_;  ///< of all columns, in the caller's units; empty when nothing is known
  double last_v_left_out_ = 0;  ///< the same of what is left out of X
  TransportStatus status_ = TransportStatus::optimal;
  std::chrono::steady_clock::time_point started_{};
  Transport::Work work_{};
};

/// partial_transport() between the points of this workspace's last one, from the potentials found there: for
/// shares close to those.
Transport partial_transport_again(TransportWorkspace& workspace, double tau_x, double tau_y,
                                  const TransportOptions& options);

/// The engine behind a workspace, for those who tune it.
TransportEngine& engine_of(TransportWorkspace& workspace) noexcept;

}  // namespace motmot
