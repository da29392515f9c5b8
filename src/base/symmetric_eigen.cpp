#include "base/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace motmot {
namespace {

/// Takes entry (p, q) to 0 by a rotation of these two coordinates; the same rotation of the vectors.
void rotate(std::vector<double>& a, std::vector<double>& vectors, std::size_t n, std::size_t p,
            std::size_t q) {
  const double apart = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const double tangent = (apart >= 0 ? 1 : -1) / (std::abs(apart) + std::hypot(apart, 1));
  const double c = 1 / std::hypot(tangent, 1), s = tangent * c;
  const auto turn = [&](double& x, double& y) {
    const double before = x;
    x = c * before - s * y;
    y = s * before + c * y;
  };
  for (std::size_t k = 0; k < n; ++k) turn(a[k * n + p], a[k * n + q]);
  for (std::size_t k = 0; k < n; ++k) turn(a[p * n + k], a[q * n + k]);
  for (std::size_t k = 0; k < n; ++k) turn(vectors[p * n + k], vectors[q * n + k]);
  a[p * n + q] = a[q * n + p] = 0;
}

double off_diagonal(const std::vector<double>& a, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) sum += a[i * n + j] * a[i * n + j];
  return sum;
}

}  // namespace

EigenPairs symmetric_eigen(std::vector<double> a, std::size_t n) {
  std::vector<double> vectors(n * n);
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
  const double whole = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  constexpr double small = 1e-30;
  constexpr int most_sweeps = 60;
  for (int sweep = 0; sweep < most_sweeps && off_diagonal(a, n) > small * whole; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q)
        if (a[p * n + q] != 0) rotate(a, vectors, n, p, q);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return a[i * n + i]; });
  EigenPairs pairs;
  for (const std::size_t i : order) {
    pairs.values.push_back(a[i * n + i]);
    pairs.vectors.insert(pairs.vectors.end(), vectors.data() + i * n, vectors.data() + (i + 1) * n);
  }
  return pairs;
}

}  // namespace motmot
