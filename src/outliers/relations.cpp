#include "outliers/relations.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "data/units.hpp"

namespace motmot {
namespace {

/// The lower triangle C of a positive definite matrix C C', row by row.
std::vector<double> cholesky(std::vector<double> a, std::size_t d) {
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = j; i < d; ++i) {
      double sum = a[i * d + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
      a[i * d + j] = i == j ? std::sqrt(sum) : sum / a[j * d + j];
    }
  return a;
}

/// C^-1 v.
void solve_lower(std::span<const double> factor, std::span<double> v) {
  const std::size_t d = v.size();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < i; ++k) v[i] -= factor[i * d + k] * v[k];
    v[i] /= factor[i * d + i];
  }
}

/// (C C')^-1, column by column.
std::vector<double> inverse_of(std::span<const double> factor, std::size_t d) {
  std::vector<double> inverse(d * d);
  for (std::size_t j = 0; j < d; ++j) {
    const std::span<double> v = std::span(inverse).subspan(j * d, d);
    v[j] = 1;
    solve_lower(factor, v);
    for (std::size_t i = d; i-- > 0;) {
      for (std::size_t k = i + 1; k < d; ++k) v[i] -= factor[k * d + i] * v[k];
      v[i] /= factor[i * d + i];
    }
  }
  return inverse;
}

/// Correlations drawn towards 0, and a little on the diagonal: no column is a sum of others exactly.
void shrink(std::vector<double>& covariance, std::size_t d, std::size_t rows) {
  const double share = std::clamp(0.1 * static_cast<double>(d) / static_cast<double>(rows), 1e-6, 0.9);
  std::vector<double> diagonal(d);
  for (std::size_t j = 0; j < d; ++j) diagonal[j] = covariance[j * d + j];
  const double typical = std::max(1e-3, median_of(diagonal));
  for (double& value : covariance) value *= 1 - share;
  for (std::size_t j = 0; j < d; ++j) covariance[j * d + j] = diagonal[j] + 1e-3 * typical;
}

}  // namespace

double wrapped(double z) {
  constexpr double b = 1.5, c = 4, q1 = 1.540793, q2 = 0.8622731;  // their table 1
  const double size = std::abs(z);
  if (size < b) return z;
  return size < c ? std::copysign(q1 * std::tanh(q2 * (c - size)), z) : 0;
}

Relations::Relations(PointsView points, std::span<const std::uint32_t> kept)
    : d_(points.d), kept_(kept.begin(), kept.end()), means_(points.d) {
  for (std::size_t j = 0; j < d_; ++j) {
    std::vector<double> values;
    for (const std::uint32_t row : kept_) values.push_back(points(row, j));
    spreads_.push_back(robust_spread(values));
    medians_.push_back(median_of(std::move(values)));
  }
  std::vector<double> cells;  // wrapped
  for (const std::uint32_t row : kept_)
    for (const double z : standard(points.row(row))) cells.push_back(wrapped(z));
  const auto rows = static_cast<double>(kept_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) means_[i % d_] += cells[i] / rows;
  std::vector<double> covariance(d_ * d_);
  for (std::size_t r = 0; r < kept_.size(); ++r)
    for (std::size_t i = 0; i < d_; ++i) {
      const double a = (cells[r * d_ + i] - means_[i]) / rows;
      for (std::size_t j = 0; j <= i; ++j) covariance[i * d_ + j] += a * (cells[r * d_ + j] - means_[j]);
    }
  for (std::size_t i = 0; i < d_; ++i)
    for (std::size_t j = 0; j < i; ++j) covariance[j * d_ + i] = covariance[i * d_ + j];
  shrink(covariance, d_, kept_.size());
  factor_ = cholesky(std::move(covariance), d_);
  inverse_ = inverse_of(factor_, d_);
}

std::vector<double> Relations::standard(std::span<const double> row) const {
  std::vector<double> z(d_);
  for (std::size_t j = 0; j < d_; ++j) z[j] = spreads_[j] == 0 ? 0 : (row[j] - medians_[j]) / spreads_[j];
  return z;
}

Points Relations::decorrelated(PointsView points) const {
  Points found(points.n, d_);
  for (std::size_t i = 0; i < points.n; ++i) {
    const std::vector<double> z = standard(points.row(i));
    for (std::size_t j = 0; j < d_; ++j) found(i, j) = z[j] - means_[j];
    solve_lower(factor_, found.row(i));
  }
  return found;
}

std::vector<double> Relations::residuals(PointsView points, std::size_t j) const {
  const std::span<const double> weights = std::span(inverse_).subspan(j * d_, d_);
  std::vector<double> found(points.n);
  for (std::size_t i = 0; i < points.n; ++i) {
    for (std::size_t k = 0; k < d_; ++k)
      if (spreads_[k] != 0) found[i] += weights[k] * (points(i, k) - medians_[k]) / spreads_[k];
    found[i] *= spreads_[j] / weights[j];
  }
  std::vector<double> usual;
  for (const std::uint32_t row : kept_) usual.push_back(found[row]);
  const double middle = median_of(std::move(usual));
  for (double& value : found) value -= middle;
  return found;
}

}  // namespace motmot
