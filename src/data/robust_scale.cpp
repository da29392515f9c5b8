#include "data/robust_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/euclidean.hpp"
#include "base/rank_statistics.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "data/radix_medians.hpp"

namespace motmot {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr std::size_t most_gathered = 1 << 21;  ///< rows of which columns are copied: 128 MB for eight

void require_finite(PointsView x, const char* name) {
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j)
      require(std::isfinite(x(i, j)), Errc::numeric, "row ", i + 1, ", column ", j + 1, " of ", name, " is ",
              x(i, j), "; values must be finite");
}

// Columns are gathered eight at a time: a row's eight neighbours share a cache line, and fetching
// that line once for each of them is what would cost at d = 3072.
std::vector<double> medians(PointsView x, PointsView y) {
  constexpr std::size_t width = 8;
  const std::size_t n = x.rows() + y.rows();
  if (n > most_gathered) return radix_medians(x, y);
  std::vector<double> centre(x.cols());
  std::array<std::vector<double>, width> gathered;
  for (std::size_t j0 = 0; j0 < x.cols(); j0 += width) {
    const std::size_t count = std::min(width, x.cols() - j0);
    for (std::size_t j = 0; j < count; ++j) gathered[j].resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double* row = i < x.rows() ? x.data + i * x.d : y.data + (i - x.rows()) * y.d;
      for (std::size_t j = 0; j < count; ++j) gathered[j][i] = row[j0 + j];
    }
    for (std::size_t j = 0; j < count; ++j) centre[j0 + j] = median_of(gathered[j]);
  }
  return centre;
}

double positive_scale(std::vector<double> distances) {
  const double middle = median_of(distances);
  if (middle > 0) return middle;
  std::erase(distances, 0);
  return distances.empty() ? 1 : *std::ranges::min_element(distances);
}

double scaled_value(double x, double centre, double scale) {
  const double step = x - centre;
  // Halves cannot overflow; the quotient still may, and is cut.
  const double value = std::isfinite(step) ? step / scale : (x / 2 - centre / 2) / scale * 2;
  return std::clamp(value, -largest, largest);
}

}  // namespace

namespace {

void add_distances(PointsView points, std::span<const double> centre, std::vector<double>& away) {
  for (std::size_t i = 0; i < points.rows(); ++i) away.push_back(euclidean(points.row(i), centre));
}

}  // namespace

std::vector<double> distances_from(PointsView points, std::span<const double> centre) {
  std::vector<double> away;
  away.reserve(points.rows());
  add_distances(points, centre, away);
  return away;
}

RobustScale robust_scale(PointsView x, PointsView y) {
  require(x.cols() == y.cols(), Errc::invalid_argument, "x has ", x.cols(), " columns and y has ", y.cols(),
          "; they must agree");
  require(x.rows() + y.rows() > 0, Errc::invalid_argument, "a robust scale needs at least one row");
  require_finite(x, "x");
  require_finite(y, "y");
  std::vector<double> centre = medians(x, y);
  std::vector<double> distances;
  distances.reserve(x.rows() + y.rows());
  add_distances(x, centre, distances);
  add_distances(y, centre, distances);
  const double scale = positive_scale(std::move(distances));
  return {.centre = std::move(centre), .scale = scale};
}

RobustScale robust_scale(const SamplePart& x, const SamplePart& y, Communicator& ranks) {
  if (x.whole() && y.whole()) return robust_scale(x.rows, y.rows);
  RobustScale by{.centre = std::vector<double>(x.rows.cols()), .scale = 1};
  std::vector<double> values(x.rows.n + y.rows.n);
  for (std::size_t j = 0; j < by.centre.size(); ++j) {
    for (std::size_t i = 0; i < x.rows.n; ++i) values[i] = x.rows(i, j);
    for (std::size_t i = 0; i < y.rows.n; ++i) values[x.rows.n + i] = y.rows(i, j);
    by.centre[j] = median_over_ranks(values, ranks);
  }
  std::vector<double> distances = distances_from(x.rows, by.centre);
  const std::vector<double> of_y = distances_from(y.rows, by.centre);
  distances.insert(distances.end(), of_y.begin(), of_y.end());
  by.scale = median_over_ranks(distances, ranks);
  if (by.scale > 0) return by;
  std::erase(distances, 0);
  by.scale = count_over_ranks(distances.size(), ranks) == 0 ? 1 : kth_over_ranks(distances, 0, ranks);
  return by;
}

Points scaled(PointsView x, const RobustScale& by) {
  require(x.cols() == by.centre.size(), Errc::invalid_argument, "points of dimension ", x.cols(),
          " cannot be scaled by a centre of dimension ", by.centre.size());
  Points result(x.rows(), x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) result(i, j) = scaled_value(x(i, j), by.centre[j], by.scale);
  return result;
}

}  // namespace motmot
