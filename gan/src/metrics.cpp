#include "motmot/gan/metrics.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace motmot::gan {
namespace {

torch::Tensor matrix(PointsView points) {
  // from_blob takes a mutable pointer; nothing here writes to it.
  return torch::from_blob(const_cast<double*>(points.data),
                          {static_cast<std::int64_t>(points.n), static_cast<std::int64_t>(points.d)},
                          torch::kFloat64);
}

torch::Tensor covariance(const torch::Tensor& x) {
  const torch::Tensor centred = x - x.mean(0);
  return centred.t().matmul(centred) / static_cast<double>(x.size(0) - 1);
}

/// Of a symmetric positive matrix; rounding below zero is cut off.
torch::Tensor root(const torch::Tensor& matrix) {
  const auto [values, vectors] = torch::linalg_eigh(matrix, "L");
  return (vectors * values.clamp_min(0).sqrt()).matmul(vectors.t());
}

double kernel_sum(const torch::Tensor& x, const torch::Tensor& y, bool same) {
  const torch::Tensor k = (x.matmul(y.t()) / static_cast<double>(x.size(1)) + 1).pow(3);
  const auto n = static_cast<double>(x.size(0)), m = static_cast<double>(y.size(0));
  if (same) return (k.sum() - k.diagonal().sum()).item<double>() / (n * (n - 1));
  return k.sum().item<double>() / (n * m);
}

void check(PointsView a, PointsView b) {
  require(a.d == b.d, Errc::invalid_argument, "features of ", a.d, " and of ", b.d,
          " numbers cannot be compared");
  require(a.n >= 2 && b.n >= 2, Errc::invalid_argument, "at least 2 images are needed on each side; got ",
          a.n, " and ", b.n);
}

}  // namespace

double frechet_distance(PointsView a, PointsView b) {
  check(a, b);
  const torch::Tensor x = matrix(a), y = matrix(b);
  const torch::Tensor cov_x = covariance(x), cov_y = covariance(y), half = root(cov_x);
  const torch::Tensor between = half.matmul(cov_y).matmul(half);
  const torch::Tensor values = torch::linalg_eigvalsh((between + between.t()) / 2, "L");
  const torch::Tensor distance = (x.mean(0) - y.mean(0)).square().sum() + cov_x.trace() + cov_y.trace() -
                                 2 * values.clamp_min(0).sqrt().sum();
  return distance.item<double>();
}

KernelDistance kernel_distance(PointsView a, PointsView b, std::size_t block) {
  check(a, b);
  const torch::Tensor x = matrix(a), y = matrix(b);
  const std::size_t rows = std::min({block, a.n, b.n}), blocks = std::min(a.n, b.n) / rows;
  std::vector<double> values;
  for (std::size_t k = 0; k < blocks; ++k) {
    const auto first = static_cast<std::int64_t>(k * rows), count = static_cast<std::int64_t>(rows);
    const torch::Tensor xs = x.narrow(0, first, count), ys = y.narrow(0, first, count);
    values.push_back(kernel_sum(xs, xs, true) + kernel_sum(ys, ys, true) - 2 * kernel_sum(xs, ys, false));
  }
  KernelDistance result{.blocks = blocks};
  for (const double value : values) result.value += value / static_cast<double>(blocks);
  double squares = 0;
  for (const double value : values) squares += (value - result.value) * (value - result.value);
  if (blocks > 1)
    result.standard_error =
        std::sqrt(squares / static_cast<double>(blocks - 1) / static_cast<double>(blocks));
  return result;
}

}  // namespace motmot::gan
