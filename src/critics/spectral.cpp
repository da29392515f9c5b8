#include "critics/spectral.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace motmot {
namespace {

constexpr double unit = 0x1p-53;  ///< of rounding, in double
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Columns of a matrix, one after the other.
struct Columns {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;

  [[nodiscard]] std::span<double> operator[](std::size_t c) {
    return std::span(values).subspan(c * rows, rows);
  }
  [[nodiscard]] std::span<const double> operator[](std::size_t c) const {
    return std::span(values).subspan(c * rows, rows);
  }
};

/// The columns of the tall one of the matrix and its transpose.
Columns tall_columns(std::span<const double> matrix, std::size_t rows, std::size_t cols) {
  assert(matrix.size() == rows * cols);
  if (rows < cols) return {.rows = cols, .cols = rows, .values = {matrix.begin(), matrix.end()}};
  Columns result{.rows = rows, .cols = cols, .values = std::vector<double>(matrix.size())};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) result[c][r] = matrix[r * cols + c];
  return result;
}

Columns identity(std::size_t n) {
  Columns result{.rows = n, .cols = n, .values = std::vector<double>(n * n)};
  for (std::size_t i = 0; i < n; ++i) result[i][i] = 1;
  return result;
}

/// Eight sums side by side: the processor need not wait for one addition before it starts the next. No
/// product enters more additions than in a single sum, so that sum's error bound holds.
double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 8> sum{};
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// An upper bound of the error of a computed sum of `terms` products whose absolute values sum to about
/// `absolute`: gamma = k u / (1 - k u) with room for the rounding of `absolute` itself, and for underflow.
double sum_error(std::size_t terms, double absolute) {
  const auto k = static_cast<double>(terms + 4);
  return 2 * k * unit * absolute + k * std::numeric_limits<double>::min();
}

void rotate(std::span<double> p, std::span<double> q, double cosine, double sine) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double old = p[i];
    p[i] = cosine * old - sine * q[i];
    q[i] = sine * old + cosine * q[i];
  }
}

/// Makes columns p and q of A orthogonal; false when they already were.
bool orthogonalise(Columns& a, Columns& v, std::size_t p, std::size_t q) {
  const double alpha = dot(a[p], a[p]), beta = dot(a[q], a[q]), gamma = dot(a[p], a[q]);
  if (!(std::abs(gamma) > 4 * unit * std::sqrt(alpha * beta))) return false;
  const double zeta = (beta - alpha) / (2 * gamma);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1 / std::hypot(1.0, tangent);
  rotate(a[p], a[q], cosine, cosine * tangent);
  rotate(v[p], v[q], cosine, cosine * tangent);
  return true;
}

/// Rotates the columns of A until they are orthogonal to each other: A becomes A V.
Columns jacobi(Columns& a) {
  constexpr int most_sweeps = 40;
  Columns v = identity(a.cols);
  bool rotated = true;
  for (int sweep = 0; sweep < most_sweeps && rotated; ++sweep) {
    rotated = false;
    for (std::size_t p = 0; p + 1 < a.cols; ++p)
      for (std::size_t q = p + 1; q < a.cols; ++q)
        if (orthogonalise(a, v, p, q)) rotated = true;
  }
  return v;
}

/// A V as computed, and a bound of the Frobenius norm of its error.
struct Product {
  Columns value;
  double error = 0;
};

Product product(const Columns& a, const Columns& v) {
  Columns sum{.rows = a.rows, .cols = v.cols, .values = std::vector<double>(a.rows * v.cols)};
  double squares = 0;
  std::vector<double> absolute(a.rows);
  for (std::size_t c = 0; c < v.cols; ++c) {
    std::ranges::fill(absolute, 0.0);
    for (std::size_t k = 0; k < a.cols; ++k) {
      for (std::size_t r = 0; r < a.rows; ++r) {
        sum[c][r] += a[k][r] * v[c][k];
        absolute[r] += std::abs(a[k][r] * v[c][k]);
      }
    }
    for (const double entry : absolute) squares += std::pow(sum_error(a.cols, entry), 2);
  }
  return {.value = std::move(sum), .error = 2 * std::sqrt(squares)};
}

/// Largest row sum of |B^T B - shift I|, rounded up.
double gram_row_sum(const Columns& b, double shift) {
  double largest = 0;
  std::vector<double> norms(b.cols);
  for (std::size_t i = 0; i < b.cols; ++i) norms[i] = std::sqrt(dot(b[i], b[i]));
  for (std::size_t i = 0; i < b.cols; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < b.cols; ++j) {
      const double entry = std::abs(dot(b[i], b[j]) - (i == j ? shift : 0));
      sum += entry + sum_error(b.rows, norms[i] * norms[j] + shift);  // Cauchy and Schwarz
    }
    largest = std::max(largest, sum + sum_error(b.cols, sum));
  }
  return largest;
}

}  // namespace

double spectral_norm_bound(std::span<const double> matrix, std::size_t rows, std::size_t cols) {
  const Columns a = tall_columns(matrix, rows, cols);
  Columns rotated = a;
  const Columns v = jacobi(rotated);
  const double off = gram_row_sum(v, 1);
  if (!(off < 0.5)) return infinity;
  const Product b = product(a, v);
  const double bound = (std::sqrt(gram_row_sum(b.value, 0)) + b.error) / std::sqrt(1 - off);
  if (!std::isfinite(bound)) return infinity;
  return bound * (1 + 16 * unit);
}

}  // namespace motmot
