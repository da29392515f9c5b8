#include "report/plane.hpp"

#include <algorithm>
#include <cmath>

#include "data/robust_scale.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_rows = 1000;
constexpr int rounds = 80;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// Length 1; false for a row at the centre.
bool normalise(std::span<double> v) {
  double largest = 0;
  for (const double value : v) largest = std::max(largest, std::abs(value));
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  for (double& value : v) value /= largest;
  const double length = std::sqrt(dot(v, v));
  for (double& value : v) value /= length;
  return true;
}

void add_signs(PointsView points, const std::vector<double>& centre, std::vector<double>& signs) {
  const std::size_t used = std::min(points.n, most_rows);
  std::vector<double> row(points.d);
  for (std::size_t i = 0; i < used; ++i) {
    const auto from = points.row(i * points.n / used);
    for (std::size_t j = 0; j < points.d; ++j) row[j] = from[j] - centre[j];
    if (normalise(row)) signs.insert(signs.end(), row.begin(), row.end());
  }
}

/// v becomes orthogonal to `other`, and of length 1.
void orthonormalise(std::vector<double>& v, const std::vector<double>& other) {
  const double along = dot(v, other);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] -= along * other[j];
  if (normalise(v)) return;
  // Nothing is left: any direction across will do.
  const auto least = std::ranges::min_element(other, {}, [](double c) { return std::abs(c); });
  v.assign(other.size(), 0);
  v[static_cast<std::size_t>(least - other.begin())] = 1;
  const double again = dot(v, other);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] -= again * other[j];
  normalise(v);
}

std::vector<double> covariance_times(const std::vector<double>& signs, const std::vector<double>& v) {
  std::vector<double> product(v.size());
  for (std::size_t i = 0; i < signs.size(); i += v.size()) {
    const std::span row(signs.data() + i, v.size());
    const double along = dot(row, v);
    for (std::size_t j = 0; j < v.size(); ++j) product[j] += along * row[j];
  }
  return product;
}

/// The coordinate that counts most points up, so that equal data look equal.
void fix_sign(std::vector<double>& v) {
  const auto most = std::ranges::max_element(v, {}, [](double c) { return std::abs(c); });
  if (*most >= 0) return;
  for (double& c : v) c = -c;
}

}  // namespace

std::array<double, 2> Plane::operator()(std::span<const double> row) const {
  std::array<double, 2> at{};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < row.size(); ++j) at[k] += axes[k][j] * (row[j] - centre[j]);
  return at;
}

Plane robust_plane(PointsView x, PointsView y) {
  Plane plane{.centre = robust_scale(x, y).centre};
  std::vector<double> signs;
  add_signs(x, plane.centre, signs);
  add_signs(y, plane.centre, signs);
  auto& [first, second] = plane.axes;
  for (std::size_t j = 0; j < x.d; ++j) {
    first.push_back(std::cos(static_cast<double>(j) + 1));
    second.push_back(std::sin(1.7 * static_cast<double>(j) + 1));
  }
  normalise(first);
  orthonormalise(second, first);
  for (int round = 0; round < rounds && !signs.empty(); ++round) {  // orthogonal iteration
    std::vector<double> next = covariance_times(signs, first);
    if (normalise(next)) first = std::move(next);
    second = covariance_times(signs, second);
    orthonormalise(second, first);
  }
  fix_sign(first);
  fix_sign(second);
  return plane;
}

}  // namespace motmot
