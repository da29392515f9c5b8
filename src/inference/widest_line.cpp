#include "inference/widest_line.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/statistics.hpp"
#include "base/symmetric_eigen.hpp"
#include "data/without.hpp"
#include "inference/score_gap.hpp"
#include "inference/tails.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot {
namespace {

using Rows = std::vector<std::uint32_t>;
using Vector = std::vector<double>;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(Vector& to, double times, std::span<const double> v) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += times * v[k];
}

/// To length 1; false if there is none.
bool normalise(Vector& v) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0)) return false;
  for (double& value : v) value /= length;
  return true;
}

Vector mean_of(PointsView points, const Rows& rows) {
  Vector mean(points.d);
  for (const std::uint32_t row : rows) add(mean, 1 / static_cast<double>(rows.size()), points.row(row));
  return mean;
}

Vector mean_of(PointsView points) { return mean_of(points, rows_without(points.n, {})); }

/// Half of each row's deviation from the centre, which never overflows.
Points half_deviations(PointsView points, std::span<const double> centre) {
  Points deviations(points.n, points.d);
  for (std::size_t i = 0; i < points.n; ++i)
    for (std::size_t k = 0; k < points.d; ++k) deviations(i, k) = points.row(i)[k] / 2 - centre[k] / 2;
  return deviations;
}

double largest_of(const Points& points) {
  double largest = 0;
  for (const double value : points.values()) largest = std::max(largest, std::abs(value));
  return largest;
}

Points divided(const Points& points, double unit) {
  std::vector<double> values = points.values();
  for (double& value : values) value /= unit;
  return {std::move(values), points.cols()};
}

Points rows_that_stand_for(PointsView points) {
  constexpr std::size_t enough_rows = 2000;
  return without(points, rows_without(points.n, spread_rows(points, enough_rows)));
}

/// sum += times * covariance * v, of rows that are deviations from their mean.
void add_covariance_times(Vector& sum, double times, const Points& deviations, std::span<const double> v) {
  const double share = times / static_cast<double>(deviations.rows());
  for (std::size_t i = 0; i < deviations.rows(); ++i)
    add(sum, share * dot(deviations.row(i), v), deviations.row(i));
}

/// The row farthest from the mean: if a group stands apart, it is likely to be one of it.
Vector farthest(const Points& deviations) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < deviations.rows(); ++i)
    if (const double length = dot(deviations.row(i), deviations.row(i)); length > most) {
      most = length;
      best = i;
    }
  return {deviations.row(best).begin(), deviations.row(best).end()};
}

/// The leading eigenvector of the difference of the covariances. Empty where all rows of `own` are equal.
Vector widest_direction(const Points& own, const Points& other) {
  constexpr std::size_t most_steps = 30;
  Vector next = farthest(own);
  const std::size_t d = next.size(), steps = std::min(most_steps, d);
  std::vector<Vector> basis;
  std::vector<double> diagonal, beside;
  while (basis.size() < steps && normalise(next)) {
    basis.push_back(next);
    Vector image(d);
    add_covariance_times(image, 1, own, next);
    add_covariance_times(image, -1, other, next);
    diagonal.push_back(dot(image, next));
    const double length = std::sqrt(dot(image, image));
    for (int twice = 0; twice < 2; ++twice)  // once leaves what rounding brought back
      for (const Vector& v : basis) add(image, -dot(image, v), v);
    beside.push_back(std::sqrt(dot(image, image)));
    if (beside.back() <= 1e-12 * length) break;  // the basis holds all that this start can reach
    next = std::move(image);
  }
  const std::size_t size = basis.size();
  if (size == 0) return {};
  std::vector<double> tridiagonal(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    tridiagonal[j * size + j] = diagonal[j];
    if (j + 1 < size) tridiagonal[j * size + j + 1] = tridiagonal[(j + 1) * size + j] = beside[j];
  }
  const EigenPairs eigen = symmetric_eigen(std::move(tridiagonal), size);
  Vector direction(d);
  for (std::size_t j = 0; j < size; ++j) add(direction, eigen.vectors[j], basis[j]);
  return direction;
}

/// Half of each row's deviation from the centre, in units, along the direction.
Points projected(PointsView points, std::span<const double> centre, double unit,
                 std::span<const double> direction) {
  Points line(points.n, 1);
  for (std::size_t i = 0; i < points.n; ++i)
    for (std::size_t k = 0; k < points.d; ++k)
      line(i, 0) += (points.row(i)[k] / 2 - centre[k] / 2) / unit * direction[k];
  return line;
}

/// A group has at least so many rows.
constexpr std::size_t fewest = 3;

/// What a gap between positions on a line must be.
GapRule gap_on_line(std::span<const double> positions, std::size_t most) {
  constexpr double false_gaps = 0.01, least_gap = 1.5, farther_than_the_rest = 1.6;
  const double slope = body_slope(positions, most);
  return {.most = most,
          .least = fewest,
          .alpha = false_gaps,
          .need = least_gap * slope,
          .slope = slope,
          .need_in_score = std::log(farther_than_the_rest),
          .place = body_place(positions, most)};
}

/// Logarithms of distances from the median, of rows above it: in them the tail of a skewed law has no gaps.
std::vector<double> logs_from_median(std::span<const double> positions, double slope) {
  const double median = median_of({positions.begin(), positions.end()});
  std::vector<double> logs(positions.begin(), positions.end());
  for (double& value : logs) value = std::log(std::max(value - median, slope));
  return logs;
}

/// The rows at the upper end of the line.
Rows rows_above_gap(std::span<const double> own, std::span<const double> other, std::size_t most) {
  GapRule rule = gap_on_line(own, most);
  if (!(rule.slope > 0)) return {};
  const std::vector<double> others = in_units(other, rule);
  rule.other = others;
  Rows rows = above_gap(own, logs_from_median(own, rule.slope), rule);
  std::ranges::sort(rows);
  return rows;
}

std::vector<double> turned(std::span<const double> positions) {
  std::vector<double> negative(positions.begin(), positions.end());
  for (double& value : negative) value = -value;
  return negative;
}

/// Those of the rows that the others of them vouch for.
Rows rows_of_one_side(PointsView points, const Rows& rows) {
  if (rows.size() < fewest) return {};
  const Rows rest = rows_without(points.n, rows);
  const Points group = half_deviations(without(points, rest), mean_of(points, rest));
  const double unit = largest_of(group);
  if (unit == 0) return {};
  const Points deviations = divided(group, unit);
  const Vector mean = mean_of(deviations);
  const double g = static_cast<double>(rows.size());
  Rows found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Vector others(points.d);
    add(others, g / (g - 1), mean);
    add(others, -1 / (g - 1), deviations.row(i));
    if (2 * dot(deviations.row(i), others) >= dot(others, others)) found.push_back(rows[i]);
  }
  return found.size() < fewest ? Rows{} : found;
}

}  // namespace

AlongLine along_widest_line(PointsView own, PointsView other) {
  const Points some_own = rows_that_stand_for(own), some_other = rows_that_stand_for(other);
  const Vector centre = mean_of(some_own);
  const Points from_own = half_deviations(some_own, centre),
               from_other = half_deviations(some_other, mean_of(some_other));
  const double unit = std::max(largest_of(from_own), largest_of(from_other));
  AlongLine line{Points(own.n, 1), Points(other.n, 1)};
  if (unit == 0) return line;
  const Vector direction = widest_direction(divided(from_own, unit), divided(from_other, unit));
  if (direction.empty()) return line;
  return {projected(own, centre, unit, direction), projected(other, centre, unit, direction)};
}

namespace {

/// The rows apart at the upper end of the line, unless the other sample has such a part, too.
Rows group_above(std::span<const double> own, std::span<const double> other, PointsView points,
                 std::size_t most) {
  const Rows rows = rows_of_one_side(points, rows_above_gap(own, other, most));
  if (rows.empty()) return {};
  double lowest = own[rows.front()];
  for (const std::uint32_t row : rows) lowest = std::min(lowest, own[row]);
  const auto beyond = std::ranges::count_if(other, [&](double position) { return position >= lowest; });
  return is_part_of_both(rows.size(), points.n, static_cast<std::size_t>(beyond), other.size()) ? Rows{}
                                                                                                : rows;
}

}  // namespace

std::vector<std::uint32_t> group_along(const AlongLine& line, PointsView own, std::size_t most) {
  if (most < fewest) return {};
  const std::vector<double>&positions = line.own.values(), &others = line.other.values();
  const Rows rows = group_above(positions, others, own, most);
  return rows.empty() ? group_above(turned(positions), turned(others), own, most) : rows;
}

}  // namespace motmot
