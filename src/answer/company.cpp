#include "answer/company.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "answer/columns.hpp"
#include "answer/copies.hpp"
#include "answer/subsampling.hpp"
#include "answer/what_ifs.hpp"
#include "base/statistics.hpp"
#include "critics/model.hpp"
#include "data/without.hpp"
#include "inference/interval.hpp"
#include "inference/needed.hpp"
#include "inference/noise.hpp"
#include "inference/population.hpp"
#include "neighbours/neighbours.hpp"
#include "tables/coding.hpp"

namespace motmot {
namespace {

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  text.precision(3);
  (text << ... << parts);
  return text.str();
}

std::string rows_of(std::size_t count, char sample) {
  return sentence(count, count == 1 ? " row of " : " rows of ", sample);
}

// ------------------------------------------------------------------------------------------------ warnings

using Warnings = std::vector<Warning>;

Warnings about_size(char sample, std::size_t n, double tau) {
  if (n < least_rows_for_company)
    return {{WarningCode::few_rows, sentence(sample, " has ", n, n == 1 ? " row" : " rows",
                                             ": too few to tell which stand alone, so none was left out")}};
  if (tau > 0 && share_of(tau, n) == 0)
    return {{WarningCode::nothing_can_go, sentence(100 * tau, " % of the ", n, " rows of ", sample,
                                                   " is less than one row: none can be left out (--tau ",
                                                   1.0 / static_cast<double>(n), " allows one)")}};
  return {};
}

/// Where no difference could be seen: two samples of n and m rows can be dealt in C(n + m, n) ways, of which
/// those of equal size come in pairs.
Warnings about_test(const Noise& noise, std::size_t n, std::size_t m) {
  constexpr double significance = 0.05;
  const double by_chance = 1 / (1 + static_cast<double>(noise.permutations));
  double by_rows = n == m ? 2 : 1;
  for (std::size_t k = 1; k <= std::min(n, m); ++k)
    by_rows *= static_cast<double>(k) / static_cast<double>(std::max(n, m) + k);
  if (by_rows > significance)
    return {{WarningCode::few_rows, sentence("too few rows for a verdict: p is ", by_rows,
                                             " at least, however far apart the samples are")}};
  if (by_chance > significance)
    return {{WarningCode::few_rows, sentence("too few permutations for a verdict: p is ", by_chance,
                                             " at least (--permutations 19 allows 0.05)")}};
  return {};
}

/// "(0, 0, 3.5, ...)", "(Paris, 3.5)"
std::string shown(std::span<const double> row, const Coding& coding) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t first = 0;
  for (std::size_t k = 0; k < std::min(coding.columns.size(), most); ++k) {
    const CodedColumn& column = coding.columns[k];
    text += text.empty() ? "(" : ", ";
    text += coding.is_plain() ? sentence(row[k]) : decoded(row.subspan(first, column.width()), column);
    first += column.width();
  }
  return text + (coding.columns.size() > most ? ", ...)" : ")");
}

/// One row many times over, where rows do not repeat otherwise. Rows of categories alone do.
Warnings about_copies(char sample, PointsView points, const Coding& coding) {
  const auto is_category = [](const CodedColumn& column) { return column.kind == Kind::category; };
  if (std::ranges::all_of(coding.columns, is_category)) return {};
  const Twins twins = find_twins(points);
  const std::size_t n = points.rows(), many = std::max<std::size_t>(10, n / 100);
  if (twins.largest < many || !one_row_repeats(twins) || twins.largest == n) return {};
  return {{WarningCode::identical_rows,
           sentence(twins.largest, " rows of ", sample, " are ", shown(points.row(twins.first), coding),
                    ", other rows do not repeat: a default value, or copies?")}};
}

/// "50 rows of X and 20 of Y", X first whichever sample went in first.
std::string rows_of_both(std::size_t x, std::size_t y, const SampleNames& names) {
  if (names.x > names.y) return rows_of_both(y, x, {names.y, names.x});
  if (x == 0) return rows_of(y, names.y);
  return y == 0 ? rows_of(x, names.x) : sentence(rows_of(x, names.x), " and ", y, " of ", names.y);
}

Warnings about_tau(const TauPoint& other, double value, const SampleNames& names) {
  constexpr double moves = 0.05;
  if (!other.value || std::abs(*other.value - value) <= moves * std::max(*other.value, value)) return {};
  return {{WarningCode::tau_small,
           sentence(rows_of_both(other.x, other.y, names), other.x + other.y == 1 ? " stands" : " stand",
                    " apart if up to ", 100 * other.tau, " % may be wrong: the distance would be ",
                    *other.value, " instead of ", value, " (--tau ", other.tau, ")")}};
}

/// Rows without a gap that carry the distance. Without them it is compared with what it would be if they
/// carried no more than in mixed rows: squares of what chance gives and of what is real add up.
Warnings about_remote_rows(const WhatIfs& found, std::span<const ProfilePoint> profile, double value,
                           const SampleNames& names) {
  if (!found.mixed || profile.empty()) return {};
  const ProfilePoint& end = profile.back();
  const double real = std::max(0.0, value * value - found.mixed->whole * found.mixed->whole);
  const double chance = std::min(value, found.mixed->whole);
  const double expected = std::hypot(std::sqrt(real), found.mixed->left * chance);
  // 4 % of the distance, and three times what chance does to the share that is left in mixed rows. Where the
  // distance grows, rows of both samples met there: modes, not wrong rows.
  if (expected - end.value <= (0.04 + 3 * found.mixed->left_sd) * value) return {};
  return {{WarningCode::remote_rows,
           sentence("the distance is ", end.value, " if the most remote ", rows_of_both(end.x, end.y, names),
                    " are left out; no gap sets them apart, so they were kept")}};
}

/// Rows where the other sample has none, too few or too many of them to be left out. Limits: what was seen in
/// clean samples (docs/results-answer.md).
Warnings about_suspects(const std::optional<double>& without_them, double value,
                        const PerSample<Company>& company, bool more_than_tau, const SampleNames& names) {
  const double moves = more_than_tau ? 0.2 : 0.07;
  if (!without_them || *without_them > (1 - moves) * value) return {};
  return {{WarningCode::remote_rows,
           sentence("the distance is ", *without_them, " if ",
                    rows_of_both(company.x.suspects.size(), company.y.suspects.size(), names),
                    " that lie where the other sample has none are left out; ",
                    more_than_tau ? "they are more than may be wrong" : "chance may have put them there",
                    ", so they were kept")}};
}

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
  return {.value = unit * laws.value, .interval = Interval{unit * laws.low, unit * laws.high}};
}

RowDiagnostics known_of(const Critic& phi, PointsView points, const Company& company, double unit) {
  RowDiagnostics known{.phi = phi(points), .score = company.score};
  for (double& score : known.score) score *= unit;
  known.left_out.assign(points.rows(), false);
  for (const std::uint32_t row : company.left_out) known.left_out[row] = true;
  return known;
}

// ---------------------------------------------------------------------------------------------- other taus

/// Rows of each sample that the grid of tau is looked for in.
constexpr std::size_t grid_rows = 1000;

/// The smallest tau of the grid above the one given that shows a stable number of rows that stand apart, more
/// than were left out. Where rows fill what a tau allows and the next shows two more, it is the next that
/// counts: a tail goes on so, and has no such number.
std::optional<double> larger_tau(const TauGrid& grid, const PerSample<double>& tau,
                                 const PerSample<Company>& company) {
  std::optional<double> larger;
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
    if (t < found.last) larger = std::max(larger.value_or(0), rest[t].tau);
  };
  look(tau.x, company.x, grid.rows.x, [](const auto& both) { return both.x; });
  look(tau.y, company.y, grid.rows.y, [](const auto& both) { return both.y; });
  return larger;
}

/// The taus whose distance is asked for: all of the grid where it was made from all rows, else the larger
/// one.
std::vector<TauGridPoint> asked_taus(const TauGrid& grid, const ScaledSamples& samples,
                                     const PerSample<RowList>& copies, const std::optional<double>& larger,
                                     Team& team, const Progress& progress) {
  std::vector<TauGridPoint> asked;
  if (grid.rows.x == samples.x.rows() && grid.rows.y == samples.y.rows()) asked = grid.points;
  else if (larger) {
    PerSample<Company> company = keep_company(samples.x, samples.y, {*larger, *larger}, team, progress);
    asked = {{*larger, {std::move(company.x.left_out), std::move(company.y.left_out)}}};
  }
  for (auto& [tau, left_out] : asked)
    left_out = {with_copies(left_out.x, copies.x, share_of(tau, samples.x.rows())),
                with_copies(left_out.y, copies.y, share_of(tau, samples.y.rows()))};
  return asked;
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
  const auto twice = [&](Plateau& p, std::size_t n) {
    const double share = static_cast<double>(p.rows) / static_cast<double>(n);
    if (share <= most) return std::max(least, 2 * share);
    p.rows = 0;  // a group of its own, rather
    return least;
  };
  return {{twice(found.x, grid.rows.x), twice(found.y, grid.rows.y)},
          sentence(rows_of(found.x.rows, names.x), " and ", found.y.rows, " of ", names.y,
                   " stand apart: twice their share, at least 2 %")};
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
  const PerSample<RowList> repeated{copies_of_a_row(samples.x, samples.y),
                                    copies_of_a_row(samples.y, samples.x)};
  const PerSample<Company> company{with_copies(alone.x, repeated.x, share_of(tau.tau.x, x.rows())),
                                   with_copies(alone.y, repeated.y, share_of(tau.tau.y, y.rows()))};
  const PerSample<RowList> copies{rows_beside(company.x.left_out, alone.x.left_out),
                                  rows_beside(company.y.left_out, alone.y.left_out)};
  const Sides used = used_rows(samples, company, tau.tau, o.seed);
  const PerSample<Points> kept{used.x.kept(), used.y.kept()};
  const std::optional<double> larger = larger_tau(grid, tau.tau, alone);
  const std::vector<TauGridPoint> other_taus =
      asked_taus(grid, samples, repeated, larger, team, watch.part(0.1, 0.25));
  PermutedSolves permuted = o.permutations == 0u ? PermutedSolves(kept.x, kept.y, {}, o.seed, team)
                                                 : permuted_solves(kept.x, kept.y, noise_options(o), team);
  const PerSample<RowList> suspects{company.x.suspects, company.y.suspects};
  WhatIfs found = ask_what_ifs(
      {used, kept, company.x.are_strangers, together, copies, suspects, other_taus, unit, o.seed}, permuted,
      team, watch);
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
             .tau_path = tau_path(grid, samples, other_taus, found.other_taus),
             .asked = {.why_tau = tau.why, .rows_used = {kept.x.rows(), kept.y.rows()}},
             .run = {.stopped = watch.stopped(), .solves = 1 + found.solves}};
  if (found.lower && found.upper && !watch.stopped()) {
    w.interval = {std::min(*found.lower, w.value), std::max(*found.upper, w.value)};
  }
  const auto say = [&](Warnings warnings) {
    for (Warning& warning : warnings) w.warnings.push_back(std::move(warning));
  };
  say(about_size(names.x, x.rows(), tau.tau.x));
  say(about_size(names.y, y.rows(), tau.tau.y));
  say(about_copies(names.x, x, coding));
  say(about_copies(names.y, y, coding));
  for (const TauPoint& point : w.tau_path)
    if (point.tau == larger) say(about_tau(point, w.value, names));
  for (TauPoint& point : w.tau_path)
    if (point.tau == tau.tau.x && point.tau == tau.tau.y)
      point = {point.tau, w.left_out.x.size(), w.left_out.y.size(), w.value};
  const bool tau_is_small = std::ranges::any_of(
      w.warnings, [](const Warning& warning) { return warning.code == WarningCode::tau_small; });
  const bool more_than_tau = company.x.suspects.size() > share_of(tau.tau.x, x.rows()) ||
                             company.y.suspects.size() > share_of(tau.tau.y, y.rows());
  Warnings remote;
  if (!tau_is_small) remote = about_suspects(found.without_suspects, w.value, company, more_than_tau, names);
  if (w.interval && !o.tau_auto && !tau_is_small && (remote.empty() || !more_than_tau))
    w.interval_certified = CertifiedEnd::lower;
  // Where rows stood alone they are gone: what is still remote then is a tail or a mode in most cases.
  if (!tau_is_small && remote.empty() && company.x.left_out.empty() && company.y.left_out.empty())
    remote = about_remote_rows(found, w.profile, w.value, names);
  say(std::move(remote));
  if (o.keep_rows) w.rows = {known_of(phi, x, company.x, unit), known_of(phi, y, company.y, unit)};
  w.phi = phi;
  w.subsampling = subsampling_of(all, kept, solved.cost, unit, o, team, watch);
  if (noise) {
    say(about_test(*noise, kept.x.rows(), kept.y.rows()));
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
