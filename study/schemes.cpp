// Ways to draw blocks, compared: cells, summaries and what Section 3.1 says of them.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "data/without.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"
#include "study/cells.hpp"
#include "study/claim_tools.hpp"
#include "study/rate.hpp"

namespace motmot {

std::string schemes_settings(const SchemesOptions& o) {
  return fmt::format("schemes 1 n={} d={} tau={} seed={}", o.n, o.d, o.tau, o.seed);
}

namespace {

struct SchemeCell {
  RateLaw law{};
  Estimator estimator{};
  Scheme scheme{};
  std::size_t k = 0, size = 0, repetition = 0;  ///< k = 0: W1 of the inliers

  [[nodiscard]] std::string key() const {
    return k == 0 ? fmt::format("{} inliers {}", name(law), repetition)
                  : fmt::format("{} {} {} {} {} {}", name(law), name(estimator), name(scheme), k, size,
                                repetition);
  }
};

std::vector<std::uint32_t> first_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = static_cast<std::uint32_t>(i);
  return rows;
}

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

DistanceOptions scheme_cell_options(const SchemesOptions& o, const SchemeCell& cell) {
  DistanceOptions options{.estimator = cell.estimator,
                          .critic = CriticKind::exact,
                          .tau = {o.tau, o.tau},
                          .scheme = cell.scheme,
                          .blocks = {cell.k, cell.k},
                          .seed = o.seed + cell.repetition,
                          .threads = 1,
                          .memory_limit = o.memory_limit};
  if (cell.scheme == Scheme::swor) options.block_size = {cell.size, cell.size};
  if (cell.scheme == Scheme::pairs) options.pairs = cell.size;
  return options;
}

/// {value, sd over draws, CPU seconds}, or {W1 of the inliers}.
std::vector<double> run_scheme_cell(const SchemesOptions& o, const SchemeCell& cell,
                                    const Progress& progress) {
  const auto outliers = static_cast<std::size_t>(std::round(o.tau * static_cast<double>(o.n)));
  const PerSample<Points> samples = rate_samples(cell.law, o.d, o.n, outliers, o.seed + cell.repetition);
  if (cell.k == 0) {
    const std::vector<std::uint32_t> dirty = first_rows(outliers);
    return {transport(without(samples.x, dirty), without(samples.y, dirty), {}, {},
                      {.memory_limit = o.memory_limit})
                .cost};
  }
  DistanceOptions options = scheme_cell_options(o, cell);
  options.progress = progress;
  const double before = thread_seconds();
  const Distance w = distance(samples.x, samples.y, options);
  if (w.run.stopped) return {};
  return {w.value, w.neighbours.paper->sd, thread_seconds() - before};
}

void validate_schemes(const SchemesOptions& o) {
  require(!o.laws.empty() && !o.estimators.empty() && !o.schemes.empty() && !o.blocks.empty() &&
              !o.sizes.empty() && o.repetitions >= 1,
          Errc::invalid_argument,
          "a study needs at least one of each: law, estimator, scheme, K, size, repetition");
  require(20 <= o.n && o.n <= 20'000, Errc::invalid_argument, "a study needs 20 to 20000 rows, got ", o.n);
  require(0 <= o.tau && o.tau < 0.25, Errc::invalid_argument, "tau must lie in [0, 0.25), got ", o.tau);
  for (const std::size_t k : o.blocks)
    require(1 <= k && k <= o.n, Errc::invalid_argument, "need 1 <= K <= n, got K = ", k, ", n = ", o.n);
  for (const Estimator estimator : o.estimators)
    require(estimator != Estimator::plain && estimator != Estimator::company, Errc::invalid_argument,
            "estimators with blocks are mom, mou and mou-diag, got ", name(estimator));
}

/// The places of the grid, repetition 0.
std::vector<SchemeCell> scheme_grid(const SchemesOptions& o) {
  std::vector<SchemeCell> grid;
  for (const RateLaw law : o.laws)
    for (const std::size_t k : o.blocks)
      for (const Estimator estimator : o.estimators)
        for (const Scheme scheme : o.schemes) {
          if (scheme == Scheme::pairs && estimator != Estimator::mou) continue;
          const std::size_t usual = o.n / k;
          if (scheme == Scheme::partition || scheme == Scheme::shuffle) {
            grid.push_back({law, estimator, scheme, k, usual});
            continue;
          }
          std::vector<std::size_t> sizes;
          for (const double times : o.sizes)
            sizes.push_back(std::clamp<std::size_t>(
                static_cast<std::size_t>(std::round(times * static_cast<double>(usual))), 1, o.n));
          sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
          for (const std::size_t size : sizes) grid.push_back({law, estimator, scheme, k, size});
        }
  return grid;
}

SchemeSummary summary_of_place(const SchemesOptions& o, SchemeCell cell, const CellStore& store) {
  SchemeSummary s{.law = cell.law,
                  .estimator = cell.estimator,
                  .scheme = cell.scheme,
                  .k = cell.k,
                  .size = cell.size,
                  .repetitions = o.repetitions};
  std::vector<double> errors, seconds;
  for (cell.repetition = 0; cell.repetition < o.repetitions; ++cell.repetition) {
    const double inliers =
        store.find(SchemeCell{.law = cell.law, .repetition = cell.repetition}.key())->front();
    const std::vector<double>& values = *store.find(cell.key());
    errors.push_back(100 * (values[0] / inliers - 1));
    s.draw_sds.push_back(100 * values[1] / inliers);
    seconds.push_back(values[2]);
  }
  s.error = mean_of(errors);
  s.between = sd_of(errors, s.error);
  s.over_draws = mean_of(s.draw_sds);
  s.seconds = mean_of(seconds);
  return s;
}

/// mou-diag beside mou at the same law, K and scheme shuffle.
struct Beside {
  const SchemeSummary *diag, *mou;
};

std::vector<Beside> beside_each_other(const SchemesResult& r) {
  std::vector<Beside> list;
  for (const SchemeSummary& diag : r.summary)
    for (const SchemeSummary& mou : r.summary)
      if (diag.estimator == Estimator::mou_diag && mou.estimator == Estimator::mou && diag.law == mou.law &&
          diag.k == mou.k && diag.scheme == Scheme::shuffle && mou.scheme == Scheme::shuffle)
        list.push_back({&diag, &mou});
  return list;
}

Claim increased_variance(const SchemesResult& r) {
  Claim claim{
      .quote =
          "The theoretical analysis is made simpler by the independence between the blocks, but the "
          "estimator suffers from an increased variance due to the important loss of information ...",
      .test =
          "sd of mou-diag over draws of blocks (shuffle) divided by that of mou, same data and K: the "
          "mean over repetitions less two standard errors is above 1",
      .why = "two standard errors: by chance alone one case in forty would pass",
      .runs = r.options.repetitions};
  Trials trials;
  for (const auto& [diag, mou] : beside_each_other(r)) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < diag->draw_sds.size(); ++i)
      if (mou->draw_sds[i] > 0) ratios.push_back(diag->draw_sds[i] / mou->draw_sds[i]);
    if (ratios.size() < 2) continue;
    const double mean = mean_of(ratios);
    const double error = sd_of(ratios, mean) / std::sqrt(static_cast<double>(ratios.size()));
    const std::string where = fmt::format("{} K = {}", name(diag->law), diag->k);
    trials.add(where, mean - 2 * error > 1,
               fmt::format("{}: {:.2f} +- {:.2f}, from sample to sample {:.2f} % against {:.2f} %", where,
                           mean, 2 * error, diag->between, mou->between));
  }
  return judged(std::move(claim), trials);
}

Claim lower_cost(const SchemesResult& r) {
  Claim claim{.quote =
                  "It should be noticed however that W_MoU-diag enjoys a much lower computational cost in "
                  "practice.",
              .test = "CPU time of mou-diag (shuffle, exact critic) is at most half of that of mou",
              .why = "the paper names no number; half is our reading of much lower",
              .runs = r.options.repetitions};
  Trials trials;
  for (const auto& [diag, mou] : beside_each_other(r)) {
    const std::string where = fmt::format("{} K = {}", name(diag->law), diag->k);
    trials.add(where, diag->seconds <= 0.5 * mou->seconds,
               fmt::format("{}: {:.3f} s against {:.3f} s; {} means of pairs of blocks to rank against {}",
                           where, diag->seconds, mou->seconds, diag->k, diag->k * diag->k));
  }
  return judged(std::move(claim), trials);
}

}  // namespace

SchemesOptions quick_schemes() {
  SchemesOptions o;
  o.laws = {RateLaw::spread};
  o.blocks = {51, 101};
  o.repetitions = 4;
  o.n = 300;
  return o;
}

double schemes_bytes(const SchemesOptions& options) {
  const std::vector<SchemeCell> grid = scheme_grid(options);
  double largest = transport_bytes(options.n, options.n, options.d);
  for (const SchemeCell& cell : grid)
    largest = std::max(largest,
                       distance_bytes(options.n, options.n, options.d, scheme_cell_options(options, cell)));
  const double cells =
      static_cast<double>(options.repetitions) * static_cast<double>(grid.size() + options.laws.size());
  return grid_bytes(largest, cells, cells, options.threads);
}

SchemesResult run_schemes(const SchemesOptions& options) {
  Communicator& ranks = *options.ranks;
  const auto store = agreed_store(
      ranks,
      [&] {
        validate_schemes(options);
        require_grid_memory(schemes_bytes(options), options.memory_limit);
      },
      options.folder, "schemes", schemes_settings(options));
  const std::vector<SchemeCell> grid = scheme_grid(options);
  std::vector<SchemeCell> cells;
  for (std::size_t r = 0; r < options.repetitions; ++r) {
    for (const RateLaw law : options.laws) cells.push_back({.law = law, .repetition = r});
    for (SchemeCell cell : grid) {
      cell.repetition = r;
      cells.push_back(cell);
    }
  }
  std::vector<std::string> keys;
  keys.reserve(cells.size());
  for (const SchemeCell& cell : cells) keys.push_back(cell.key());
  const CellCount count = run_cells(
      keys, *store, options.threads, options.progress,
      [&](std::size_t i, const Progress& progress) { return run_scheme_cell(options, cells[i], progress); },
      ranks);
  SchemesResult result{.options = options,
                       .summary = {},
                       .cells = count.cells,
                       .cells_done = count.done,
                       .cells_reused = count.reused};
  result.options.progress = {};
  result.options.ranks = &alone();
  if (ranks.rank() != 0 || !result.complete()) return result;
  for (const SchemeCell& place : grid) result.summary.push_back(summary_of_place(options, place, *store));
  return result;
}

std::vector<Claim> check_schemes_claims(const SchemesResult& r) {
  std::vector<Claim> claims{increased_variance(r), lower_cost(r)};
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

}  // namespace motmot
