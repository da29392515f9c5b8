#include "critics/exact_problem.hpp"

#include <algorithm>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "data/robust_scale.hpp"

namespace motmot {
namespace {

std::vector<double> coordinate_medians(PointsView points) {
  std::vector<double> result(points.cols()), column(points.rows());
  for (std::size_t k = 0; k < points.cols(); ++k) {
    for (std::size_t i = 0; i < points.rows(); ++i) column[i] = points(i, k);
    result[k] = upper_median(column);
  }
  return result;
}

/// -<u, row>, or `far` for rows that lie ten times as far from the centre as half of them do.
std::vector<double> linear(PointsView points, std::span<const double> u, std::span<const double> centre,
                           double far) {
  constexpr double far_ratio = 10;
  std::vector<double> result(points.rows());
  const std::vector<double> away = distances_from(points, centre);
  std::vector<double> copy = away;
  const double limit = far_ratio * upper_median(copy);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t k = 0; k < points.cols(); ++k) result[i] -= u[k] * points(i, k);
    if (away[i] > limit) result[i] = far;
  }
  return result;
}

}  // namespace

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

ExactProblem::ExactProblem(const ExactTask& task, Team& team)
    : task_(task),
      team_(team),
      x_(within_reach(task.x)),
      y_(within_reach(task.y)),
      anchors_x_(x_),
      anchors_y_(y_) {}

Phi ExactProblem::lowest_on_y(std::vector<double> u) {
  Phi phi{std::move(u), std::vector<double>(y_.rows())};
  anchors_x_.min_plus(y_, phi.x, phi.y, team_);
  phi.y = negated(std::move(phi.y));
  return phi;
}

Phi ExactProblem::highest_on_x(std::vector<double> phi_y) {
  Phi phi{std::vector<double>(x_.rows()), std::move(phi_y)};
  anchors_y_.min_plus(x_, negated(phi.y), phi.x, team_);
  return phi;
}

Phi ExactProblem::start() const {
  const std::vector<double> from = coordinate_medians(x_), to = coordinate_medians(y_);
  const double length = euclidean(from, to);
  std::vector<double> u(from.size());
  for (std::size_t k = 0; k < u.size(); ++k)
    u[k] = length > 0 ? (to[k] - from[k]) / length : (k == 0 ? 1.0 : 0.0);
  const double far = 4 * farthest_coordinate * static_cast<double>(u.size());
  return {linear(x_, u, from, far), linear(y_, u, to, -far)};
}

bool ExactProblem::remote_on_both_sides() const {
  // Of 10^4 Gaussian rows in the plane one in seven samples has a row beyond; fewer in more dimensions.
  constexpr double remote_ratio = 4;
  const auto has_remote = [](PointsView points) {
    std::vector<double> away = distances_from(points, coordinate_medians(points)), copy = away;
    return std::ranges::max(away) > remote_ratio * upper_median(copy);
  };
  return has_remote(x_) && has_remote(y_);
}

PartitionPasses ExactProblem::passes(Purpose purpose_x, Purpose purpose_y, std::size_t turns) {
  return {task_.plan, task_.estimator, x_.rows(), y_.rows(), task_.seed, purpose_x, purpose_y, turns, team_};
}

std::size_t ExactProblem::weight_partitions() const { return task_.estimator == Estimator::mou ? 64 : 256; }

std::size_t ExactProblem::search_partitions() const { return task_.estimator == Estimator::mou ? 48 : 112; }

void ExactProblem::read_out(const Phi& phi, ExactFit& fit) {
  fit.phi_x = phi.x;
  fit.phi_y = phi.y;
  fit.g = negated(phi.y);
  PartitionPasses draws = passes(Purpose::read_out_x, Purpose::read_out_y, 4);
  const std::vector<double> values = draws.values(phi, task_.read_out, 0);
  fit.value = mean_of(values);
  fit.sd = sd_of(values, fit.value);
}

}  // namespace motmot
