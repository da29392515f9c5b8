#include "inference/noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/require.hpp"
#include "base/spread.hpp"
#include "base/statistics.hpp"
#include "inference/energy.hpp"

namespace motmot {
namespace {

constexpr std::size_t default_permutations = 99;
constexpr std::size_t cheap_permutations = 999;   // where a permutation costs next to nothing
constexpr std::size_t fewest_permutations = 39;   // 5 % means one of them may reach the observed value
constexpr std::size_t floor_plans = 9;            // plans behind the floor of the columns
constexpr std::size_t most_permuted_rows = 2000;  // of either sample
constexpr std::size_t most_cheap_line_rows = 20000;

/// Permutations after which an answer that is plainly "no difference" is taken, and what makes it plain.
constexpr std::array<std::size_t, 2> stages{24, 49};
constexpr std::size_t plain_exceedances = 5;

/// With 20 k - 1 of them p can be 0.05 exactly; any other number would make the test stricter than that. A
/// solve takes its time by the larger sample, also where the other is small.
std::size_t permutations_for(std::size_t n, std::size_t m) {
  constexpr double rows_for_all =
      1000;  // 99 of 1000 x 1000 take a second on two cores, 39 of 2000 x 2000 too
  const double ratio = rows_for_all / static_cast<double>(std::max(n, m));
  const double twenties = static_cast<double>(default_permutations + 1) / 20 * ratio * ratio;
  return std::clamp(20 * std::max<std::size_t>(1, static_cast<std::size_t>(twenties)) - 1,
                    fewest_permutations, default_permutations);
}

/// Divided by the largest, so that no sum of them leaves the range of double.
std::vector<double> relative(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::vector<double> shares(values.begin(), values.end());
  if (largest > 0)
    for (double& share : shares) share /= largest;
  return shares;
}

std::vector<double> standardised(std::span<const double> values) {
  std::vector<double> z = relative(values);
  const double mean = mean_of(z), sd = sd_of(z, mean);
  constexpr double equal = 1e-10;  // the same numbers but for rounding
  for (double& value : z) value = sd > equal ? (value - mean) / sd : 0;
  return z;
}

/// What sums over pairs of so many rows in float32 give: where nothing but their rounding tells the values
/// apart (one row far away decides, whichever sample it is called), they are one. Measured: up to 4e-5 of it
/// between 2000 + 2000 rows, 7e-7 between 12 + 12.
std::vector<double> without_rounding(std::vector<double> values, std::size_t rows) {
  const std::vector<double> shares = relative(values);
  if (sd_of(shares, mean_of(shares)) <= std::min(0x1p-23 * static_cast<double>(rows), 1e-3))
    std::ranges::fill(values, values.front());
  return values;
}

/// The observed value first, then the permuted ones.
double p_value_of(std::span<const double> all) {
  const std::vector<double> z = standardised(all);
  return permutation_p_value(z.front(), std::span(z).subspan(1), rounding_of_sd);
}

/// Level, sd and quantile of the permuted W1.
void describe_permuted(Noise& noise) {
  noise.level = mean_of(noise.permuted);
  noise.sd = sd_of(noise.permuted, noise.level);
  std::vector<double> sorted = noise.permuted;
  std::ranges::sort(sorted);
  noise.quantile95 = sorted_quantile(sorted, 0.95);
}

/// The observed samples, first, and so many permuted ones.
Statistics first_of(const Statistics& all, std::size_t permutations) {
  const auto cut = [&](const std::vector<double>& values) {
    return std::vector(values.begin(),
                       values.begin() + static_cast<std::ptrdiff_t>(values.empty() ? 0 : permutations + 1));
  };
  return {cut(all.w1), cut(all.energy), cut(all.kernel)};
}

/// Squares of distances are skewed to the right, and would outshout W1 in their tails.
std::vector<double> logarithms(std::span<const double> squares) {
  constexpr double least = 1e-6;  // of the largest: an observed 0 is a very small value, not an infinite one
  std::vector<double> logs = relative(squares);
  for (double& value : logs) value = std::log(std::max(value, least));
  return logs;
}

/// The p-values; the rest of the result is the caller's.
Noise joint_test(const Statistics& all) {
  const std::vector<double> largest = joint_statistic(all);
  const auto of_known = [](const std::vector<double>& values) {
    return values.empty() ? std::nullopt : std::optional(p_value_of(values));
  };
  return {.p_value = permutation_p_value(largest.front(), std::span(largest).subspan(1), rounding_of_sd),
          .w1_p_value = of_known(all.w1),
          .energy_p_value = p_value_of(all.energy),
          .kernel_p_value = of_known(all.kernel),
          .permutations = all.energy.size() - 1};
}

std::optional<Noise> line_noise(PointsView x, PointsView y, double observed_w1, const NoiseOptions& options,
                                Team& team, Watch& watch) {
  constexpr std::size_t batch = 50;  // labellings that are there at a time: a million rows have long ones
  const std::size_t cheap = x.n + y.n <= most_cheap_line_rows ? cheap_permutations : default_permutations;
  const std::size_t count = options.permutations > 0 ? options.permutations : cheap;
  Statistics all;
  const auto add = [&](std::span<const Labelling> labellings) {
    const LineStatistics found = line_statistics(x, y, labellings, team);
    all.w1.insert(all.w1.end(), found.w1.begin(), found.w1.end());
    all.energy.insert(all.energy.end(), found.energy.begin(), found.energy.end());
  };
  add(std::array{observed_labelling(x.n)});
  const Progress go_on = watch.part(options.done, options.done);
  for (std::size_t first = 0; first < count; first += batch) {
    if (go_on && !go_on(0)) return {};
    add(draw_labellings(x.n, y.n, first, std::min(batch, count - first), options.seed, team));
  }
  Noise noise = joint_test(all);
  noise.permuted.assign(all.w1.begin() + 1, all.w1.end());
  describe_permuted(noise);
  noise.value = observed_w1;
  noise.rows = {x.n, y.n};
  noise.column_floor = {noise.level};
  return noise;
}

/// Whether the answer after these permutations is plain.
bool is_plain(const Statistics& all) {
  const std::vector<double> largest = joint_statistic(all);
  const auto reach = std::count_if(largest.begin() + 1, largest.end(),
                                   [&](double value) { return value >= largest.front() - rounding_of_sd; });
  return static_cast<std::size_t>(reach) >= plain_exceedances;
}

/// Takes the permutations [first, last) from whoever does them instead.
void take_permuted(PermutedSolves& permuted, std::size_t first, std::size_t last, PointsView x, PointsView y,
                   const NoiseOptions& options) {
  std::vector<PermutedW1> found = options.solve(x, y, options.seed, first, last - first);
  require(found.size() == last - first, Errc::invalid_argument, "the solver of permutations was asked for ",
          last - first, " and gave ", found.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    permuted.take(first + k, {.w1 = found[k].w1, .columns = std::move(found[k].columns)});
}

/// All: the permutations [first, last), each from the rank that solved it.
void share_permuted(PermutedSolves& permuted, std::size_t first, std::size_t last, std::size_t d,
                    Communicator& ranks) {
  const std::size_t width = 2 + d;  // W1, its variance, the costs by column
  std::vector<double> place(last - first);
  std::vector<std::vector<double>> all(last - first, std::vector<double>(width, 0.0));
  for (const std::size_t k : tasks_of_rank(all.size(), ranks)) {
    const PermutedSolve& mine = permuted.solved(first + k);
    all[k][0] = mine.w1;
    all[k][1] = mine.variance;
    std::ranges::copy(mine.columns, all[k].begin() + 2);
  }
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t k = 0; k < all.size(); ++k) place[k] = all[k][j];
    share_results(ranks, std::span(place));
    for (std::size_t k = 0; k < all.size(); ++k) all[k][j] = place[k];
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    permuted.take(first + k, {all[k][0], all[k][1], {all[k].begin() + 2, all[k].end()}});
}

/// Solves the permutations [first, last) that have not been solved; several ranks share them. False when
/// stopped.
bool solve_permuted(PermutedSolves& permuted, std::size_t first, std::size_t last, std::size_t d,
                    const NoiseOptions& options, Team& team, Watch& watch) {
  const std::vector<std::size_t> mine = tasks_of_rank(last - first, *options.ranks);
  watch.run_by_worker(team, mine.size(), options.done,
                      [&](std::size_t k, std::size_t worker, const Progress& progress) {
                        if (!watch.stopped()) permuted.solve(first + mine[k], worker, progress);
                      });
  if (watch.stopped()) return false;
  if (!options.ranks->alone()) share_permuted(permuted, first, last, d, *options.ranks);
  return true;
}

std::vector<double> first_w1(const PermutedSolves& permuted, std::size_t count) {
  std::vector<double> w1(count);
  for (std::size_t b = 0; b < count; ++b) w1[b] = permuted.w1(b);
  return w1;
}

std::optional<Noise> full_noise(PointsView x, PointsView y, double observed_w1, const NoiseOptions& options,
                                PermutedSolves& permuted, Team& team, Watch& watch) {
  const std::size_t count = permuted.labellings().size();
  std::vector<Labelling> labellings{observed_labelling(x.n)};
  labellings.insert(labellings.end(), permuted.labellings().begin(), permuted.labellings().end());
  PairStatistics pairs = pair_statistics(x, y, labellings, team, watch, options.done);
  Statistics all{std::vector<double>(count + 1, observed_w1),
                 without_rounding(std::move(pairs.energy), x.n + y.n),
                 without_rounding(std::move(pairs.kernel), x.n + y.n)};
  std::size_t done = 0;
  for (const std::size_t stage : {stages[0], stages[1], count}) {
    const std::size_t end = std::min(stage, count);
    if (options.solve) take_permuted(permuted, done, end, x, y, options);
    else if (!solve_permuted(permuted, done, end, x.d, options, team, watch)) return {};
    for (; done < end; ++done) all.w1[done + 1] = permuted.w1(done);
    if (done == count || is_plain(first_of(all, done))) break;
  }
  Noise noise = joint_test(first_of(all, done));
  noise.permuted = first_w1(permuted, done);
  describe_permuted(noise);
  noise.value = observed_w1;
  noise.rows = {x.n, y.n};
  noise.column_floor = permuted.mean_columns(done);
  return noise;
}

std::optional<Noise> large_noise(PointsView x, PointsView y, double observed_w1, const NoiseOptions& options,
                                 PermutedSolves& permuted, Team& team, Watch& watch) {
  const auto& [all_x, all_y] = options.drawn_from;
  BlockStatistics blocks = block_statistics(all_x.n > 0 ? all_x : x, all_y.n > 0 ? all_y : y,
                                            cheap_permutations, options.seed, team, watch, options.done);
  const std::size_t solves = permuted.in_any_case();
  if (!solve_permuted(permuted, 0, solves, x.d, options, team, watch)) return {};
  const std::size_t rows = blocks.rows.x + blocks.rows.y;
  Noise noise = joint_test({{},
                            without_rounding(std::move(blocks.values.energy), rows),
                            without_rounding(std::move(blocks.values.kernel), rows)});
  constexpr double one_sided_95 = 1.645;
  noise.permuted = first_w1(permuted, solves);
  noise.level = mean_of(noise.permuted);
  noise.sd = std::sqrt(permuted.mean_variance(solves));
  noise.value = observed_w1;
  noise.quantile95 = noise.level + one_sided_95 * noise.sd;
  noise.rows = blocks.rows;
  noise.column_floor = permuted.mean_columns(solves);
  return noise;
}

/// Few ways of dealing the rows, drawn at random, miss the one that was seen more often than they should.
void hold_above(double least, Noise& noise) {
  noise.p_value = std::max(noise.p_value, least);
  noise.energy_p_value = std::max(noise.energy_p_value, least);
  for (std::optional<double>* p : {&noise.w1_p_value, &noise.kernel_p_value})
    if (*p) *p = std::max(**p, least);
}

/// Whether W1 is solved for every permutation.
bool is_permuted_in_full(PointsView x, PointsView y, const NoiseOptions& options) {
  return options.permutations > 0 || std::max(x.n, y.n) <= most_permuted_rows;
}

}  // namespace

PermutedW1 permuted_w1(PointsView x, PointsView y, std::uint64_t seed, std::size_t number) {
  Team team(1);
  PermutedSolves permuted(x, y, {.first = number, .count = 1, .plans = number < floor_plans ? 1u : 0u}, seed,
                          team);
  permuted.solve(0, 0, {});
  const PermutedSolve& solved = permuted.solved(0);
  return {.w1 = solved.w1, .columns = solved.columns};
}

double least_p_value(std::size_t n, std::size_t m) {
  double p = n == m ? 2 : 1;
  for (std::size_t k = 1; k <= std::min(n, m); ++k)
    p *= static_cast<double>(k) / static_cast<double>(std::max(n, m) + k);
  return p;
}

double permutation_p_value(double observed, std::span<const double> permuted, double tie) {
  const auto reach = std::ranges::count_if(permuted, [&](double value) { return value >= observed - tie; });
  return static_cast<double>(1 + reach) / static_cast<double>(permuted.size() + 1);
}

std::vector<double> joint_statistic(const Statistics& all) {
  std::vector<std::vector<double>> known;
  if (!all.w1.empty()) known.push_back(all.w1);
  known.push_back(logarithms(all.energy));
  if (!all.kernel.empty()) known.push_back(logarithms(all.kernel));
  return largest_of_standardised(known);
}

std::vector<double> largest_of_standardised(std::span<const std::vector<double>> statistics) {
  std::vector<double> largest = standardised(statistics.front());
  for (const std::vector<double>& statistic : statistics.subspan(1)) {
    const std::vector<double> other = standardised(statistic);
    for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = std::max(largest[k], other[k]);
  }
  return largest;
}

PermutedSolves permuted_solves(PointsView x, PointsView y, const NoiseOptions& options, Team& team) {
  PermutedPlan plan;
  if (x.d > 1 && is_permuted_in_full(x, y, options)) {
    plan.count = options.permutations > 0 ? options.permutations : permutations_for(x.n, y.n);
    plan.in_any_case = std::min(stages[0], plan.count);
    plan.plans = floor_plans;
    plan.shared = static_cast<bool>(options.solve) || !options.ranks->alone();
  } else if (x.d > 1) {
    plan.count = plan.in_any_case = plan.plans = x.d <= 2 ? 3 : 1;
    plan.variances = true;
    plan.shared = !options.ranks->alone();
  }
  return {x, y, plan, options.seed, team};
}

std::optional<Noise> permutation_noise(PointsView x, PointsView y, double observed_w1,
                                       const NoiseOptions& options, PermutedSolves& permuted, Team& team,
                                       Watch& watch) {
  std::optional<Noise> noise = x.d == 1 ? line_noise(x, y, observed_w1, options, team, watch)
                               : is_permuted_in_full(x, y, options)
                                   ? full_noise(x, y, observed_w1, options, permuted, team, watch)
                                   : large_noise(x, y, observed_w1, options, permuted, team, watch);
  if (noise) hold_above(least_p_value(x.n, y.n), *noise);
  return noise;
}

}  // namespace motmot
