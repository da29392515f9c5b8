#include "inference/company.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "data/units.hpp"
#include "data/without.hpp"
#include "inference/score_gap.hpp"
#include "inference/tails.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Thrown where progress said stop, caught where the public functions return.
struct Stopped {};

template <class T>
std::vector<T> unless_stopped(std::vector<T> found) {
  if (found.empty()) throw Stopped{};
  return found;
}

/// Nobody knows how many passes there will be: each takes half of what is left.
class Passes {
 public:
  explicit Passes(const Progress& progress) : progress_(progress) {}
  Progress next() {
    if (!progress_) return {};
    const double from = done_;
    done_ = (1 + done_) / 2;
    return [this, from, to = done_](double done) { return progress_(from + (to - from) * done); };
  }

 private:
  const Progress& progress_;
  double done_ = 0;
};

/// A sample and what its passes need.
struct Sample {
  PointsView points;
  bool is_tied = false;  ///< more than a quarter of the rows have a twin: counts, categories
  double step = 0;       ///< if tied: the median distance to the nearest distinct row
  bool is_line = false;  ///< one column has nearly all of the spread, or there is no other
};

/// Columns that count, by how the squared spread is shared out: 1 if one has all of it, d if all have the
/// same. Below 1.5 rows lie along a line, whatever the number of columns.
bool spread_along_a_line(PointsView points) {
  double sum = 0, squares = 0;
  for (const double spread : robust_spreads(points, points)) {
    sum += spread * spread;
    squares += std::pow(spread, 4);
  }
  return points.d == 1 || sum * sum < 1.5 * squares;
}

Sample look_at(PointsView points, Team& team, Passes& passes) {
  constexpr double many_twins = 0.25;
  const Twins twins = find_twins(points);
  if (static_cast<double>(twins.rows) <= many_twins * static_cast<double>(points.n))
    return {.points = points, .is_line = spread_along_a_line(points)};
  const std::vector<double> nearest = unless_stopped(nearest_distinct(points, twins, team, passes.next()));
  return {
      .points = points, .is_tied = true, .step = median_of(nearest), .is_line = spread_along_a_line(points)};
}

/// floor(tau n), where rounding must not lose a row of tau n = 30.
std::size_t budget_of(std::size_t n, double tau) {
  if (n < least_rows_for_company) return 0;
  return static_cast<std::size_t>(tau * static_cast<double>(n) * (1 + 1e-12));
}

/// The neighbour whose distance is the score: the first that a group of tau n rows does not have among
/// itself.
std::size_t neighbour_of(std::size_t n, double tau) {
  const double share = tau * static_cast<double>(n) * (1 - 1e-12);
  return std::min(static_cast<std::size_t>(std::ceil(share)) + 1, n - 1);
}

/// Small scores count as if they were larger: ties are no gaps.
double floor_of(std::span<const double> scores) {
  constexpr double share_of_median = 0.3;
  std::vector<double> positive;
  std::ranges::copy_if(scores, std::back_inserter(positive), [](double s) { return s > 0; });
  return positive.empty() ? 1 : share_of_median * median_of(std::move(positive));
}

std::vector<double> log_scores(std::span<const double> scores) {
  const double floor = floor_of(scores);
  std::vector<double> logs(scores.size());
  std::ranges::transform(scores, logs.begin(), [&](double s) { return std::log(s + floor); });
  return logs;
}

/// Where most scores are 0, the slope of those that are not and not among the `most` largest.
double slope_of_positive(std::span<const double> logs, std::span<const double> scores, std::size_t most) {
  constexpr std::size_t fewest = 5;
  std::vector<double> positive;
  for (std::size_t i = 0; i < logs.size(); ++i)
    if (scores[i] > 0) positive.push_back(logs[i]);
  if (positive.size() < most + fewest) return 0;
  std::ranges::sort(positive);
  positive.resize(positive.size() - most);
  return (sorted_quantile(positive, 0.8) - sorted_quantile(positive, 0.5)) / std::log(0.5 / (1 - 0.8));
}

/// No tail is taken to be lighter than this.
constexpr double least_slope = 0.03;

double slope_of(std::span<const double> logs, std::span<const double> scores, std::size_t most) {
  double slope = body_slope(logs, most);
  if (slope == 0 || median_of({scores.begin(), scores.end()}) == 0)
    slope = std::max(slope, slope_of_positive(logs, scores, most));
  return std::max(slope, least_slope);
}

/// The least gap between logarithms of scores. Along a line the scores of a tail hang together. With more
/// rows above it, a gap of the same significance is smaller.
double least_gap(bool is_line, std::size_t most) {
  if (is_line) return 0.3;
  return 0.1 * std::min(1.0, 40 / static_cast<double>(most));
}

/// The rows of a sample of which `most` may be left out, by one pass of the rule.
Rows rows_of_one_pass(const Sample& sample, PointsView points, std::size_t k, std::size_t most,
                      std::span<const double> scores, Team& team, Passes& passes) {
  const std::vector<double> logs = log_scores(scores);
  GapRule rule{.most = most,
               .need = least_gap(sample.is_line, most),
               .slope = slope_of(logs, scores, most),
               .need_in_score = 2 * sample.step};
  if (Rows found = above_gap(logs, scores, rule); !found.empty()) return found;
  // Modes of unequal spread hide a compact group: each row against its own neighbourhood.
  const std::size_t around = std::min(2 * k, points.n - 1);
  const double floor = floor_of(scores);
  std::vector<double> lifted(scores.begin(), scores.end());
  for (double& s : lifted) s += floor;
  std::vector<double> relative =
      unless_stopped(medians_over_nearest(points, around, lifted, team, passes.next()));
  for (std::size_t i = 0; i < points.n; ++i) relative[i] = std::log(lifted[i] / relative[i]);
  rule.alpha = 0.001;
  rule.least = std::max<std::size_t>(1, (most + 1) / 2);
  if (!sample.is_line) rule.need *= 2;
  rule.slope = std::max(body_slope(relative, most), least_slope);
  return above_gap(relative, scores, rule);
}

/// The rule for one sample alone. Outliers of several magnitudes hide one another, hence passes until one
/// finds nothing. `scores`: those of the first pass.
Rows rows_above_gaps(const Sample& sample, double tau, std::span<const double> scores, Team& team,
                     Passes& passes) {
  const std::size_t budget = budget_of(sample.points.n, tau);
  Rows out;
  Rows found = rows_of_one_pass(sample, sample.points, neighbour_of(sample.points.n, tau), budget, scores,
                                team, passes);
  while (!found.empty()) {
    out.insert(out.end(), found.begin(), found.end());
    std::ranges::sort(out);
    if (out.size() >= budget) break;
    const Points rest = without(sample.points, out);
    const Rows numbers = rows_without(sample.points.n, out);
    const std::size_t left = budget - out.size();
    const std::array<std::size_t, 1> k{left + 1};
    const auto again = unless_stopped(kth_distances(rest, k, team, passes.next()));
    found = rows_of_one_pass(sample, rest, k.front(), left, again.front(), team, passes);
    for (std::uint32_t& row : found) row = numbers[row];
  }
  return out;
}

/// The highest `count` rows by score, ascending.
Rows highest(std::span<const double> scores, std::size_t count) {
  Rows order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  });
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

/// First-pass scores of one sample at several taus; empty where nothing may be left out.
std::vector<std::vector<double>> scores_at(PointsView points, std::span<const double> taus, Team& team,
                                           Passes& passes) {
  std::vector<std::vector<double>> scores(taus.size());
  std::vector<std::size_t> ks;
  for (const double tau : taus)
    if (budget_of(points.n, tau) > 0) ks.push_back(neighbour_of(points.n, tau));
  std::vector<std::size_t> distinct = ks;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (ks.empty()) return scores;
  const auto found = unless_stopped(kth_distances(points, distinct, team, passes.next()));
  for (std::size_t t = taus.size() - ks.size(); t < taus.size(); ++t) {
    const auto at = std::ranges::find(distinct, ks[t + ks.size() - taus.size()]) - distinct.begin();
    scores[t] = found[static_cast<std::size_t>(at)];
  }
  return scores;
}

/// What is left out of both samples at one tau, given the scores of the first pass.
PerSample<Rows> rows_left_out(const PerSample<Sample>& samples, const PerSample<double>& tau,
                              const PerSample<std::span<const double>>& scores, Team& team, Passes& passes) {
  PerSample<Rows> out;
  if (!scores.x.empty()) out.x = rows_above_gaps(samples.x, tau.x, scores.x, team, passes);
  if (!scores.y.empty()) out.y = rows_above_gaps(samples.y, tau.y, scores.y, team, passes);
  if (!out.x.empty() || !out.y.empty() || samples.x.is_tied || samples.y.is_tied) return out;
  // Along a line the scores of a tail hang together: the standard errors would be too small.
  if (scores.x.empty() || scores.y.empty() || samples.x.is_line || samples.y.is_line) return out;
  const PerSample<std::size_t> count =
      rows_beyond_the_other_tail({{log_scores(scores.x), budget_of(samples.x.points.n, tau.x)},
                                  {log_scores(scores.y), budget_of(samples.y.points.n, tau.y)}});
  return {highest(scores.x, count.x), highest(scores.y, count.y)};
}

Rows by_remoteness(std::size_t n, const Rows& left_out, std::span<const double> scores) {
  Rows order(n);
  std::iota(order.begin(), order.end(), 0u);
  if (scores.empty()) return order;
  std::vector<bool> is_out(n);
  for (const std::uint32_t row : left_out) is_out[row] = true;
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    if (is_out[i] != is_out[j]) return bool{is_out[i]};
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  });
  return order;
}

Company company_of(std::size_t n, Rows left_out, std::vector<double> scores) {
  Rows order = by_remoteness(n, left_out, scores);
  return {.left_out = std::move(left_out), .score = std::move(scores), .by_remoteness = std::move(order)};
}

void require_shares(const PerSample<double>& tau) {
  for (const double share : {tau.x, tau.y})
    require(share >= 0 && share < 0.5, Errc::invalid_argument, "tau must lie in [0, 1/2), got ", share);
}

PerSample<Company> keep_company_or_throw(PointsView x, PointsView y, const PerSample<double>& tau, Team& team,
                                         Passes& passes) {
  PerSample<std::vector<double>> scores{scores_at(x, std::array{tau.x}, team, passes).front(),
                                        scores_at(y, std::array{tau.y}, team, passes).front()};
  const PerSample<Sample> samples{scores.x.empty() ? Sample{.points = x} : look_at(x, team, passes),
                                  scores.y.empty() ? Sample{.points = y} : look_at(y, team, passes)};
  PerSample<Rows> out = rows_left_out(samples, tau, {scores.x, scores.y}, team, passes);
  return {company_of(x.n, std::move(out.x), std::move(scores.x)),
          company_of(y.n, std::move(out.y), std::move(scores.y))};
}

/// Those of `rows` for which the test says yes, in their order.
template <class Test>
Rows rows_where(const Rows& rows, Team& team, const Test& test) {
  std::vector<char> chosen(rows.size());
  team.run(rows.size(), [&](std::size_t i, std::size_t) { chosen[i] = test(rows[i]) ? 1 : 0; });
  Rows found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (chosen[i] != 0) found.push_back(rows[i]);
  return found;
}

/// Those of `rows` that have three of the others within reach, themselves not counted.
Rows rows_with_company(PointsView z, const Rows& rows, PointsView other, const Rows& others, double reach,
                       Team& team) {
  return rows_where(rows, team, [&](std::uint32_t row) {
    std::size_t missing = 3;
    for (std::size_t j = 0; j < others.size() && missing > 0; ++j) {
      const bool is_itself = z.data == other.data && others[j] == row;
      if (!is_itself && euclidean(z.row(row), other.row(others[j])) <= reach) --missing;
    }
    return missing == 0;
  });
}

/// Those of `rows` within reach of a centre.
Rows rows_near(PointsView z, const Rows& rows, const Rows& centres, double reach, Team& team) {
  return rows_where(rows, team, [&](std::uint32_t row) {
    return std::ranges::any_of(centres,
                               [&](std::uint32_t c) { return euclidean(z.row(row), z.row(c)) <= reach; });
  });
}

constexpr std::array<double, 9> grid_of_tau{.01, .02, .03, .05, .075, .1, .15, .2, .25};

}  // namespace

PerSample<Company> keep_company(PointsView x, PointsView y, const PerSample<double>& tau, Team& team,
                                const Progress& progress) {
  require_shares(tau);
  Passes passes(progress);
  try {
    return keep_company_or_throw(x, y, tau, team, passes);
  } catch (const Stopped&) {
    return {company_of(x.n, {}, {}), company_of(y.n, {}, {})};
  }
}

LyingTogether lying_together(PointsView z, const Company& company, PointsView other, Team& team) {
  const Rows& out = company.left_out;
  const std::size_t fewest = std::max<std::size_t>(5, (z.n + 99) / 100);
  if (out.size() < fewest) return {};
  const double reach = median_of(without(std::span<const double>(company.score), out));
  const Rows cores = rows_with_company(z, out, z, out, reach, team);
  if (cores.size() < fewest) return {};
  // The outer rows of a group have fewer others around them than its core.
  LyingTogether together{.rows = rows_near(z, out, cores, 2 * reach, team)};
  const Rows all = rows_without(other.n, {});
  together.met = rows_with_company(z, together.rows, other, all, reach, team).size();
  return together;
}

std::span<const double> tau_grid() noexcept { return grid_of_tau; }

std::vector<TauGridPoint> company_over_tau(PointsView x, PointsView y, Team& team, const Progress& progress) {
  Passes passes(progress);
  try {
    const auto scores_x = scores_at(x, grid_of_tau, team, passes),
               scores_y = scores_at(y, grid_of_tau, team, passes);
    const PerSample<Sample> samples{scores_x.back().empty() ? Sample{.points = x} : look_at(x, team, passes),
                                    scores_y.back().empty() ? Sample{.points = y} : look_at(y, team, passes)};
    std::vector<TauGridPoint> grid;
    for (std::size_t t = 0; t < grid_of_tau.size(); ++t) {
      const double tau = grid_of_tau[t];
      grid.push_back({tau, rows_left_out(samples, {tau, tau}, {scores_x[t], scores_y[t]}, team, passes)});
    }
    return grid;
  } catch (const Stopped&) {
    return {};
  }
}

namespace {

/// The longest run of counts that differ by at most 20 % of the largest, or by two.
Plateau longest_plateau(std::span<const std::size_t> counts) {
  Plateau best;
  for (std::size_t first = 0; first < counts.size(); ++first) {
    std::size_t low = counts[first], high = low, last = first;
    if (low == 0) continue;
    for (std::size_t t = first; t < counts.size() && counts[t] > 0; ++t) {
      low = std::min(low, counts[t]);
      high = std::max(high, counts[t]);
      if (5 * (high - low) > high && high - low > 2) break;
      last = t;
    }
    const bool is_longer = best.rows == 0 || last - first > best.last - best.first;
    if (last > first && is_longer) best = {.first = first, .last = last, .rows = counts[first]};
  }
  return best;
}

}  // namespace

PerSample<Plateau> plateau(std::span<const TauGridPoint> grid, double largest_tau) {
  PerSample<std::vector<std::size_t>> counts;
  for (const TauGridPoint& point : grid) {
    if (point.tau > largest_tau) break;
    counts.x.push_back(point.left_out.x.size());
    counts.y.push_back(point.left_out.y.size());
  }
  return {longest_plateau(counts.x), longest_plateau(counts.y)};
}

}  // namespace motmot
