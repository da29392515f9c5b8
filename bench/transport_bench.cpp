// The exact solver behind a plain C interface, for bench/transport.py. Times are taken inside, as time
// of this thread on a processor: what else the machine does then counts less.
#include <cstdlib>
#include <ctime>

#include "motmot/transport.hpp"
#include "transport/engine.hpp"

namespace {

double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_since(double start) { return now() - start; }

std::span<const double> weights(const double* values, std::size_t n) {
  return values == nullptr ? std::span<const double>{} : std::span(values, n);
}

// TUNE_<NAME> in the environment, for trying other settings without compiling.
void tune(const char* name, double& value) {
  if (const char* text = std::getenv(name)) value = std::atof(text);
}

void tune_all(motmot::solver::Settings& settings) {
  tune("TUNE_FIRST", settings.first_epsilon);
  tune("TUNE_WARM", settings.warm_epsilon);
  tune("TUNE_S_LAST", settings.assignment.last_epsilon);
  tune("TUNE_S_DIV", settings.assignment.divide);
  tune("TUNE_S_REST", settings.assignment.unsettled);
  tune("TUNE_X_LAST", settings.flow.last_epsilon);
  tune("TUNE_X_DIV", settings.flow.divide);
  tune("TUNE_X_REST", settings.flow.unsettled);
  tune("TUNE_S_PAYS", settings.assignment.list_pays);
  tune("TUNE_X_PAYS", settings.flow.list_pays);
  tune("TUNE_PAYS", settings.list_pays_out_of_cache);
  tune("TUNE_P_TOL", settings.rays.tolerance);
  tune("TUNE_P_DIV", settings.rays.divide);
  tune("TUNE_P_LAST", settings.rays.last_epsilon);
  tune("TUNE_P_MASSES", settings.rays.masses_epsilon);
  tune("TUNE_P_QUANTUM", settings.rays.quantum);
  tune("TUNE_P_LEVEL", settings.rays.level_epsilon);
  tune("TUNE_P_BEFORE", settings.rays.bids_before_paths);
  tune("TUNE_P_FEW", settings.rays.few);
  tune("TUNE_P_PATHS", settings.rays.paths_found);
  double fewest = static_cast<double>(settings.rays.fewest);
  tune("TUNE_P_FEWEST", fewest);
  if (std::getenv("TUNE_P_FEWEST") != nullptr)
    settings.rays.fewest = settings.rays.fewest_in_space = static_cast<std::size_t>(fewest);
  tune("TUNE_F_LAST", settings.few.last_epsilon);
  tune("TUNE_F_REST", settings.few.unsettled);
  if (const char* from = std::getenv("TUNE_TOUR")) settings.nodes_for_tour = std::strtoull(from, nullptr, 10);
  double few_rows = static_cast<double>(settings.few_rows);
  tune("TUNE_F_ROWS", few_rows);
  settings.few_rows = static_cast<std::size_t>(few_rows);
  double finish = 0;
  tune("TUNE_FINISH", finish);
  settings.finish = static_cast<motmot::solver::Finish>(static_cast<int>(finish));
  double storage = 0;
  tune("TUNE_STORAGE", storage);
  settings.storage = static_cast<motmot::solver::Storage>(static_cast<int>(storage));
}

struct BenchResult {
  double cost, gap, seconds;
  double bids, searches, pivots, scans;
};

void report(const motmot::Transport& w, double start, BenchResult* out) {
  *out = {w.cost,
          w.gap,
          seconds_since(start),
          static_cast<double>(w.work.bids),
          static_cast<double>(w.work.searches),
          static_cast<double>(w.work.pivots),
          static_cast<double>(w.work.scans)};
}

}  // namespace

extern "C" {

void motmot_bench_solve(const double* x, std::size_t n, const double* y, std::size_t m, std::size_t d,
                        const double* a, const double* b, BenchResult* out) {
  const double start = now();
  motmot::TransportWorkspace workspace;
  tune_all(engine_of(workspace).settings);
  motmot::TransportOptions options;
  tune("TUNE_GAP", options.gap);
  options.vertex = std::getenv("TUNE_VERTEX") != nullptr;
  const motmot::Transport w =
      motmot::transport(workspace, {x, n, d}, {y, m, d}, weights(a, n), weights(b, m), options);
  report(w, start, out);
}

/// Up to these shares of either sample left out.
void motmot_bench_partial(const double* x, std::size_t n, const double* y, std::size_t m, std::size_t d,
                          double tau_x, double tau_y, BenchResult* out) {
  const double start = now();
  motmot::TransportWorkspace workspace;
  tune_all(engine_of(workspace).settings);
  motmot::TransportOptions options;
  tune("TUNE_GAP", options.gap);
  report(motmot::partial_transport(workspace, {x, n, d}, {y, m, d}, tau_x, tau_y, options), start, out);
}

/// `count` problems of n x n points in a row; costs[k] and the seconds of them all.
double motmot_bench_batch(const double* x, const double* y, std::size_t count, std::size_t n, std::size_t d,
                          double* costs) {
  const double start = now();
  motmot::TransportWorkspace workspace;
  tune_all(engine_of(workspace).settings);
  for (std::size_t k = 0; k < count; ++k)
    costs[k] = motmot::transport(workspace, {x + k * n * d, n, d}, {y + k * n * d, n, d}).cost;
  return seconds_since(start);
}

/// Solves with weights a + t * n, t < rounds, by one warm solver; seconds of each.
void motmot_bench_warm(const double* x, std::size_t n, const double* y, std::size_t m, std::size_t d,
                       const double* a, const double* b, std::size_t rounds, double* costs, double* seconds) {
  motmot::TransportSolver solver({x, n, d}, {y, m, d});
  for (std::size_t t = 0; t < rounds; ++t) {
    const double start = now();
    costs[t] = solver.solve({a + t * n, n}, {b + t * m, m}).cost;
    seconds[t] = seconds_since(start);
  }
}
}
