/// Transport in two or three dimensions from coarse to fine: clusters of 4^l (8^l) neighbours take the place
/// of points, and the prices of one level start the next. Equal masses end with prices and flows within a
/// small epsilon of the optimum. Other masses are rounded to whole quanta, along an order in which every
/// cluster keeps its sum to half a quantum: the prices and flows of that problem are where the simplex starts
/// on the true one.
#pragma once

#include <span>
#include <vector>

#include "rays/ray_auction.hpp"

namespace motmot::solver {

template <std::size_t D>
class RaySolver {
 public:
  using Point = RayPoint<D>;

  /// Rows and columns with masses of equal sums, at least two of each, and what is left out. When it was
  /// stopped, flows and prices are what was found so far; equal masses that had no place yet are placed
  /// somewhere near. After work_limit, which only equal masses reach, there are none.
  RayEnd run(const RayProblem<D>& problem, const RaySettings& settings, const Ask& ask);

  /// Flows and prices are what was asked for. Otherwise they are of rounded masses: a start for the simplex.
  [[nodiscard]] bool done() const noexcept { return done_; }
  /// Of columns and rows, what is left out last.
  [[nodiscard]] const std::vector<double>& prices() const noexcept { return prices_; }
  /// u_i = min_j (distance + price), over all columns.
  [[nodiscard]] const std::vector<double>& row_minima() const noexcept { return minima_; }
  [[nodiscard]] const std::vector<FlowEntry>& flows() const noexcept { return flows_; }
  [[nodiscard]] std::uint64_t bids() const noexcept { return bids_; }
  [[nodiscard]] std::uint64_t searches() const noexcept { return searches_; }

 private:
  /// Points or clusters of points; one more mass is what is left out of the other side.
  struct Cloud {
    std::vector<Point> at;
    std::vector<Mass> mass;
  };

  /// The end of a phase on the finest level.
  struct Settled {
    std::vector<FlowEntry> flows;
    std::vector<double> prices, minima;
  };

  static Cloud arranged(std::span<const Point> at, std::span<const Mass> mass,
                        std::span<const std::uint32_t> order);
  static Cloud merged(const Cloud& cloud);
  static double spacing(const Cloud& cloud, const Cloud& merged);
  void start_from(const Cloud& rows, const RayProblem<D>& finer);
  [[nodiscard]] Mass quantum(const RayProblem<D>& problem) const;
  RayEnd descend(const RayProblem<D>& problem, double apart, bool finest, const Ask& ask);
  RayEnd settle_parts(const RayProblem<D>& problem, const Ask& ask);
  void place_rest(const RayProblem<D>& problem);
  void give_up_farthest(const RayProblem<D>& problem, Mass wanted, std::vector<Mass>& excess,
                        std::vector<Mass>& room);
  void read_off(std::vector<std::uint32_t> rows, std::vector<std::uint32_t> cols);

  RaySettings settings_;
  RayAuction<D> auction_;
  bool whole_ = false;  ///< all points have the same mass
  bool done_ = false;
  Mass unit_ = 1;  ///< that mass
  double epsilon_ = 0, largest_ = 0;
  std::vector<double> start_, minima_, prices_;
  std::vector<Point> rays_;
  std::vector<FlowEntry> flows_;
  Settled settled_;
  std::uint64_t bids_ = 0, searches_ = 0;
};

/// An order in which runs of (2^D)^l, from the first on, are close together for every l.
template <std::size_t D>
std::vector<std::uint32_t> cluster_order(std::span<const RayPoint<D>> points);

}  // namespace motmot::solver
