#include "motmot/gan/metrics.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"

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

/// The root of a symmetric positive matrix; eigenvalues that rounding made negative count as zero.
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
  const double mean = mean_of(values);
  return {.value = mean,
          .standard_error = sd_of(values, mean) / std::sqrt(static_cast<double>(blocks)),
          .blocks = blocks};
}

Detection detection(std::span<const double> scores, std::span<const std::uint8_t> marked, std::size_t top) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(marked, 1));
  Detection result{.top = top > 0 ? std::min(top, scores.size()) : positives};
  if (positives == 0 || positives == scores.size()) return result;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return scores[i]; });
  std::size_t found = 0;
  for (std::size_t i = 0; i < result.top; ++i) found += marked[order[i]];
  result.precision = static_cast<double>(found) / static_cast<double>(result.top);
  result.recall = static_cast<double>(found) / static_cast<double>(positives);
  double wins = 0, above = 0;  // marked rows with a higher score than the group at hand
  for (std::size_t i = 0; i < order.size();) {
    double tied_marked = 0, tied_others = 0;
    for (const double score = scores[order[i]]; i < order.size() && scores[order[i]] == score; ++i)
      (marked[order[i]] != 0 ? tied_marked : tied_others) += 1;
    wins += tied_others * (above + tied_marked / 2);
    above += tied_marked;
  }
  result.auc = wins / (static_cast<double>(positives) * static_cast<double>(scores.size() - positives));
  return result;
}

Interval bootstrap(std::span<const double> values, std::uint64_t seed) {
  require(!values.empty(), Errc::invalid_argument, "an interval needs at least one value");
  constexpr std::size_t resamples = 10000;
  const auto n = static_cast<std::uint32_t>(values.size());
  std::vector<double> means(resamples);
  for (std::size_t r = 0; r < resamples; ++r) {
    Rng rng(seed, Purpose::gan_bootstrap, r);
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += values[rng.below(n)];
    means[r] = sum / n;
  }
  std::ranges::sort(means);
  return {
      .mean = mean_of(values), .low = sorted_quantile(means, 0.025), .high = sorted_quantile(means, 0.975)};
}

Interval paired_bootstrap(std::span<const double> a, std::span<const double> b, std::uint64_t seed) {
  require(a.size() == b.size(), Errc::invalid_argument, "pairs need as many values on both sides; got ",
          a.size(), " and ", b.size());
  std::vector<double> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), std::minus<>());
  return bootstrap(differences, seed);
}

}  // namespace motmot::gan
