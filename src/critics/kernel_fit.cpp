#include "critics/kernel_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "critics/exact_problem.hpp"

namespace motmot {
namespace {

constexpr std::array<double, 6> kernel_steps{1, 0.5, 0.25, 0.125, 0.0625, 0};
constexpr std::size_t most_responses = 30;
constexpr double fair_kernel_gap = 1e-2;    // as for the exact critic: from here on steps move the noise
constexpr double least_kernel_gain = 1e-4;  // of the value: below the noise of the partitions

double weighted_sum(std::span<const double> w, std::span<const double> phi) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] > 0) sum += w[i] * phi[i];
  return sum;
}

double weighted_sum(const RowWeights& w, const Phi& phi) {
  return weighted_sum(w.x, phi.x) - weighted_sum(w.y, phi.y);
}

std::vector<std::uint32_t> some_rows(std::size_t n, std::size_t most, Rng rng) {
  std::vector<std::uint32_t> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < std::min(most, n); ++i)
    std::swap(rows[i], rows[i + rng.below(static_cast<std::uint32_t>(n - i))]);
  rows.resize(std::min(most, n));
  return rows;
}

/// The function (1 - length) f + length h on the sphere, where f and h have norm 1 and inner product
/// `cosine`.
double mixed_norm(double length, double cosine) {
  const double rest = 1 - length;
  return std::sqrt(std::max(0.0, rest * rest + length * length + 2 * rest * length * cosine));
}

Phi mixed(Phi phi, const Phi& psi, double length, double norm) {
  const auto mix = [&](double u, double v) { return ((1 - length) * u + length * v) / norm; };
  std::ranges::transform(phi.x, psi.x, phi.x.begin(), mix);
  std::ranges::transform(phi.y, psi.y, phi.y.begin(), mix);
  return phi;
}

}  // namespace

double RowKernel::operator()(std::span<const double> p, std::span<const double> q) const noexcept {
  const double r = euclidean(p, q);
  if (metric == Metric::energy) return -r;
  const double ratio = r / bandwidth;
  return std::exp(-0.5 * ratio * ratio);
}

double robust_bandwidth(PointsView x, PointsView y, std::uint64_t seed, Team& team) {
  constexpr std::size_t most = 1000;
  std::vector<std::span<const double>> rows;
  for (const std::uint32_t i : some_rows(x.rows(), most, Rng(seed, Purpose::bandwidth_x)))
    rows.push_back(x.row(i));
  for (const std::uint32_t j : some_rows(y.rows(), most, Rng(seed, Purpose::bandwidth_y)))
    rows.push_back(y.row(j));
  std::vector<double> medians(rows.size());
  team.run(rows.size(), [&](std::size_t i, std::size_t) {
    std::vector<double> distances;
    distances.reserve(rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (j != i) distances.push_back(euclidean(rows[i], rows[j]));
    medians[i] = median_of(std::move(distances));
  });
  double width = median_of(medians);
  if (!(width > 0)) {  // most rows are alike: those that are not tell the scale
    std::erase_if(medians, [](double median) { return !(median > 0); });
    width = medians.empty() ? 1 : median_of(std::move(medians));
  }
  return width;
}

KernelSums::KernelSums(PointsView x, PointsView y, RowKernel kernel, Team& team)
    : x_(x), y_(y), kernel_(kernel), team_(team) {
  const std::size_t all = x.rows() + y.rows();
  if (all > most_rows_kept) return;
  kept_.resize(all * all);
  team.run(all, [&](std::size_t i, std::size_t) {
    for (std::size_t j = 0; j < all; ++j) kept_[i * all + j] = kernel_(row(i), row(j));
  });
}

KernelSums::Response KernelSums::respond(const RowWeights& w) const {
  const std::size_t n = x_.rows(), all = n + y_.rows();
  std::vector<double> values(all);
  team_.run(all, [&](std::size_t i, std::size_t) {
    const auto at = [&](std::size_t j) {
      return kept_.empty() ? kernel_(row(i), row(j)) : kept_[i * all + j];
    };
    double of_x = 0, of_y = 0;
    for (std::size_t j = 0; j < n; ++j)
      if (w.x[j] > 0) of_x += w.x[j] * at(j);
    for (std::size_t j = n; j < all; ++j)
      if (w.y[j - n] > 0) of_y += w.y[j - n] * at(j);
    values[i] = of_x - of_y;
  });
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(n);
  Response response{.phi = {{values.begin(), middle}, {middle, values.end()}}};
  response.norm = std::sqrt(std::max(0.0, weighted_sum(w, response.phi)));
  for (std::vector<double>* side : {&response.phi.x, &response.phi.y})
    for (double& value : *side) value = response.norm > 0 ? value / response.norm : 0;
  return response;
}

ExactFit fit_kernel(const ExactTask& task, const RowKernel& kernel, Team& team, const Progress& progress) {
  ExactProblem problem(task, team);
  const KernelSums sums(problem.x(), problem.y(), kernel, team);
  PartitionPasses draws = problem.passes(Purpose::blocks_x, Purpose::blocks_y);
  PartitionPasses search = problem.passes(Purpose::line_search_x, Purpose::line_search_y);
  const auto carriers = [&](const Phi& phi) { return draws.weights(phi, problem.weight_partitions(), 0); };
  const auto uniform = [](std::size_t n) { return std::vector<double>(n, 1 / static_cast<double>(n)); };

  // Two starts: the rows that carry the median of a linear function that has far rows out of the way, and
  // all.
  ExactFit fit;
  fit.ascent_steps = 2;
  Phi phi = sums.respond(carriers(problem.start())).phi;
  Phi other = sums.respond({uniform(task.x.rows()), uniform(task.y.rows())}).phi;
  const std::vector<double> starts =
      search.values_between(phi, other, std::array{0.0, 1.0}, problem.search_partitions(), 0);
  if (starts[1] > starts[0]) phi = std::move(other);

  double gap = 0;
  RowWeights w;
  while (true) {
    w = carriers(phi);
    const KernelSums::Response best = sums.respond(w);
    ++fit.ascent_steps;
    const double value = weighted_sum(w, phi);
    gap = best.norm > 0 ? (best.norm - value) / best.norm : 0;  // as a share of what the response promises
    fit.stopped = progress && !progress(std::min(1.0, static_cast<double>(fit.ascent_steps) / 12));
    if (fit.stopped || gap < task.gap_tolerance || fit.ascent_steps >= most_responses) break;
    const double cosine = best.norm > 0 ? value / best.norm : 0;
    std::vector<double> values =
        search.values_between(phi, best.phi, kernel_steps, problem.search_partitions(), 0);
    for (std::size_t s = 0; s < kernel_steps.size(); ++s) {
      const double norm = mixed_norm(kernel_steps[s], cosine);
      values[s] = norm > 0 ? values[s] / norm : 0;
    }
    const auto chosen = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    if (!(values[chosen] - values.back() > least_kernel_gain * std::abs(values.back()))) break;
    phi = mixed(std::move(phi), best.phi, kernel_steps[chosen], mixed_norm(kernel_steps[chosen], cosine));
  }
  fit.stationarity_gap = std::max(0.0, gap);
  fit.settled = !fit.stopped && gap <= fair_kernel_gap;
  fit.w_x = std::move(w.x);
  fit.w_y = std::move(w.y);
  problem.read_out(phi, fit);
  return fit;
}

}  // namespace motmot
