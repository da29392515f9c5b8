// Errors over n: the cells of a rate study, and the lines through them.
#include "study/rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/random.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "motmot/answer.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

constexpr double least_far = 100, most_far = 200;

/// Uniform on the ball of that radius around 0.
void draw_in_ball(std::span<double> row, double radius, Rng& rng) {
  double squares = 0;
  for (double& value : row) {
    value = rng.normal();
    squares += value * value;
  }
  const double length = radius * std::pow(rng.open_uniform(), 1 / static_cast<double>(row.size()));
  for (double& value : row) value *= length / std::sqrt(squares);
}

/// A row is a function of the seed, its index and whether it is an outlier.
Points rate_sample(std::size_t n, std::size_t d, std::size_t outliers, double radius, double shift,
                   double side, std::uint64_t seed, Purpose purpose) {
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i) {
    Rng rng(seed, purpose, i);
    draw_in_ball(points.row(i), i < outliers ? 1 : radius, rng);
    points(i, 0) += i < outliers ? side * rng.uniform(least_far, most_far) : shift;
  }
  return points;
}

double share(const Outlying& outliers, std::size_t n) {
  return static_cast<double>(outliers.count(n)) / static_cast<double>(n);
}

bool takes_blocks(Estimator estimator) {
  return estimator != Estimator::plain && estimator != Estimator::company;
}

/// Estimators are told the true shares and their K; the test is left out, which no error depends on.
DistanceOptions rate_cell_options(const RateOptions& o, const RateLine& line, std::size_t n,
                                  std::size_t repetition) {
  const double tau = share(line.outliers, n);
  return {.estimator = line.estimator,
          .tau = {tau, tau},
          .permutations = line.estimator == Estimator::company ? std::optional<std::size_t>(0) : std::nullopt,
          .blocks = takes_blocks(line.estimator) ? rate_blocks(line, n) : PerSample<std::size_t>{},
          .seed = o.seed + repetition,
          .threads = 1,
          .memory_limit = o.memory_limit};
}

/// {value}
std::vector<double> run_rate_cell(const RateOptions& o, const RateLine& line, std::size_t n,
                                  std::size_t repetition, const Progress& progress) {
  DistanceOptions options = rate_cell_options(o, line, n, repetition);
  options.progress = progress;
  const PerSample<Points> samples = rate_samples(line.law, line.d, n, line.outliers.count(n), options.seed);
  const Distance w = distance(samples.x, samples.y, options);
  if (w.run.stopped) return {};
  return {w.value};
}

void validate_rate(const RateOptions& o) {
  const auto some = [](bool there, const char* what) {
    require(there, Errc::invalid_argument, "a study needs at least one ", what);
  };
  some(!o.laws.empty(), "law");
  some(!o.d.empty(), "number of columns");
  some(!o.n.empty(), "number of rows");
  some(!o.tau.empty() || !o.alpha.empty(), "share of outliers");
  some(!o.estimators.empty(), "estimator");
  some(!o.rules.empty(), "rule for K");
  some(o.repetitions >= 1, "repetition");
  for (const std::size_t d : o.d)
    require(1 <= d && d <= 1000, Errc::invalid_argument, "need 1 to 1000 columns, got ", d);
  for (const std::size_t n : o.n)
    require(20 <= n && n <= 100'000, Errc::invalid_argument, "a study needs 20 to 100000 rows, got ", n);
  require(std::ranges::is_sorted(o.n) && std::ranges::adjacent_find(o.n) == o.n.end(), Errc::invalid_argument,
          "the numbers of rows must rise");
  for (const double tau : o.tau)
    require(0 <= tau && tau < 0.25, Errc::invalid_argument,
            "tau is the share of outliers in each of the two samples: it must lie in [0, 0.25), got ", tau);
  for (const double alpha : o.alpha) {
    require(0 <= alpha && alpha < 1, Errc::invalid_argument, "alpha must lie in [0, 1), got ", alpha);
    require(share({true, alpha}, o.n.front()) < 0.25, Errc::invalid_argument,
            "n^alpha outliers of n = ", o.n.front(), " rows with alpha = ", alpha,
            " are a quarter or more: take more rows");
  }
}

std::vector<RateLine> rate_lines(const RateOptions& o) {
  std::vector<Outlying> kinds;
  for (const double tau : o.tau) kinds.push_back({false, tau});
  for (const double alpha : o.alpha) kinds.push_back({true, alpha});
  std::vector<RateLine> lines;
  for (const RateLaw law : o.laws)
    for (const std::size_t d : o.d)
      for (const Outlying& outliers : kinds)
        for (const Estimator estimator : o.estimators) {
          if (!takes_blocks(estimator)) lines.push_back({law, d, outliers, estimator, {}});
          // Without outliers every rule but that of the GAN takes one block: this is plain.
          else if (outliers.falling || outliers.number > 0)
            for (const BlockRule rule : o.rules) lines.push_back({law, d, outliers, estimator, rule});
        }
  return lines;
}

/// The theorem for one n; outliers as Assumption 3 has them.
Bound theorem6_at(const RateLine& line, std::size_t n, double tau) {
  BoundOptions options{.d = line.d, .diameter = law_diameter(line.law)};
  if (line.outliers.falling) {
    options.alpha_o = line.outliers.number;
    options.c_o = 1;
  }
  return line.estimator == Estimator::mom ? theorem6_mom(n, n, tau, tau, options)
                                          : theorem6_mou_diag(n, n, tau, tau, options);
}

bool theorem_speaks(const RateLine& line) {
  const bool estimator = line.estimator == Estimator::mom || line.estimator == Estimator::mou_diag;
  return estimator && line.rule == BlockRule::prop4;
}

/// The first power of ten from which the bound is below the diameter; none up to 10^18.
std::optional<double> informative_from(const RateLine& line) {
  for (int power = 2; power <= 18; ++power) {
    const auto n = static_cast<std::size_t>(std::pow(10.0, power));
    const double tau = line.outliers.falling ? std::pow(static_cast<double>(n), line.outliers.number - 1)
                                             : line.outliers.number;
    const Bound bound = theorem6_at(line, n, tau);
    if (bound.value && !bound.vacuous) return static_cast<double>(n);
  }
  return {};
}

RatePoint point_of(const RateOptions& o, const RateLine& line, std::size_t n, const CellStore& store) {
  const PerSample<std::size_t> k = rate_blocks(line, n);
  RatePoint point{.n = n, .k_x = k.x, .k_y = k.y};
  for (std::size_t r = 0; r < o.repetitions; ++r)
    point.errors.push_back(std::abs(store.find(rate_key(line, n, r))->front() - law_w1(line.law, line.d)));
  point.mean = mean_of(point.errors);
  std::vector<double> sorted = point.errors;
  std::ranges::sort(sorted);
  point.q25 = sorted_quantile(sorted, 0.25);
  point.median = sorted_quantile(sorted, 0.5);
  point.q75 = sorted_quantile(sorted, 0.75);
  if (theorem_speaks(line) && line.outliers.count(n) > 0) {
    const Bound bound = theorem6_at(line, n, share(line.outliers, n));
    point.bound = bound.value;
    point.vacuous = bound.vacuous;
  }
  return point;
}

RateCurve curve_of(const RateOptions& o, const RateLine& line, const CellStore& store) {
  RateCurve curve{.line = line};
  for (const std::size_t n : o.n) curve.points.push_back(point_of(o, line, n, store));
  if (o.n.size() >= 2) curve.fit = fit_rate(curve.points, o.seed);
  if (!theorem_speaks(line) || line.outliers == Outlying{}) return curve;
  curve.informative_from = informative_from(line);
  if (!line.outliers.falling) return curve;
  const double columns = static_cast<double>(line.d), by_columns = 1 / (columns + 2);
  const double rest = 1 - line.outliers.number;
  // The theorem states mou-diag for these alpha only.
  if (line.estimator == Estimator::mou_diag && line.outliers.number > columns / (columns + 2)) return curve;
  curve.printed_exponent = std::min(by_columns, rest / 2);
  // For mou-diag the theorem has one term, kappa' n^(-1/(d+2)), and all of it grows with kappa_2.
  curve.exponent =
      line.estimator == Estimator::mou_diag ? by_columns - rest / 4 : std::min(by_columns, rest / 4);
  return curve;
}

double slope_of(std::span<const double> log_n, std::span<const double> log_error) {
  const double mean_n = mean_of(log_n), mean_error = mean_of(log_error);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < log_n.size(); ++i) {
    products += (log_n[i] - mean_n) * (log_error[i] - mean_error);
    squares += (log_n[i] - mean_n) * (log_n[i] - mean_n);
  }
  return products / squares;
}

}  // namespace

std::size_t Outlying::count(std::size_t n) const {
  const auto rows = static_cast<double>(n);
  if (!falling) return static_cast<std::size_t>(std::round(number * rows));
  return static_cast<std::size_t>(std::floor(std::pow(rows, number) * (1 + 1e-12)));
}

RateOptions quick_rate() {
  RateOptions o;
  o.d = {2};
  o.n = {100, 242, 585, 1414};
  o.laws = {RateLaw::same, RateLaw::spread};
  o.rules = {BlockRule::motmot_default, BlockRule::prop4};
  o.repetitions = 3;
  return o;
}

double law_w1(RateLaw law, std::size_t d) {
  if (law == RateLaw::same) return 0;
  return law == RateLaw::shift ? 1 : static_cast<double>(d) / (static_cast<double>(d) + 1);
}

double law_diameter(RateLaw law) {
  if (law == RateLaw::same) return 2;
  return law == RateLaw::shift ? 3 : 4;
}

PerSample<Points> rate_samples(RateLaw law, std::size_t d, std::size_t n, std::size_t outliers,
                               std::uint64_t seed) {
  return {rate_sample(n, d, outliers, 1, 0, 1, seed, Purpose::toy_x),
          rate_sample(n, d, outliers, law == RateLaw::spread ? 2 : 1, law == RateLaw::shift ? 1 : 0, -1, seed,
                      Purpose::toy_y)};
}

PerSample<std::size_t> rate_blocks(const RateLine& line, std::size_t n) {
  if (!line.rule) return {1, 1};
  const double tau = share(line.outliers, n);
  return blocks_by_rule(*line.rule, line.estimator, n, n, tau, tau);
}

RateFit fit_rate(const std::vector<RatePoint>& points, std::uint64_t seed) {
  constexpr std::size_t resamples = 1000;
  constexpr double least = 1e-300;  // an error of 0 has no logarithm
  std::vector<double> log_n, log_error;
  for (const RatePoint& point : points) {
    log_n.push_back(std::log(static_cast<double>(point.n)));
    log_error.push_back(std::log(std::max(least, point.mean)));
  }
  RateFit fit{.slope = slope_of(log_n, log_error)};
  std::vector<double> slopes(resamples);
  Rng rng(seed, Purpose::resample);
  for (double& slope : slopes) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::vector<double>& errors = points[i].errors;
      double sum = 0;
      for (std::size_t r = 0; r < errors.size(); ++r)
        sum += errors[rng.below(static_cast<std::uint32_t>(errors.size()))];
      log_error[i] = std::log(std::max(least, sum / static_cast<double>(errors.size())));
    }
    slope = slope_of(log_n, log_error);
  }
  std::ranges::sort(slopes);
  fit.low = sorted_quantile(slopes, 0.025);
  fit.high = sorted_quantile(slopes, 0.975);
  return fit;
}

std::string outlying_key(const Outlying& outliers) {
  return fmt::format("{}={}", outliers.falling ? "alpha" : "tau", outliers.number);
}

std::string rate_key(const RateLine& line, std::size_t n, std::size_t repetition) {
  const PerSample<std::size_t> k = rate_blocks(line, n);
  return fmt::format("{} {} {} {} {} {} {} {}", name(line.law), line.d, n, outlying_key(line.outliers),
                     name(line.estimator), k.x, k.y, repetition);
}

std::string rate_settings(const RateOptions& o) { return fmt::format("rate 1 seed={}", o.seed); }

double rate_bytes(const RateOptions& options) {
  const std::vector<RateLine> lines = rate_lines(options);
  double largest = 0;
  for (const RateLine& line : lines)
    for (const std::size_t n : options.n)
      largest = std::max(largest, distance_bytes(n, n, line.d, rate_cell_options(options, line, n, 0)));
  const double cells = static_cast<double>(options.repetitions) * static_cast<double>(lines.size()) *
                       static_cast<double>(options.n.size());
  return grid_bytes(largest, cells, cells, options.threads);
}

RateResult run_rate(const RateOptions& options) {
  Communicator& ranks = *options.ranks;
  const auto store = agreed_store(
      ranks,
      [&] {
        validate_rate(options);
        require_grid_memory(rate_bytes(options), options.memory_limit);
      },
      options.folder, "rate", rate_settings(options));
  struct Place {
    const RateLine* line;
    std::size_t n, repetition;
  };
  const std::vector<RateLine> lines = rate_lines(options);
  std::vector<Place> cells;
  std::vector<std::string> keys;
  std::unordered_map<std::string, bool> seen;
  // Small n first: a run that was stopped can be asked for the n that it has.
  for (const std::size_t n : options.n)
    for (std::size_t r = 0; r < options.repetitions; ++r)
      for (const RateLine& line : lines)
        if (seen.emplace(rate_key(line, n, r), true).second) {
          keys.push_back(rate_key(line, n, r));
          cells.push_back({&line, n, r});
        }
  const CellCount count = run_cells(
      keys, *store, options.threads, options.progress,
      [&](std::size_t i, const Progress& progress) {
        return run_rate_cell(options, *cells[i].line, cells[i].n, cells[i].repetition, progress);
      },
      ranks);
  RateResult result{.options = options,
                    .curves = {},
                    .cells = count.cells,
                    .cells_done = count.done,
                    .cells_reused = count.reused};
  result.options.progress = {};
  result.options.ranks = &alone();
  if (ranks.rank() != 0 || !result.complete()) return result;
  for (const RateLine& line : lines) result.curves.push_back(curve_of(options, line, *store));
  return result;
}

}  // namespace motmot
