#include "answer/side_problems.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include "answer/job.hpp"
#include "critics/min_plus.hpp"
#include "inference/partial.hpp"

namespace motmot {
namespace {

/// The median distance to the own sample sees outliers that phi does not; 10 is its cut (robust z).
constexpr TrimOptions trim_options{.phi_cut = 4, .distance_cut = 10, .threads = 1};

/// n m up to which partial transport is solved; beyond, the critic's own bound will do, which is 1 % lower or
/// so and costs nothing (a partial problem of 10^4 x 10^4 points in the plane takes two to four seconds).
constexpr double partial_pairs = 1e8;

bool solves_partial(const Points& x, const Points& y) {
  return static_cast<double>(x.rows()) * static_cast<double>(y.rows()) <= partial_pairs;
}

/// The caller's progress for tasks on several threads: it is asked on the calling thread (worker 0), the
/// others follow what it said.
class SharedProgress {
 public:
  SharedProgress(const Progress& progress, double done) : progress_(progress), done_(done) {}
  [[nodiscard]] Progress for_worker(std::size_t worker) {
    if (!progress_) return {};
    return [this, worker](double) {
      if (worker == 0 && !stopped_ && !progress_(done_)) stopped_ = true;
      return !stopped_;
    };
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  const Progress& progress_;
  double done_;
  std::atomic<bool> stopped_ = false;
};

/// Exact W1 with equal weights; nothing when stopped.
std::optional<double> w1(PointsView x, PointsView y, const Progress& progress) {
  const Transport solved =
      transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false, .progress = progress});
  if (solved.status == TransportStatus::stopped) return {};
  return solved.cost;
}

ExactStart start_from(Transport partial) {
  ExactStart start{.phi_y = std::move(partial.v), .plan = std::move(partial.plan)};
  for (double& value : start.phi_y) value = -value;
  return start;
}

double lower_bound(const Job& job, const Points& x, const Points& y, const Distance& result,
                   const Progress& progress) {
  const double tau_x = job.options.tau_x, tau_y = job.options.tau_y;
  if (solves_partial(x, y)) return partial_bound(x, y, tau_x, tau_y, progress);
  return std::max(0.0, partial_bound_from(result.rows_x.phi, result.rows_y.phi, tau_x, tau_y) / result.scale);
}

}  // namespace

std::optional<ExactStart> solve_ahead(const Job& job, const Points& x, const Points& y, SideAnswers& known) {
  // Potentials are good to 2^-53 of the farthest point: beyond reach they would be no start.
  if (!solves_partial(x, y) || !is_within_reach(x) || !is_within_reach(y)) return {};
  ExactStart start;
  SharedProgress shared(job.progress, 0);
  job.team.run(2, [&](std::size_t task, std::size_t worker) {
    const Progress progress = shared.for_worker(worker);
    if (task == 1) {
      known.plain = w1(x, y, progress);
      return;
    }
    Transport partial = partial_transport(x, y, job.options.tau_x, job.options.tau_y, {.progress = progress});
    known.partial = proved_by(partial);
    start = start_from(std::move(partial));
  });
  known.stopped = shared.stopped();
  return start;
}

void solve_rest(const Job& job, const Points& x, const Points& y, const Distance& result,
                SideAnswers& known) {
  std::vector<std::function<void(const Progress&)>> tasks{[&](const Progress& progress) {
    known.x = trim_rows(x, result.rows_x.phi, trim_options);
    known.y = trim_rows(y, result.rows_y.phi, trim_options);
    known.trim = w1(kept_rows(x, known.x.dropped), kept_rows(y, known.y.dropped), progress);
  }};
  if (!known.partial)
    tasks.emplace_back(
        [&](const Progress& progress) { known.partial = lower_bound(job, x, y, result, progress); });
  if (!known.plain) tasks.emplace_back([&](const Progress& progress) { known.plain = w1(x, y, progress); });
  SharedProgress shared(job.progress, 0.95);
  job.team.run(tasks.size(),
               [&](std::size_t task, std::size_t worker) { tasks[task](shared.for_worker(worker)); });
  known.stopped = shared.stopped();
}

}  // namespace motmot
