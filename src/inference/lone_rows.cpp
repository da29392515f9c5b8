#include "inference/lone_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "data/units.hpp"
#include "data/without.hpp"
#include "inference/company.hpp"
#include "inference/score_gap.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot {
namespace {

using Rows = std::vector<std::uint32_t>;

/// What the rule takes into account of a sample.
struct Traits {
  bool is_tied = false;
  double step = 0;               ///< if tied: the median distance to the nearest distinct row
  std::uint32_t commonest = 0;   ///< if tied: the row that is there most often
  std::size_t others = 0;        ///< if tied: rows that differ from it
  std::optional<double> lift{};  ///< what scores are lifted by at most: a step that the other sample told
  double dimension =
      1;  ///< in which rows spread: less than the number of columns along curves, or where one column rules
  /// Along a line or a curve, whatever the number of columns.
  [[nodiscard]] bool is_line() const { return dimension < 1.5; }
};

Traits ties_of(PointsView points, Team& team, Passes& passes) {
  constexpr double many_twins = 0.25;
  const Twins twins = find_twins(points);
  if (static_cast<double>(twins.rows) <= many_twins * static_cast<double>(points.n)) return {};
  const std::vector<double> nearest = unless_stopped(nearest_distinct(points, twins, team, passes.next()));
  return {.is_tied = true,
          .step = median_of(nearest),
          .commonest = twins.first,
          .others = points.n - twins.largest};
}

/// floor(tau n), where rounding must not lose a row of tau n = 30.
std::size_t budget_of(std::size_t n, double tau) {
  if (n < least_rows_for_company) return 0;
  return static_cast<std::size_t>(tau * static_cast<double>(n) * (1 + 1e-12));
}

std::size_t neighbour_of(std::size_t n, double tau) {
  const double share = tau * static_cast<double>(n) * (1 - 1e-12);
  return std::min(static_cast<std::size_t>(std::ceil(share)) + 1, n - 1);
}

/// Distances from some rows of a sample to their k-th nearest row of the whole, each k asked for once.
class Distances {
 public:
  Distances(PointsView some, PointsView points, std::vector<std::size_t> ks, Team& team, Passes& passes)
      : ks_(std::move(ks)) {
    std::ranges::sort(ks_);
    ks_.erase(std::unique(ks_.begin(), ks_.end()), ks_.end());
    found_ = unless_stopped(kth_distances_to(some, points, ks_, team, passes.next()));
  }
  [[nodiscard]] const std::vector<double>& of(std::size_t k) const {
    return found_[static_cast<std::size_t>(std::ranges::lower_bound(ks_, k) - ks_.begin())];
  }

 private:
  std::vector<std::size_t> ks_;
  std::vector<std::vector<double>> found_;
};

/// Rows that stand for a large sample where the whole of it need not be looked at.
constexpr std::size_t rows_for_dimension = 500;
constexpr std::size_t rows_for_neighbourhoods = 1000;

Points chosen_rows(PointsView points, const Rows& rows) {
  return without(points, rows_without(points.n, rows));
}

/// In D dimensions the distance to the k-th neighbour grows like k^(1/D): D for each pair of numbers of
/// neighbours.
std::vector<double> dimensions_of(PointsView points, std::span<const std::size_t> ks,
                                  std::span<const std::size_t> wider, Team& team, Passes& passes) {
  const Points some = chosen_rows(points, spread_rows(points, rows_for_dimension));
  std::vector<std::size_t> counts;  // the row itself is its own nearest
  for (const std::size_t k : ks) counts.push_back(k + 1);
  for (const std::size_t k : wider) counts.push_back(k + 1);
  const Distances distances(some, points, counts, team, passes);
  const double most = static_cast<double>(points.d);
  std::vector<double> dimensions;
  for (std::size_t t = 0; t < ks.size(); ++t) {
    std::vector<double> growth;
    for (std::size_t i = 0; i < some.rows(); ++i)
      if (const double near = distances.of(ks[t] + 1)[i]; near > 0)
        growth.push_back(std::log(distances.of(wider[t] + 1)[i] / near));
    const double typical = growth.empty() ? 0 : median_of(std::move(growth));
    const double more = std::log(static_cast<double>(wider[t]) / static_cast<double>(ks[t]));
    dimensions.push_back(typical > 0 && more > 0 ? std::clamp(more / typical, 1.0, most) : most);
  }
  return dimensions;
}

/// Columns that count, by how the squared spread is shared out: 1 if one has all of it, d if all have the
/// same.
double columns_that_count(PointsView points) {
  const std::vector<double> spreads = robust_spreads(points, points);
  const double largest = std::ranges::max(spreads);
  if (largest == 0) return static_cast<double>(points.d);
  double sum = 0, squares = 0;
  for (const double spread : spreads) {
    const double share = (spread / largest) * (spread / largest);
    sum += share;
    squares += share * share;
  }
  return sum * sum / squares;
}

double floor_of(std::span<const double> scores) {
  constexpr double share_of_median = 0.3;
  std::vector<double> positive;
  std::ranges::copy_if(scores, std::back_inserter(positive), [](double s) { return s > 0; });
  return positive.empty() ? 1 : share_of_median * median_of(std::move(positive));
}

std::vector<double> lifted(std::span<const double> scores) {
  const double floor = floor_of(scores);
  std::vector<double> sums(scores.begin(), scores.end());
  for (double& s : sums) s += floor;
  return sums;
}

std::vector<double> logs_above(double floor, std::span<const double> scores) {
  std::vector<double> logs(scores.begin(), scores.end());
  for (double& s : logs) s = std::log(s + floor);
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

double slope_of(std::span<const double> logs, std::span<const double> scores, std::size_t most) {
  const double slope = body_slope(logs, most);
  if (slope > 0 && median_of({scores.begin(), scores.end()}) > 0) return slope;
  return std::max(slope, slope_of_positive(logs, scores, most));
}

/// No tail is taken to be lighter than this. Along a line the body of tied data says little of their tail.
double least_slope(const Traits& traits) { return traits.is_tied && traits.is_line() ? 0.5 : 0.03; }

/// Steps of tied data that are no gap yet: along a line two empty values in a row are common in a tail.
double least_steps(const Traits& traits) { return traits.is_line() ? 4 : 2; }

/// The least gap between logarithms of scores that counts. With more rows above it a gap of the same
/// significance is smaller; the steps of tied data do not grow finer with the number of rows.
double least_gap(const Traits& traits, std::size_t most) {
  return traits.is_tied ? 0.1 : 0.1 * std::min(1.0, 40 / static_cast<double>(most));
}

/// Along a line the scores of a tail hang together.
double least_gap_on_a_line(const Traits& traits, std::size_t most) {
  const double least = 0.4 * std::pow(std::min(1.0, 30 / static_cast<double>(most)), 0.75);
  return traits.is_tied ? std::max(least, 0.3) : least;
}

/// Between the two for samples that are more or less like a line: entirely up to dimension 1.5, not at all
/// from 2 on.
double least_gap_between(const Traits& traits, std::size_t most) {
  const double likeness = std::clamp(2 * (2 - traits.dimension), 0.0, 1.0);
  return std::pow(least_gap_on_a_line(traits, most), likeness) *
         std::pow(least_gap(traits, most), 1 - likeness);
}

GapRule first_rule(const Traits& traits, std::span<const double> logs, std::span<const double> scores,
                   std::size_t most) {
  return {.most = most,
          .need = least_gap_between(traits, most),
          .slope = std::max(slope_of(logs, scores, most), least_slope(traits)),
          .need_in_score = least_steps(traits) * traits.step,
          .place = body_place(logs, most)};
}

/// Of scores relative to those around: stricter, since it is the second test, and for groups of half the
/// budget on.
GapRule second_rule(const Traits& traits, std::span<const double> relative, std::size_t most) {
  return {.most = most,
          .least = std::max<std::size_t>(1, (most + 1) / 2),
          .alpha = 0.001,
          .need = traits.is_line() ? least_gap_on_a_line(traits, most) : 2 * least_gap(traits, most),
          .slope = std::max(body_slope(relative, most), least_slope(traits)),
          .need_in_score = least_steps(traits) * traits.step};
}

/// A pass whose scores are known.
struct Pass {
  Traits traits{};
  std::size_t k = 0;     ///< the neighbour whose distance is the score
  std::size_t most = 0;  ///< rows that may be left out
  std::vector<double> scores{};
  std::vector<double> other{};  ///< scores of the other sample in units of its body: GapRule::other
};

std::vector<double> log_scores(const Pass& pass) {
  const double floor = floor_of(pass.scores);
  return logs_above(std::min(floor, pass.traits.lift.value_or(floor)), pass.scores);
}

Rows above_first_gap(const Pass& pass) {
  const std::vector<double> logs = log_scores(pass);
  GapRule rule = first_rule(pass.traits, logs, pass.scores, pass.most);
  rule.other = pass.other;
  return above_gap(logs, pass.scores, rule);
}

std::vector<double> scores_in_units(const Pass& pass) {
  const std::vector<double> logs = log_scores(pass);
  return in_units(logs, first_rule(pass.traits, logs, pass.scores, pass.most));
}

/// Rows that stand out of their neighbourhood, for several passes over the same points.
std::vector<Rows> above_second_gap(PointsView points, std::span<const Pass> all, Team& team, Passes& passes) {
  if (all.empty()) return {};
  const Rows left = rows_without(points.n, spread_rows(points, rows_for_neighbourhoods));
  const Points others = without(points, left);
  std::vector<std::size_t> counts;
  std::vector<std::vector<double>> sums, sums_of_others;
  for (const Pass& pass : all) {  // twice k neighbours of the whole sample
    const std::size_t around = std::min(2 * pass.k, points.n - 1) * others.rows() / points.n;
    counts.push_back(std::min(around + 1, others.rows()));
    sums.push_back(lifted(pass.scores));
    sums_of_others.push_back(without(std::span<const double>(sums.back()), left));
  }
  auto relative =
      unless_stopped(medians_over_nearest(points, others, counts, sums_of_others, team, passes.next()));
  std::vector<Rows> found;
  for (std::size_t t = 0; t < all.size(); ++t) {
    for (std::size_t i = 0; i < points.n; ++i) relative[t][i] = std::log(sums[t][i] / relative[t][i]);
    found.push_back(
        above_gap(relative[t], all[t].scores, second_rule(all[t].traits, relative[t], all[t].most)));
  }
  return found;
}

/// `found` and what later passes find: each looks at the rows and the budget that are left, until one finds
/// nothing.
Rows with_later_passes(PointsView points, const LoneRows& lone, const Pass& first, Team& team,
                       Passes& passes) {
  Rows out, found = lone.rows;
  while (!found.empty()) {
    out.insert(out.end(), found.begin(), found.end());
    std::ranges::sort(out);
    if (out.size() >= lone.most) break;
    const Points rest = without(points, out);
    const Rows numbers = rows_without(points.n, out);
    Pass pass{.traits = first.traits,
              .k = lone.most - out.size() + 1,
              .most = lone.most - out.size(),
              .other = first.other};
    pass.scores = unless_stopped(kth_distances(rest, std::array{pass.k}, team, passes.next())).front();
    found = above_first_gap(pass);
    if (found.empty()) found = above_second_gap(rest, std::array{pass}, team, passes).front();
    for (std::uint32_t& row : found) row = numbers[row];
  }
  return out;
}

/// The first pass at each tau that lets a row be left out, with the place of the tau.
struct FirstPass {
  std::size_t at = 0;
  Pass pass{};
};

std::vector<FirstPass> first_passes(PointsView points, std::span<const double> taus, Team& team,
                                    Passes& passes) {
  std::vector<FirstPass> first;
  std::vector<std::size_t> ks, wider;
  for (std::size_t t = 0; t < taus.size(); ++t) {
    const std::size_t most = budget_of(points.n, taus[t]);
    if (most == 0) continue;
    ks.push_back(neighbour_of(points.n, taus[t]));
    wider.push_back(neighbour_of(points.n, 2 * taus[t]));
    first.push_back({.at = t, .pass = {.k = ks.back(), .most = most}});
  }
  if (first.empty()) return first;
  const auto distances = unless_stopped(kth_distances(points, ks, team, passes.next()));
  const Traits traits = ties_of(points, team, passes);
  const std::vector<double> dimensions = dimensions_of(points, ks, wider, team, passes);
  const double columns = columns_that_count(points);
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i].pass.traits = traits;
    first[i].pass.traits.dimension = std::min(dimensions[i], columns);
    first[i].pass.scores = distances[i];
  }
  return first;
}

}  // namespace

std::vector<double> log_scores(std::span<const double> scores) {
  return logs_above(floor_of(scores), scores);
}

namespace {

/// One for each of `taus` taus.
std::vector<LoneRows> lone_rows(PointsView points, std::size_t taus, std::span<const FirstPass> first,
                                Team& team, Passes& passes) {
  std::vector<LoneRows> lone(taus);
  std::vector<Pass> without_gap;
  std::vector<std::size_t> places;
  for (const auto& [at, pass] : first) {
    lone[at] = {.most = pass.most,
                .rows = above_first_gap(pass),
                .scores = pass.scores,
                .is_tied = pass.traits.is_tied,
                .dimension = pass.traits.dimension};
    if (!lone[at].rows.empty()) continue;
    without_gap.push_back(pass);
    places.push_back(at);
  }
  const std::vector<Rows> second = above_second_gap(points, without_gap, team, passes);
  for (std::size_t i = 0; i < places.size(); ++i) lone[places[i]].rows = second[i];
  for (const auto& [at, pass] : first)
    lone[at].rows = with_later_passes(points, lone[at], pass, team, passes);
  return lone;
}

/// Where no more rows differ from the commonest one than may be wrong, the nearest distinct row may be a
/// wrong one and says nothing of a step. If the other sample is mostly one row, too, the step is no more than
/// the distance between the two.
std::optional<double> told_step(const Pass& own, PointsView points, const Pass& other, PointsView others) {
  if (!own.traits.is_tied || own.traits.others > own.most || 2 * other.traits.others >= others.n) return {};
  if (!other.traits.is_tied) return {};
  const double apart = euclidean(points.row(own.traits.commonest), others.row(other.traits.commonest));
  return apart > 0 && apart < own.traits.step ? std::optional(apart) : std::nullopt;
}

/// The passes, each with what the other sample's pass at the same tau says.
std::vector<FirstPass> held_against(std::vector<FirstPass> passes, PointsView points,
                                    std::span<const FirstPass> of_others, PointsView others) {
  for (const FirstPass& other : of_others)
    for (FirstPass& own : passes) {
      if (own.at != other.at) continue;
      own.pass.other = scores_in_units(other.pass);
      own.pass.traits.lift = told_step(own.pass, points, other.pass, others);
      own.pass.traits.step = own.pass.traits.lift.value_or(own.pass.traits.step);
    }
  return passes;
}

}  // namespace

std::vector<LoneRows> lone_rows(PointsView points, std::span<const double> taus, Team& team, Passes& passes) {
  return lone_rows(points, taus.size(), first_passes(points, taus, team, passes), team, passes);
}

PerSample<std::vector<LoneRows>> lone_rows(const PerSample<PointsView>& samples,
                                           const PerSample<std::span<const double>>& taus, Team& team,
                                           Passes& passes) {
  const std::vector<FirstPass> of_x = first_passes(samples.x, taus.x, team, passes);
  const std::vector<FirstPass> of_y = first_passes(samples.y, taus.y, team, passes);
  const std::vector<FirstPass> beside_y = held_against(of_x, samples.x, of_y, samples.y),
                               beside_x = held_against(of_y, samples.y, of_x, samples.x);
  return {lone_rows(samples.x, taus.x.size(), beside_y, team, passes),
          lone_rows(samples.y, taus.y.size(), beside_x, team, passes)};
}

}  // namespace motmot
