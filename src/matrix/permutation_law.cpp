#include "matrix/permutation_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/log_gamma.hpp"

namespace motmot {

CentredSums centred_sums(std::span<const double> row_sums, double squares) {
  const auto n = static_cast<double>(row_sums.size());
  const double mean = std::accumulate(row_sums.begin(), row_sums.end(), 0.0) / (n * n);
  CentredSums sums{.squares = squares + n * n * mean * mean};
  for (const double row : row_sums) {
    const double diagonal = 2 * row / n - mean;  // D has zeros there
    sums.trace += diagonal;
    sums.diagonal_squares += diagonal * diagonal;
    sums.squares -= 2 * row * row / n;
  }
  return sums;
}

Moments permutation_moments(const CentredSums& a, std::size_t n, std::size_t m) {
  const double x = static_cast<double>(n), all = static_cast<double>(n + m);
  // Chances that 1, 2, 3, 4 given rows are all called X.
  const double p1 = x / all, p2 = p1 * (x - 1) / std::max(1.0, all - 1),
               p3 = p2 * (x - 2) / std::max(1.0, all - 2), p4 = p3 * (x - 3) / std::max(1.0, all - 3);
  const double t = a.trace * a.trace, d = a.diagonal_squares, s = a.squares;
  const double mean = (p1 - p2) * a.trace;
  // The square of sum_i A_ii z_i + sum_{i != j} A_ij z_i z_j, by how many of its rows are distinct.
  const double square = p1 * d + p2 * (t - d) + 2 * (-2 * d * p2 + (2 * d - t) * p3) + 2 * (s - d) * p2 +
                        4 * (2 * d - s) * p3 + (t + 2 * s - 6 * d) * p4;
  const double weight = all / (x * (all - x));  // w = weight (z - n / (n + m))
  return {.mean = weight * weight * mean,
          .variance = std::pow(weight, 4) * std::max(0.0, square - mean * mean)};
}

namespace {

/// The centred matrix in units, its diagonal 0.
std::vector<double> centred_off_diagonal(PointsView rows, double unit) {
  const std::size_t n = rows.n;
  std::vector<double> a(n * n), means(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      a[i * n + j] = a[j * n + i] = euclidean(rows.row(i), rows.row(j)) / unit;
  for (std::size_t i = 0; i < n; ++i)
    means[i] = std::accumulate(&a[i * n], &a[i * n] + n, 0.0) / static_cast<double>(n);
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = i == j ? 0 : means[i] + means[j] - mean - a[i * n + j];
  return a;
}

/// The sum of A_ij A_jk A_ki over all k and j < i: half of tr A^3. A row of A^2 at a time, by rows of A.
double half_cubes(const std::vector<double>& a, std::size_t n) {
  double sum = 0;
  std::vector<double> product(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill_n(product.begin(), i, 0.0);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < i; ++j) product[j] += a[i * n + k] * a[k * n + j];
    sum +=
        std::inner_product(product.begin(), product.begin() + static_cast<std::ptrdiff_t>(i), &a[i * n], 0.0);
  }
  return sum;
}

constexpr double least_skewness = 0.05, most_skewness = 2 * std::numbers::sqrt2;

}  // namespace

double permutation_skewness(PointsView rows, double unit) {
  const auto n = static_cast<double>(rows.n);
  if (rows.n < 3) return most_skewness;
  const std::vector<double> a = centred_off_diagonal(rows, unit);
  const double squares = std::inner_product(a.begin(), a.end(), a.begin(), 0.0) / (n * (n - 1));
  if (!(squares > 0)) return most_skewness;
  const double cubes = 2 * half_cubes(a, rows.n) / (n * (n - 1) * (n - 2));
  return std::clamp(most_skewness * cubes / std::pow(squares, 1.5), least_skewness, most_skewness);
}

double upper_tail(double value, const Moments& moments, double skewness) {
  if (!(moments.variance > 0)) return 1;
  const double shape = 4 / (skewness * skewness), half = 2 / skewness;
  return gamma_tail(shape, half * ((value - moments.mean) / std::sqrt(moments.variance) + half));
}

namespace {

/// x^shape e^-x / Gamma(shape + 1)
double gamma_factor(double shape, double x) {
  return std::exp(shape * std::log(x) - x - log_gamma(shape + 1));
}

/// The lower tail: sum of x^k / ((shape + 1) ... (shape + k)).
double lower_series(double shape, double x) {
  double term = 1, sum = 1;
  for (double k = 1; term > 1e-17 * sum; ++k) sum += term *= x / (shape + k);
  return gamma_factor(shape, x) * sum;
}

/// The upper tail as a continued fraction, from the front (Lentz).
double upper_fraction(double shape, double x) {
  constexpr double tiny = std::numeric_limits<double>::min();
  double b = x + 1 - shape, c = 1 / tiny, d = 1 / b, product = d;
  for (int i = 1; i < 100000; ++i) {
    const double k = i, a = -k * (k - shape);
    b += 2;
    d = a * d + b;
    d = 1 / (d == 0 ? tiny : d);
    c = b + a / c;
    if (c == 0) c = tiny;
    product *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return gamma_factor(shape, x) * shape * product;
}

}  // namespace

double gamma_tail(double shape, double x) {
  if (!(x > 0)) return 1;
  return x < shape + 1 ? std::clamp(1 - lower_series(shape, x), 0.0, 1.0) : upper_fraction(shape, x);
}

}  // namespace motmot
