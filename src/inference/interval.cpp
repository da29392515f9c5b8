#include "inference/interval.hpp"

#include <algorithm>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "critics/min_plus.hpp"
#include "data/robust_scale.hpp"
#include "data/without.hpp"
#include "inference/beside.hpp"

namespace motmot {
namespace {

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// The numbers of the `count` smallest values, ascending; of equal values the first ones.
std::vector<std::uint32_t> smallest(std::span<const double> values, std::size_t count) {
  std::vector<std::uint32_t> rows(values.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](std::uint32_t i, std::uint32_t j) {
                             return values[i] < values[j] || (values[i] == values[j] && i < j);
                           });
  rows.resize(count);
  std::ranges::sort(rows);
  return rows;
}

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

/// phi(z) = min_j |z - y_j| - v_j on all rows, from a solve that left some of them out.
Phi extended(PointsView x, PointsView y, PointsView kept_y, const std::vector<double>& v) {
  Team alone(1);
  const Anchors anchors(kept_y);
  Phi phi{std::vector<double>(x.rows()), std::vector<double>(y.rows())};
  anchors.min_plus(x, v, phi.x, alone);
  anchors.min_plus(y, v, phi.y, alone);
  return phi;
}

/// The W1 that the alternation reaches from `phi`.
double climb(PointsView x, PointsView y, const PerSample<std::size_t>& spare, Phi phi, std::size_t solves,
             const Progress& progress) {
  double best = 0;
  for (std::size_t solve = 0; solve < solves; ++solve) {
    const Points kept_x = without(x, smallest(phi.x, spare.x));
    const Points kept_y = without(y, smallest(negated(phi.y), spare.y));
    const Transport solved = transport(kept_x, kept_y, {}, {}, {.want_plan = false, .progress = progress});
    if (solved.status == TransportStatus::stopped || solved.cost <= best * (1 + 1e-9)) return best;
    best = solved.cost;
    if (solve + 1 < solves) phi = extended(x, y, kept_y, solved.v);
  }
  return best;
}

/// f of every row.
template <class F>
Phi each_row(PointsView x, PointsView y, const F& f) {
  const auto of = [&](PointsView points) {
    std::vector<double> values(points.rows());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = f(points.row(i));
    return values;
  };
  return {of(x), of(y)};
}

/// Functions to start from where samples are small: linear ones along random directions, and distances from
/// the centre of either sample.
std::vector<Phi> more_starts(PointsView x, PointsView y, std::uint64_t seed) {
  std::vector<Phi> starts;
  for (const std::vector<double>& centre : {robust_scale(x, x).centre, robust_scale(y, y).centre})
    starts.push_back(each_row(x, y, [&](std::span<const double> row) { return euclidean(row, centre); }));
  for (std::size_t start = 0; start < 8; ++start) {
    Rng rng(seed, Purpose::upper_end, start);
    std::vector<double> direction(x.cols());
    for (double& part : direction) part = rng.normal();
    starts.push_back(each_row(x, y, [&](std::span<const double> row) {
      return std::inner_product(direction.begin(), direction.end(), row.begin(), 0.0);
    }));
  }
  return starts;
}

}  // namespace

Phi potential(const Transport& solved) { return {solved.u, negated(solved.v)}; }

double certified_lower(PointsView x, PointsView y, const PerSample<std::size_t>& spare, const Phi& phi,
                       const Progress& progress) {
  const PerSample<double> tau{share(spare.x, x.rows()), share(spare.y, y.rows())};
  if (std::max(x.rows(), y.rows()) <= most_rows_solved_for_lower)
    return partial_bound(x, y, tau.x, tau.y, progress);
  return std::max(0.0, (1 - 1e-12) * partial_bound_from(phi.x, phi.y, tau.x, tau.y));
}

double attained_upper(PointsView x, PointsView y, const PerSample<std::size_t>& spare,
                      const Transport& solved, std::size_t solves, std::uint64_t seed,
                      const Progress& progress) {
  double best = std::max(solved.cost, climb(x, y, spare, potential(solved), solves, progress));
  constexpr std::size_t few_rows = 100;
  const bool few = std::min(x.rows(), y.rows()) < few_rows;
  if (!few && best > 0) return best;
  std::vector<Phi> starts = more_starts(x, y, seed);
  if (!few) starts.resize(1);  // equal samples, whose own potential is constant and leads nowhere
  for (Phi& phi : starts) {
    best = std::max(best, climb(x, y, spare, phi, solves, progress));
    best = std::max(
        best, climb(x, y, spare, {negated(std::move(phi.x)), negated(std::move(phi.y))}, solves, progress));
  }
  return best;
}

}  // namespace motmot
