#include "inference/permuted.hpp"

#include <algorithm>

#include "base/statistics.hpp"
#include "inference/columns.hpp"

namespace motmot {
namespace {

PointsView dealt(const std::vector<double>& values, std::size_t d) {
  return {values.data(), values.size() / d, d};
}

/// The variance of W1 about its mean where one solution has to do. To first order W1 moves by the mean of the
/// potentials of the rows drawn, whose sd is an upper estimate where the laws agree: the potential is fitted
/// to the rows. Measured, sampling sd / that: 0.60 to 0.97 in 24 of 30 cases (Gaussian, t3, five clusters, d
/// = 2 to 50, n = 500 and 2000), median 0.68.
double variance_by_potentials(const Transport& solved) {
  constexpr double measured = 0.7;
  const auto part = [](std::span<const double> potential) {
    const double spread = measured * sd_of(potential, mean_of(potential));
    return spread * spread / static_cast<double>(potential.size());
  };
  return part(solved.u) + part(solved.v);
}

}  // namespace

// The stream of step 0 draws blocks.
std::vector<Labelling> draw_labellings(std::size_t n, std::size_t m, std::size_t first, std::size_t count,
                                       std::uint64_t seed, Team& team) {
  std::vector<Labelling> labellings(count);
  team.run(count, [&](std::size_t b, std::size_t) {
    Rng rng(seed, Purpose::permutation, first + b + 1);
    labellings[b] = random_labelling(n, m, rng);
  });
  return labellings;
}

PermutedSolves::PermutedSolves(PointsView x, PointsView y, const PermutedPlan& plan, std::uint64_t seed,
                               Team& team)
    : x_(x),
      y_(y),
      plan_(plan),
      labellings_(draw_labellings(x.n, y.n, plan.first, plan.count, seed, team)),
      buffers_(team.size()),
      solved_(plan.count) {}

void PermutedSolves::solve(std::size_t b, std::size_t worker, const Progress& progress) {
  if (solved_[b]) return;
  Buffers& buffers = buffers_[worker];
  deal(labellings_[b], buffers);
  const PointsView x = dealt(buffers.x, x_.d), y = dealt(buffers.y, x_.d);
  const bool want_plan = b < plan_.plans;
  const Transport solved =
      transport(buffers.workspace, x, y, {}, {},
                {.want_plan = want_plan, .want_potentials = plan_.variances, .progress = progress});
  if (solved.status == TransportStatus::stopped) return;
  solved_[b] = PermutedSolve{.w1 = solved.cost,
                             .variance = plan_.variances ? variance_by_potentials(solved) : 0,
                             .columns = want_plan ? column_costs(x, y, solved.plan) : std::vector<double>()};
}

void PermutedSolves::deal(const Labelling& called_x, Buffers& buffers) const {
  buffers.x.clear();
  buffers.y.clear();
  auto next = called_x.begin();
  for (std::uint32_t row = 0; row < x_.n + y_.n; ++row) {
    const std::span<const double> point = row < x_.n ? x_.row(row) : y_.row(row - x_.n);
    const bool of_x = next != called_x.end() && *next == row;
    if (of_x) ++next;
    std::vector<double>& to = of_x ? buffers.x : buffers.y;
    to.insert(to.end(), point.begin(), point.end());
  }
}

std::vector<double> PermutedSolves::mean_columns(std::size_t permutations) const {
  const std::size_t plans = std::min(permutations, plan_.plans);
  std::vector<double> mean(x_.d, 0.0);
  for (std::size_t b = 0; b < plans; ++b)
    for (std::size_t k = 0; k < mean.size(); ++k)
      mean[k] += solved_[b]->columns[k] / static_cast<double>(plans);
  return mean;
}

double PermutedSolves::mean_variance(std::size_t permutations) const {
  std::vector<double> variances(permutations);
  for (std::size_t b = 0; b < permutations; ++b) variances[b] = solved_[b]->variance;
  return mean_of(variances);
}

}  // namespace motmot
