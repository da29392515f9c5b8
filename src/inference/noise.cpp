#include "inference/noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/statistics.hpp"
#include "inference/columns.hpp"
#include "inference/energy.hpp"
#include "motmot/transport.hpp"

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

double spread_of(std::span<const double> values) { return sd_of(values, mean_of(values)); }

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

/// The observed value first, then the permuted ones.
double p_value_of(std::span<const double> all) {
  const std::vector<double> z = standardised(all);
  return permutation_p_value(z.front(), std::span(z).subspan(1), rounding_of_sd);
}

/// W1 of permuted rows, and what the floor of the columns needs.
class PermutedW1 {
 public:
  PermutedW1(PointsView x, PointsView y, std::size_t workers) : x_(x), y_(y), buffers_(workers) {}

  /// The samples after relabelling, in the worker's buffers.
  Transport solve(const Labelling& called_x, std::size_t worker, bool want_plan, bool want_potentials,
                  const Progress& progress) {
    Buffers& buffers = buffers_[worker];
    deal(called_x, buffers);
    const PointsView x = dealt(buffers.x), y = dealt(buffers.y);
    return transport(buffers.workspace, x, y, {}, {},
                     {.want_plan = want_plan, .want_potentials = want_potentials, .progress = progress});
  }

  /// column_costs() of what this worker solved last.
  [[nodiscard]] std::vector<double> columns(const Transport& solved, std::size_t worker) const {
    return column_costs(dealt(buffers_[worker].x), dealt(buffers_[worker].y), solved.plan);
  }

 private:
  struct Buffers {
    TransportWorkspace workspace;
    std::vector<double> x, y;
  };

  [[nodiscard]] PointsView dealt(const std::vector<double>& values) const {
    return {values.data(), values.size() / x_.d, x_.d};
  }

  void deal(const Labelling& called_x, Buffers& buffers) const {
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

  PointsView x_, y_;
  std::vector<Buffers> buffers_;
};

std::vector<double> mean_columns(std::span<const std::vector<double>> costs) {
  std::vector<double> mean(costs.front().size(), 0.0);
  for (const std::vector<double>& of_plan : costs)
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += of_plan[k] / static_cast<double>(costs.size());
  return mean;
}

/// The labellings of `count` permutations from number `first` on; the stream of step 0 draws blocks.
std::vector<Labelling> draw_labellings(std::size_t n, std::size_t m, std::size_t first, std::size_t count,
                                       std::uint64_t seed, Team& team) {
  std::vector<Labelling> labellings(count);
  team.run(count, [&](std::size_t b, std::size_t) {
    Rng rng(seed, Purpose::permutation, first + b + 1);
    labellings[b] = random_labelling(n, m, rng);
  });
  return labellings;
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

std::optional<Noise> full_noise(PointsView x, PointsView y, double observed_w1, const NoiseOptions& options,
                                Team& team, Watch& watch) {
  const std::size_t count = options.permutations > 0 ? options.permutations : permutations_for(x.n, y.n);
  std::vector<Labelling> labellings = draw_labellings(x.n, y.n, 0, count, options.seed, team);
  labellings.insert(labellings.begin(), observed_labelling(x.n));
  PairStatistics pairs = pair_statistics(x, y, labellings, team, watch, options.done);
  Statistics all{std::vector<double>(count + 1, observed_w1), std::move(pairs.energy),
                 std::move(pairs.kernel)};
  std::vector<std::vector<double>> columns(std::min(count, floor_plans));
  PermutedW1 permuted(x, y, team.size());
  std::size_t done = 0;
  const auto solve_until = [&](std::size_t end) {
    watch.run_by_worker(
        team, end - done, options.done, [&](std::size_t k, std::size_t worker, const Progress& progress) {
          const std::size_t b = done + k;
          if (watch.stopped()) return;
          const bool want_plan = b < columns.size();
          const Transport solved = permuted.solve(labellings[b + 1], worker, want_plan, false, progress);
          all.w1[b + 1] = solved.cost;
          if (want_plan) columns[b] = permuted.columns(solved, worker);
        });
    done = end;
  };
  for (const std::size_t stage : {stages[0], stages[1], count}) {
    solve_until(std::min(stage, count));
    if (watch.stopped()) return {};
    if (done == count || is_plain(first_of(all, done))) break;
  }
  Noise noise = joint_test(first_of(all, done));
  noise.permuted.assign(all.w1.begin() + 1, all.w1.begin() + 1 + static_cast<std::ptrdiff_t>(done));
  describe_permuted(noise);
  noise.value = observed_w1;
  noise.rows = {x.n, y.n};
  noise.column_floor = mean_columns(columns);
  return noise;
}

/// The variance of W1 about its mean where one solution has to do. To first order W1 moves by the mean of the
/// potentials of the rows drawn, whose sd is an upper estimate where the laws agree: the potential is fitted
/// to the rows. Measured, sampling sd / that: 0.60 to 0.97 in 24 of 30 cases (Gaussian, t3, five clusters, d
/// = 2 to 50, n = 500 and 2000), median 0.68.
double variance_by_potentials(const Transport& solved) {
  constexpr double measured = 0.7;
  const auto part = [](std::span<const double> potential) {
    const double spread = measured * spread_of(potential);
    return spread * spread / static_cast<double>(potential.size());
  };
  return part(solved.u) + part(solved.v);
}

std::optional<Noise> large_noise(PointsView x, PointsView y, double observed_w1, const NoiseOptions& options,
                                 Team& team, Watch& watch) {
  const auto& [all_x, all_y] = options.drawn_from;
  BlockStatistics blocks = block_statistics(all_x.n > 0 ? all_x : x, all_y.n > 0 ? all_y : y,
                                            cheap_permutations, options.seed, team, watch, options.done);
  const std::size_t solves = x.d <= 2 ? 3 : 1;
  const std::vector<Labelling> labellings = draw_labellings(x.n, y.n, 0, solves, options.seed, team);
  PermutedW1 permuted(x, y, team.size());
  std::vector<double> w1(solves), variances(solves);
  std::vector<std::vector<double>> columns(solves);
  watch.run_by_worker(team, solves, options.done,
                      [&](std::size_t b, std::size_t worker, const Progress& progress) {
                        if (watch.stopped()) return;
                        const Transport solved = permuted.solve(labellings[b], worker, true, true, progress);
                        w1[b] = solved.cost;
                        variances[b] = variance_by_potentials(solved);
                        columns[b] = permuted.columns(solved, worker);
                      });
  if (watch.stopped()) return {};
  Noise noise = joint_test({{}, std::move(blocks.values.energy), std::move(blocks.values.kernel)});
  constexpr double one_sided_95 = 1.645;
  noise.level = mean_of(w1);
  noise.sd = std::sqrt(mean_of(variances));
  noise.value = observed_w1;
  noise.quantile95 = noise.level + one_sided_95 * noise.sd;
  noise.rows = blocks.rows;
  noise.permuted = w1;
  noise.column_floor = mean_columns(columns);
  return noise;
}

}  // namespace

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

std::optional<Noise> permutation_noise(PointsView x, PointsView y, double observed_w1,
                                       const NoiseOptions& options, Team& team, Watch& watch) {
  if (x.d == 1) return line_noise(x, y, observed_w1, options, team, watch);
  if (options.permutations > 0 || std::max(x.n, y.n) <= most_permuted_rows)
    return full_noise(x, y, observed_w1, options, team, watch);
  return large_noise(x, y, observed_w1, options, team, watch);
}

}  // namespace motmot
