#include "answer/company.hpp"

#include <algorithm>
#include <cmath>

#include "answer/columns.hpp"
#include "answer/copies.hpp"
#include "answer/subsampling.hpp"
#include "answer/warnings.hpp"
#include "answer/what_ifs.hpp"
#include "base/statistics.hpp"
#include "critics/model.hpp"
#include "data/without.hpp"
#include "inference/interval.hpp"
#include "inference/needed.hpp"
#include "inference/noise.hpp"
#include "inference/population.hpp"

namespace motmot {
namespace {

// ------------------------------------------------------------------------------------------------- parts

/// The potential as a function of any row, in the data's units.
Critic critic_of(const ScaledSamples& samples, const Points& kept_y, const Transport& solved) {
  return exact_critic(
      {.anchors = kept_y, .g = solved.v, .centre = samples.by.centre, .scale = samples.by.scale});
}

Floor floor_of(const Noise& noise, const PerSample<Points>& kept, double unit) {
  Floor floor{.level = unit * noise.level,
              .sd = unit * noise.sd,
              .value = unit * noise.value,
              .w1_p_value = noise.w1_p_value,
              .energy_p_value = noise.energy_p_value,
              .kernel_p_value = noise.kernel_p_value,
              .permutations = noise.permutations,
              .rows = {kept.x.rows(), kept.y.rows()},
              .permuted = noise.permuted};
  for (double& value : floor.permuted) value *= unit;
  return floor;
}

Population population_of(const Transport& solved, const Noise& noise, std::size_t d, double unit) {
  const LawDistance laws = population_distance(solved, noise, d);
  Population population{.value = unit * laws.value};
  if (laws.interval) population.interval = Interval{unit * laws.interval->low, unit * laws.interval->high};
  return population;
}

RowDiagnostics known_of(const Critic& phi, PointsView points, const Company& company, double unit,
                        std::uint64_t memory_limit) {
  RowDiagnostics known{.phi = phi(points, memory_limit), .score = company.score};
  for (double& score : known.score) score *= unit;
  known.left_out.assign(points.rows(), false);
  for (const std::uint32_t row : company.left_out) known.left_out[row] = true;
  return known;
}

// ---------------------------------------------------------------------------------------------- other taus

/// Rows of each sample that the grid of tau is looked for in.
constexpr std::size_t grid_rows = 1000;

/// The smallest tau of the grid above the one given that shows a stable number of rows that stand apart, more
/// than were left out; no sample gets a smaller one than it has. Where rows fill what a tau allows and the
/// next shows two more, it is the next that counts: a tail goes on so, and has no such number.
std::optional<PerSample<double>> larger_tau(const TauGrid& grid, const PerSample<double>& tau,
                                            const PerSample<Company>& company) {
  double larger = 0;
  const auto look = [&](double given, const Company& rows, std::size_t of_grid, auto of) {
    const auto above =
        std::ranges::find_if(grid.points, [&](const TauGridPoint& point) { return point.tau > given; });
    const std::span<const TauGridPoint> rest(above, grid.points.end());
    const Plateau found = of(plateau(rest));
    const std::size_t before = rows.left_out.size() * of_grid / rows.by_remoteness.size();
    if (found.rows <= before + std::max<std::size_t>(2, before / 20)) return;
    const auto count = [&](std::size_t t) { return of(rest[t].left_out).size(); };
    std::size_t t = found.first;
    while (t < found.last && count(t) >= share_of(rest[t].tau, of_grid) && count(t + 1) > count(t) + 1) ++t;
    if (t < found.last) larger = std::max(larger, rest[t].tau);
  };
  look(tau.x, company.x, grid.rows.x, [](const auto& both) { return both.x; });
  look(tau.y, company.y, grid.rows.y, [](const auto& both) { return both.y; });
  if (larger == 0) return {};
  return PerSample<double>{std::max(tau.x, larger), std::max(tau.y, larger)};
}

/// The taus whose distance is asked for: all of the grid where it was made from all rows, and the larger
/// ones.
struct AskedTaus {
  std::vector<TauGridPoint> points{};
  std::size_t of_path = 0;              ///< the first of them have one tau for both samples
  std::optional<std::size_t> larger{};  ///< where the larger ones stand
};

AskedTaus asked_taus(const TauGrid& grid, const ScaledSamples& samples, const PerSample<RowList>& copies,
                     const std::optional<PerSample<double>>& larger, Team& team, const Progress& progress) {
  AskedTaus asked;
  const auto add = [&](const PerSample<double>& tau, const PerSample<RowList>& left_out) {
    asked.points.push_back({tau.x,
                            {with_copies(left_out.x, copies.x, share_of(tau.x, samples.x.rows())),
                             with_copies(left_out.y, copies.y, share_of(tau.y, samples.y.rows()))}});
    if (larger && tau == *larger) asked.larger = asked.points.size() - 1;
    if (tau.x == tau.y) asked.of_path = asked.points.size();
  };
  if (grid.rows.x == samples.x.rows() && grid.rows.y == samples.y.rows())
    for (const auto& [tau, left_out] : grid.points) add({tau, tau}, left_out);
  if (larger && !asked.larger) {
    const PerSample<Company> company = keep_company(samples.x, samples.y, *larger, team, progress);
    add(*larger, {company.x.left_out, company.y.left_out});
  }
  return asked;
}

/// What the warning says of the larger taus.
std::optional<LargerTau> answer_at_larger(const std::optional<PerSample<double>>& tau, const AskedTaus& asked,
                                          const WhatIfs& found) {
  if (!tau || !asked.larger) return {};
  return LargerTau{.tau = *tau,
                   .left_out = asked.points[*asked.larger].left_out,
                   .value = found.other_taus[*asked.larger]};
}

/// The grid as it is shown, with the distances that are known.
std::vector<TauPoint> tau_path(const TauGrid& grid, const ScaledSamples& samples,
                               std::span<const TauGridPoint> asked,
                               std::span<const std::optional<double>> values) {
  const auto of_all = [](std::size_t count, std::size_t rows, std::size_t n) {
    return static_cast<std::size_t>(
        std::llround(static_cast<double>(count) * static_cast<double>(n) / static_cast<double>(rows)));
  };
  std::vector<TauPoint> path;
  for (const TauGridPoint& point : grid.points) {
    path.push_back({.tau = point.tau,
                    .x = of_all(point.left_out.x.size(), grid.rows.x, samples.x.rows()),
                    .y = of_all(point.left_out.y.size(), grid.rows.y, samples.y.rows())});
    for (std::size_t i = 0; i < asked.size(); ++i)
      if (asked[i].tau == point.tau)
        path.back() = {point.tau, asked[i].left_out.x.size(), asked[i].left_out.y.size(), values[i]};
  }
  return path;
}

/// The point of the answer itself.
void show_own_tau(Distance& w) {
  for (TauPoint& point : w.tau_path)
    if (point.tau == w.tau_x && point.tau == w.tau_y)
      point = {point.tau, w.left_out.x.size(), w.left_out.y.size(), w.value};
}

}  // namespace

TauGrid look_over_tau(const ScaledSamples& samples, std::uint64_t seed, Team& team,
                      const Progress& progress) {
  const auto some = [](const Points& points, Rng rng) {
    return without(points, rows_without(points.rows(), drawn(points.rows(), grid_rows, rng)));
  };
  const Points x = some(samples.x, Rng(seed, Purpose::subsample_x, 1)),
               y = some(samples.y, Rng(seed, Purpose::subsample_y, 1));
  return {company_over_tau(x, y, team, progress), {x.rows(), y.rows()}};
}

TauGiven find_tau(const DistanceOptions& options, const TauGrid& grid, const SampleNames& names) {
  if (!options.tau_auto) return {.tau = options.tau};
  constexpr double most = 0.1, least = 0.02;
  PerSample<Plateau> found = plateau(grid.points);
  bool is_group = false;
  const auto twice = [&](Plateau& p, std::size_t n) {
    const double share = static_cast<double>(p.rows) / static_cast<double>(n);
    if (share <= most) return std::max(least, 2 * share);
    p.rows = 0;  // a group of its own, rather
    is_group = true;
    return least;
  };
  const PerSample<double> tau{twice(found.x, grid.rows.x), twice(found.y, grid.rows.y)};
  const std::string group = "more than 10 % of a sample stand apart and are taken for a group of its own";
  if (found.x.rows + found.y.rows == 0)
    return {tau, (is_group ? group : "no row stands apart") + ", and 2 % is the least"};
  return {tau, rows_of_both(found.x.rows, found.y.rows, names) +
                   " stand apart: twice their share, at least 2 %" + (is_group ? "; " + group : "")};
}

namespace {

/// Those of `all` that are not among `some`; both ascending.
RowList rows_beside(const RowList& all, const RowList& some) {
  RowList rows;
  std::ranges::set_difference(all, some, std::back_inserter(rows));
  return rows;
}

/// Rows left out that may be a group of their own.
LyingTogether group_left_out(PointsView z, const Company& company, PointsView other, Team& team) {
  return company.are_strangers ? LyingTogether{.rows = company.left_out}
                               : lying_together(z, company, other, team);
}

NoiseOptions noise_options(const DistanceOptions& o) {
  return {.permutations = o.permutations.value_or(0),
          .seed = o.seed,
          .ranks = o.ranks,
          .solve = o.solve_permutations,
          .done = 0.7};
}

/// All rows kept, where those used are some of them.
std::optional<PerSample<Points>> all_kept(const ScaledSamples& samples, const PerSample<Company>& company,
                                          const Sides& used) {
  if (used.x.rows.size() == samples.x.rows() && used.y.rows.size() == samples.y.rows()) return {};
  return PerSample<Points>{without(samples.x, company.x.left_out), without(samples.y, company.y.left_out)};
}

/// Where the rows used are a subsample, the test is of all rows kept.
std::optional<Noise> noise_of(const std::optional<PerSample<Points>>& all, const PerSample<Points>& kept,
                              double value, const DistanceOptions& o, PermutedSolves& permuted, Team& team,
                              Watch& watch) {
  if (o.permutations == 0u || watch.stopped()) return {};
  NoiseOptions options = noise_options(o);
  if (all) options.drawn_from = {all->x, all->y};
  return permutation_noise(kept.x, kept.y, value, options, permuted, team, watch);
}

/// How much larger the distance is than that of all rows, where the rows used are a subsample.
std::optional<Subsampling> subsampling_of(const std::optional<PerSample<Points>>& all,
                                          const PerSample<Points>& kept, double value, double unit,
                                          const DistanceOptions& o, Team& team, Watch& watch) {
  if (!all) return {};
  const auto read = [](std::uint64_t rows, const Points& in_hand) {
    return rows > 0 ? rows : std::uint64_t{in_hand.rows()};
  };
  return look_at_sizes({.x = all->x,
                        .y = all->y,
                        .used = {kept.x.rows(), kept.y.rows()},
                        .read = {read(o.rows_read.x, all->x), read(o.rows_read.y, all->y)},
                        .value = value,
                        .unit = unit,
                        .seed = o.seed},
                       team, watch, 0.9);
}

}  // namespace

Distance company_answer(PointsView x, PointsView y, const Coding& coding, const DistanceOptions& o,
                        const SampleNames& names, Team& team, Watch& watch) {
  const ScaledSamples samples = scale(x, y);
  const double unit = samples.by.scale;
  const TauGrid grid = look_over_tau(samples, o.seed, team, watch.part(0, 0.05));
  const TauGiven tau = find_tau(o, grid, names);
  const PerSample<Company> alone = keep_company(samples.x, samples.y, tau.tau, team, watch.part(0.05, 0.1));
  const PerSample<LyingTogether> together{group_left_out(samples.x, alone.x, samples.y, team),
                                          group_left_out(samples.y, alone.y, samples.x, team)};
  const bool in_both = lie_in_one_place(samples.x, together.x, samples.y, together.y, team);
  const WithLeftOut of_x{x, alone.x.left_out}, of_y{y, alone.y.left_out};
  const PerSample<std::optional<SharedValue>> shared{shared_value(of_x, together.x.rows, of_y, coding),
                                                     shared_value(of_y, together.y.rows, of_x, coding)};
  const PerSample<RowList> repeated{copies_of_a_row(samples.x, samples.y),
                                    copies_of_a_row(samples.y, samples.x)};
  const PerSample<Company> company{with_copies(alone.x, repeated.x, share_of(tau.tau.x, x.rows())),
                                   with_copies(alone.y, repeated.y, share_of(tau.tau.y, y.rows()))};
  const PerSample<RowList> copies{rows_beside(company.x.left_out, alone.x.left_out),
                                  rows_beside(company.y.left_out, alone.y.left_out)};
  const Sides used = used_rows(samples, company, tau.tau, o.seed);
  const PerSample<Points> kept{used.x.kept(), used.y.kept()};
  const std::optional<PerSample<double>> larger = larger_tau(grid, tau.tau, alone);
  const AskedTaus other_taus = asked_taus(grid, samples, repeated, larger, team, watch.part(0.1, 0.25));
  PermutedSolves permuted = o.permutations == 0u ? PermutedSolves(kept.x, kept.y, {}, o.seed, team)
                                                 : permuted_solves(kept.x, kept.y, noise_options(o), team);
  const PerSample<RowList> suspects{company.x.suspects, company.y.suspects};
  WhatIfs found = ask_what_ifs({used, kept, company.x.are_strangers, together, in_both, shared, copies,
                                suspects, other_taus.points, unit, o.seed},
                               permuted, team, watch);
  const Transport& solved = found.solved;
  const Critic phi = critic_of(samples, kept.y, solved);
  const std::optional<PerSample<Points>> all = all_kept(samples, company, used);
  const std::optional<Noise> noise = noise_of(all, kept, solved.cost, o, permuted, team, watch);
  const bool differ = noise && noise->p_value <= 0.05;
  const std::vector<double> floor = noise ? noise->column_floor : std::vector<double>();

  Distance w{.value = unit * solved.cost,
             .plain = found.plain,
             .partial = found.partial,
             .left_out = {company.x.left_out, company.y.left_out},
             .readings = std::move(found.readings),
             .profile = std::move(found.profile),
             .columns = column_moves({kept.x, kept.y, solved.plan, floor, samples.by}, coding, differ),
             .tau_x = tau.tau.x,
             .tau_y = tau.tau.y,
             .tau_path = tau_path(grid, samples, std::span(other_taus.points).first(other_taus.of_path),
                                  found.other_taus),
             .asked = {.why_tau = tau.why, .rows_used = {kept.x.rows(), kept.y.rows()}},
             .run = {.stopped = watch.stopped(), .solves = 1 + found.solves}};
  if (found.lower && found.upper && !watch.stopped()) {
    w.interval = {std::min(*found.lower, w.value), std::max(*found.upper, w.value)};
  }
  const Said said = company_warnings(
      {x, y, coding, names, tau.tau, company, answer_at_larger(larger, other_taus, found), found, w});
  w.warnings = said.warnings;
  if (w.interval && !o.tau_auto && said.lower_end_holds) w.interval_certified = CertifiedEnd::lower;
  show_own_tau(w);
  if (o.keep_rows)
    w.rows = {known_of(phi, x, company.x, unit, o.memory_limit),
              known_of(phi, y, company.y, unit, o.memory_limit)};
  w.phi = phi;
  w.subsampling = subsampling_of(all, kept, solved.cost, unit, o, team, watch);
  if (noise) {
    std::ranges::copy(test_warnings(*noise, kept), std::back_inserter(w.warnings));
    w.verdict = differ ? Verdict::differ : Verdict::not_distinguishable;
    w.p_value = noise->p_value;
    w.floor = floor_of(*noise, kept, unit);
    w.population = population_of(solved, *noise, x.cols(), unit);
    if (const std::optional<Needed> share = needed(kept.x, kept.y, solved, *noise, watch, 0.9))
      w.needed = share->share;
  }
  return w;
}

}  // namespace motmot
