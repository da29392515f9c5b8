/// The points of one problem as the solver sees them: centred, scaled by a power of two, and with
/// costs in the gauge c'(i, j) = |x_i - y_j| - r_i - s_j, where r and s are distances from a robust
/// centre. c' lies in [-2 min(r_i, s_j), 0]: one far point no longer sets the size of every number.
/// Any plan has the same optimality in c and c', since the difference depends on i and j apart. For the same
/// reason r and s may be moved by potentials of a near solution (refine()): what is left of the costs
/// is then as small as that solution is good, and float32 tells apart what it could not before.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/euclidean.hpp"
#include "kernels/transport_kernels.hpp"
#include "motmot/data.hpp"
#include "rays/flow.hpp"

namespace motmot::solver {

/// One sample: rows kept (those with mass), centred and scaled.
struct Side {
  std::size_t n = 0;              ///< real points
  std::vector<double> at;         ///< n x d
  std::vector<double> norm;       ///< distance from the centre
  std::vector<double> gauge;      ///< what costs are less by: norm, until refined; last that of slack
  std::vector<double> true_norm;  ///< the same before points beyond the reach of double were pulled in
  double largest = 0;             ///< of norm
  std::vector<double> lift;       ///< empty, or the true norm of points that are lifted and 0 of others

  /// A potential in the gauge and this is one of distances.
  [[nodiscard]] double apart(std::size_t k) const noexcept {
    return lift.empty() ? true_norm[k] : true_norm[k] - lift[k];
  }
  /// Takes these points out of the gauge, and only these. False if there are none.
  template <class Far>
  bool lift_where(Far is_far);
  /// Multiplies by a power of two; norms beyond 2^500 become that, the direction kept.
  void rescale(double factor, std::size_t d);
};

class Geometry {
 public:
  /// Squares and products of two such fit float32; points that are farther from the centre are pulled in.
  static constexpr double float_reach = 1e17;
  /// Scales from the centre up to which distances in double are good enough for a gap of 1e-9 of the cost;
  /// points beyond may be lifted, and are not for a tree.
  static constexpr double far_ratio = 1e3;

  /// `rows` and `cols` list the points that take part. Slack rows and columns come after the real
  /// ones and cost 0, but 1 between the two.
  void build(PointsView x, PointsView y, std::span<const std::uint32_t> rows,
             std::span<const std::uint32_t> cols, bool slack_row = false, bool slack_col = false);

  [[nodiscard]] std::size_t rows() const noexcept { return x_.n + (slack_row_ ? 1 : 0); }
  [[nodiscard]] std::size_t cols() const noexcept { return y_.n + (slack_col_ ? 1 : 0); }
  [[nodiscard]] std::size_t padded_cols() const noexcept { return padded_; }
  [[nodiscard]] std::size_t dim() const noexcept { return d_; }
  [[nodiscard]] bool has_slack_row() const noexcept { return slack_row_; }
  [[nodiscard]] bool has_slack_col() const noexcept { return slack_col_; }
  [[nodiscard]] bool has_slack() const noexcept { return slack_row_ || slack_col_; }
  [[nodiscard]] bool is_wild() const noexcept { return wild_; }
  [[nodiscard]] const Side& x() const noexcept { return x_; }
  [[nodiscard]] const Side& y() const noexcept { return y_; }

  /// Adds v to the gauge of the columns and the row minima at v to that of the rows, so that every cost is at
  /// least 0 and each row has one that is 0. For points that are not wild. Float32 costs come from double
  /// then: what they are off by is half a unit of their own size.
  void refine(std::span<const double> v);
  [[nodiscard]] bool refined() const noexcept { return !fine_y_.empty(); }
  /// Back to the first gauge, into which the potentials u and v are brought, too.
  void coarsen(std::span<double> u, std::span<double> v);

  /// Far points that are left out, at no cost, or moved to points beside them have small potentials; in the
  /// gauge these are rounded to their distance from the centre. Takes those points of which that is so, at
  /// potentials of distances, out of the gauge, in double. False if there are none.
  bool lift_far(std::span<const double> phi_x, std::span<const double> phi_y);
  /// Takes all far points out of the gauge and makes every distance between a far one and a near one the
  /// same, far smaller than they are and far larger than those of near points: potentials are no larger then.
  void take_far_apart();
  /// Whether there are points of both kinds, and none in between.
  [[nodiscard]] bool can_be_taken_apart() const;
  /// Whether a flow goes between them.
  [[nodiscard]] bool connects_far(std::span<const FlowEntry> plan) const;
  [[nodiscard]] bool lifted() const noexcept { return !y_.lift.empty(); }
  /// Points far away may be left out, or are lifted: pairs and potentials have a rounding of their own then.
  [[nodiscard]] bool tells_far_apart() const noexcept { return leaves_out_far_ || lifted(); }

  /// A typical distance, in internal units.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  /// Internal units times this are the caller's units.
  [[nodiscard]] double unit() const noexcept { return unit_; }

  /// c'(i, j) in double.
  [[nodiscard]] double cost(std::size_t i, std::size_t j) const noexcept {
    if (i >= x_.n || j >= y_.n) [[unlikely]]
      return slack_cost(i, j);
    const double* p = x_.at.data() + i * d_;
    const double* q = y_.at.data() + j * d_;
    const double c = std::sqrt(squared_distance(p, q, d_));  // no coordinate is beyond 2^500 here
    if (wild_) [[unlikely]]
      return lifted() ? lifted_cost(i, j, c) : wild_cost(i, j, c);
    return c - x_.gauge[i] - y_.gauge[j];
  }

  /// c'(i, j) for columns first .. first + count - 1 in float32 (count a multiple of 16).
  void cost_row(std::size_t i, std::size_t first, std::size_t count, float* out) const noexcept;

  /// |float32 cost - cost| <= row_margin(i) + col_margin(j), with room for the rounding of one
  /// subtraction of a price from it.
  [[nodiscard]] double row_margin(std::size_t i) const noexcept { return row_margin_[i]; }
  [[nodiscard]] double col_margin(std::size_t j) const noexcept { return col_margin_[j]; }

  [[nodiscard]] double largest_col_margin() const noexcept { return largest_col_margin_; }

  /// Reduced costs below this are rounding; where far points are told apart, so is as much again as
  /// more_tolerance() of the pair.
  [[nodiscard]] double tolerance(std::size_t i) const noexcept { return tolerance_[i]; }
  /// In the gauge, what is left out costs as much as a point is far; where points are lifted, pairs cost as
  /// much as the distance: each pair has its own rounding then.
  [[nodiscard]] double more_tolerance(std::size_t i, std::size_t j) const noexcept {
    return 1e-14 * std::abs(cost(i, j));
  }

  [[nodiscard]] kernels::GaugeRow gauge_row(std::size_t i) const noexcept {
    return {x_float(i), r_float_[i], y_float_.data(), padded_, s_float_.data(), d_};
  }
  [[nodiscard]] const float* x_float(std::size_t i) const noexcept { return x_float_.data() + i * d_; }
  [[nodiscard]] const float* y_float() const noexcept { return y_float_.data(); }
  [[nodiscard]] const float* y_norm() const noexcept { return s_float_.data(); }

 private:
  void choose_centre(PointsView x, PointsView y, std::span<const std::uint32_t> rows,
                     std::span<const std::uint32_t> cols);
  void fill(Side& side, PointsView points, std::span<const std::uint32_t> kept) const;
  void choose_scale();
  void make_floats();
  void set_gauge();
  void set_margins();
  void fine_costs(std::size_t i, std::size_t first, std::size_t count, double* out) const noexcept;
  [[nodiscard]] double slack_cost(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] double wild_cost(std::size_t i, std::size_t j, double c) const noexcept;
  [[nodiscard]] double lifted_cost(std::size_t i, std::size_t j, double c) const noexcept;

  std::size_t d_ = 0, padded_ = 0;
  bool slack_row_ = false, slack_col_ = false;
  bool wild_ = false;  ///< some point is so far that c' must not be formed by subtraction
  bool leaves_out_far_ = false;
  double between_ = 0;    ///< the distance between far points and near ones, where they are taken apart
  bool clipped_ = false;  ///< some point was pulled in to fit float32
  double unit_ = 1, scale_ = 1;
  std::vector<double> centre_;
  Side x_, y_;
  std::vector<float> x_float_, y_float_;  ///< y coordinate after coordinate, stride padded_
  std::vector<float> r_float_, s_float_;
  std::vector<double> fine_y_, fine_s_;  ///< when refined, the same in double; s is the gauge
  std::vector<double> row_margin_, col_margin_, tolerance_;
  double largest_col_margin_ = 0;
};

}  // namespace motmot::solver
