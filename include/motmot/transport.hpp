/// Exact optimal transport between two weighted samples: the 1-Wasserstein distance with Euclidean
/// ground cost, its plan, its potentials and a certificate that both are right.
///
///   const Transport w = transport(x, y);             // equal weights
///   const Transport w = transport(x, y, a, b);       // a_i, b_j >= 0, each normalised to sum 1
///   TransportSolver solver(x, y);                   // same points, many weights: warm starts
///   const Transport p = partial_transport(x, y, 0.1, 0.1); // up to 10 % of either sample left out
///
/// Method: an epsilon-scaling auction in float32 finds prices that are nearly optimal; an exact
/// finish in double (shortest augmenting paths when both samples have n equal weights, a network
/// simplex otherwise) makes them optimal; a last pass recomputes one potential from the other as an
/// exact minimum over all pairs and measures what is left between primal and dual. One dimension is
/// solved by sorting. Above 8000 points in the plane and 15 000 in three dimensions the auction is in double
/// and its bids walk a tree of boxes. As many against as many of equal weight, with equal shares left out or
/// none, end at a gap of some 1e-11 of the cost instead of rounding (unless TransportOptions::vertex asks for
/// more); other weights go through the tree in round portions, and the simplex finishes.
/// Points may lie anywhere in the range of double: costs are kept relative to a robust centre, so a
/// coordinate of 1e16 in one sample does not drown the rest.
///
/// Cost: about n m d / 4 flops for the costs plus roughly n m for each of some tens of passes;
/// measured times are in docs/results-transport.md. Memory O(n + m) beyond stored_costs, see below.
/// A solve runs on the calling thread; different solves may run at once. Same input, same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/data.hpp"

namespace motmot {

struct TransportOptions {
  /// Bytes that stored costs may take (4 a pair). Above it costs are recomputed from the points as
  /// they are needed: memory O(n + m), the same answer, slower only when d is large.
  std::size_t stored_costs = std::size_t{1} << 30;
  /// Bytes that may be taken, with the samples: what is forecast to need more is refused before the work. 0:
  /// three quarters of what the machine or its control group has.
  std::uint64_t memory_limit = 0;
  bool want_plan = true;        ///< fill Transport::plan
  bool want_potentials = true;  ///< fill Transport::u and v (the gap is certified either way)
  /// Share of the cost: a plan that is certified to be so close to the optimum is good enough. 0: the best.
  double gap = 0;
  double time_limit = 0;  ///< seconds after which the best plan so far is given, with its gap; 0: none
  /// In the plane, equal masses: go on from the small gap to a vertex, with a gap of rounding. Others end
  /// there anyway.
  bool vertex = false;
  /// Hears of gaps, as shares of the cost, that are certified on the way; the answer does not depend on it.
  std::function<void(double)> on_gap{};
  Progress progress{};  ///< asked between passes; false stops with the best plan so far
};

enum class TransportStatus {
  optimal,     ///< no pair of points violates the potentials by more than rounding
  stopped,     ///< by progress or time_limit: plan and potentials are feasible, gap tells how far apart
  work_limit,  ///< gave up after very many pivots; feasible, gap tells
  close,       ///< TransportOptions::gap is reached
};

template <>
inline constexpr auto names<TransportStatus> = names_in_order<TransportStatus>("optimal", "stopped",
                                                                               "work_limit", "close");

/// `mass` goes from row `row` of x to row `col` of y. Masses are relative to a total of 1.
struct PlanEntry {
  std::uint32_t row;
  std::uint32_t col;
  double mass;
};

struct Transport {
  double cost = 0;  ///< sum of mass * distance over the plan, in the units of the points
  /// Certified: cost - gap <= the optimum <= cost (up to the rounding of the sums). It is
  /// sum of mass * (c_ij - u_i - v_j) over the plan, with u_i the exact minimum of c_ij - v_j; and what
  /// rounding may hide where rows far away make potentials far larger than the cost.
  double gap = 0;
  TransportStatus status = TransportStatus::optimal;
  std::vector<PlanEntry> plan;  ///< positive masses, at most n + m - 1 (n + m + 1 for partial_transport)
  /// u_i + v_j <= |x_i - y_j| for every pair, up to rounding; sum a u + sum b v = cost - gap.
  /// Rows of weight zero have potentials too. u(x) is a 1-Lipschitz function on the rows of x when
  /// read as min_j (|x - y_j| - v_j).
  std::vector<double> u;
  std::vector<double> v;
  /// partial_transport only: the potentials of the mass left out. u_i + v_left_out <= 0 if tau_x > 0 and
  /// u_left_out + v_j <= 0 if tau_y > 0; they enter the dual with masses tau_y / (1 - tau_y) and
  /// tau_x / (1 - tau_x).
  double u_left_out = 0;
  double v_left_out = 0;
  /// How much was done, for those who tune.
  struct Work {
    std::uint64_t bids = 0;      ///< of the auction
    std::uint64_t searches = 0;  ///< rows settled by shortest paths, or walks through the tree
    std::uint64_t pivots = 0;    ///< of the simplex
    std::uint64_t scans = 0;     ///< passes over all columns for one row
  } work{};
};

class TransportEngine;

/// Buffers that survive a solve. Give one to each thread that solves many small problems.
class TransportWorkspace {
 public:
  TransportWorkspace();
  ~TransportWorkspace();
  TransportWorkspace(TransportWorkspace&&) noexcept;
  TransportWorkspace& operator=(TransportWorkspace&&) noexcept;

 private:
  friend TransportEngine& engine_of(TransportWorkspace& workspace) noexcept;
  std::unique_ptr<TransportEngine> engine_;
};

/// W1 between the rows of x with weights a and the rows of y with weights b. Weights are
/// non-negative with a positive sum, normalised to 1; an empty span means equal weights. Rows of
/// weight below 1e-18 of the sum count as weight zero.
/// Throws Error: shapes that do not match, no rows, d = 0, more than 2^31 rows, coordinates or
/// weights that are not finite, negative weights, weights that sum to 0.
Transport transport(PointsView x, PointsView y, std::span<const double> a = {},
                    std::span<const double> b = {}, const TransportOptions& options = {});
/// The same with the caller's buffers.
Transport transport(TransportWorkspace& workspace, PointsView x, PointsView y, std::span<const double> a = {},
                    std::span<const double> b = {}, const TransportOptions& options = {});

/// Bytes that transport() and partial_transport() take at most for n x m rows of d coordinates, with the
/// samples; measured peaks are half of it or more (docs/results-trust.md).
[[nodiscard]] double transport_bytes(std::size_t n, std::size_t m, std::size_t d,
                                     const TransportOptions& options = {});

/// min of W1(w, v) over probabilities w_i <= 1 / ((1 - tau_x) n) and v_j <= 1 / ((1 - tau_y) m): the
/// cheapest transport when a share tau_x of x and tau_y of y may be left out. If at most these
/// shares are outliers, the inliers' own weights are feasible, so cost is a lower bound of the
/// inliers' W1, and cost - gap a certified one. The plan gives w and v as its marginals.
/// 0 <= tau < 1; a tau above 0 is taken as tau + 1e-12, so that rounding makes no share too small. In one
/// dimension a matter of sorting, above 8000 points in the plane and 15 000 in three dimensions of the tree,
/// elsewhere of the simplex.
Transport partial_transport(PointsView x, PointsView y, double tau_x, double tau_y,
                            const TransportOptions& options = {});
Transport partial_transport(TransportWorkspace& workspace, PointsView x, PointsView y, double tau_x,
                            double tau_y, const TransportOptions& options = {});

/// Many solves between the same points with different weights. Keeps the costs and starts each
/// solve from the potentials of the one before; the answers are those of transport (the plan may be
/// another optimal one). The points must outlive the solver. Not thread safe.
class TransportSolver {
 public:
  TransportSolver(PointsView x, PointsView y, TransportOptions options = {});
  Transport solve(std::span<const double> a = {}, std::span<const double> b = {});

 private:
  TransportWorkspace workspace_;
  TransportOptions options_;
};

}  // namespace motmot
