// What stands beside the value: plain, trim, partial, error bar, bracket, and words where they disagree.
#include <algorithm>

#include "estimate/job.hpp"
#include "motmot/diagnostics.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

/// The median distance to the own sample sees outliers that phi does not; 10 is its cut (robust z).
constexpr TrimOptions trim_options{.phi_cut = 4, .distance_cut = 10, .threads = 1};

/// One block has no spread to take a bar from, and no robustness.
bool withstands_outliers(const Job& job) {
  return (job.plan.k_x > 1 || job.options.tau_x == 0) && (job.plan.k_y > 1 || job.options.tau_y == 0);
}

ErrorBarOptions bar_options(const Job& job) {
  // Forty partitions of small samples, fewer of large ones: their block means are many already.
  const std::size_t rows = job.x.rows() + job.y.rows();
  return {.estimator = job.options.estimator,
          .k_x = job.plan.k_x,
          .k_y = job.plan.k_y,
          .tau_x = job.options.tau_x,
          .tau_y = job.options.tau_y,
          .partitions = std::clamp<std::size_t>(4'000'000 / rows, 5, 40),
          .seed = job.options.seed,
          .threads = job.team.size()};
}

struct Solved {
  std::optional<double> plain{}, partial{};
  Trim trim{};
};

/// n m up to which partial transport is solved; beyond, the critic's own bound will do, which is 1 % lower or
/// so and costs nothing (a partial problem of 10^4 x 10^4 points in the plane takes half a minute).
constexpr double partial_pairs = 2.5e7;

double lower_bound(const Job& job, const Points& x, const Points& y, const Estimate& result) {
  const double tau_x = job.options.tau_x, tau_y = job.options.tau_y;
  if (static_cast<double>(x.rows()) * static_cast<double>(y.rows()) <= partial_pairs)
    return partial_bound(x, y, tau_x, tau_y);
  return std::max(0.0, partial_bound_from(result.rows_x.phi, result.rows_y.phi, tau_x, tau_y) / result.scale);
}

/// Three exact problems that do not wait for each other.
Solved solve_all(const Job& job, const Points& x, const Points& y, const Estimate& result) {
  Solved solved;
  job.team.run(3, [&](std::size_t task, std::size_t) {
    if (task == 0) solved.partial = lower_bound(job, x, y, result);
    if (task == 1) solved.trim = trimmed_w1(x, y, result.rows_x.phi, result.rows_y.phi, trim_options);
    if (task == 2) solved.plain = exact_w1(x, y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
  });
  return solved;
}

void mark_dropped(RowDiagnostics& rows, const TrimmedRows& trim) {
  rows.dropped.assign(rows.phi.size(), false);
  for (const std::uint32_t row : trim.dropped) rows.dropped[row] = true;
}

void add_bracket(const Job& job, const Points& x, const Points& y, double scale, Estimate& result) {
  if (job.plan.k_x % 2 == 0 || job.plan.k_y % 2 == 0 || job.plan.scheme == Scheme::swor ||
      job.plan.scheme == Scheme::pairs) {
    result.warnings.push_back("no certificate: it needs disjoint blocks and odd numbers of them");
    return;
  }
  std::vector<double> phi_x = result.rows_x.phi, phi_y = result.rows_y.phi;
  for (std::vector<double>* phi : {&phi_x, &phi_y})
    for (double& value : *phi) value /= scale;
  const Bracket found = bracket(x, y, phi_x, phi_y,
                                {.estimator = job.options.estimator,
                                 .k_x = job.plan.k_x,
                                 .k_y = job.plan.k_y,
                                 .seed = job.options.seed,
                                 .threads = job.team.size()});
  result.lower = scale * found.lower;
  result.upper = scale * found.upper;
  result.fixed_partition_value = scale * found.fixed_partition_value;
}

}  // namespace

void diagnose(const Job& job, Estimate& result) {
  if (result.rows_x.phi.empty() || result.stopped) return;
  // Exact problems want scaled points; large samples, which get none, are not copied.
  const bool exact_problems = affordable(job.x, job.y);
  Points x, y;
  if (exact_problems) {
    const RobustScale by = robust_scale(job.x, job.y);
    x = scaled(job.x, by);
    y = scaled(job.y, by);
  }
  const double scale = result.scale;
  const ErrorBarOptions options = bar_options(job);
  if (job.options.estimator == Estimator::plain) {
    result.plain = result.value;
    return;
  }
  Solved solved;
  if (exact_problems) {
    solved = solve_all(job, x, y, result);
    result.plain = scale * *solved.plain;
    result.trim = scale * solved.trim.value;
    result.partial = scale * *solved.partial;
  } else {
    solved.trim.x = trim_rows(job.x, result.rows_x.phi, {.phi_cut = 4});
    solved.trim.y = trim_rows(job.y, result.rows_y.phi, {.phi_cut = 4});
  }
  result.trimmed_x = solved.trim.x.dropped.size();
  result.trimmed_y = solved.trim.y.dropped.size();
  mark_dropped(result.rows_x, solved.trim.x);
  mark_dropped(result.rows_y, solved.trim.y);
  if (job.plan.scheme == Scheme::shuffle || job.plan.scheme == Scheme::partition) {
    const ErrorBar bar =
        contamination_error_bar(result.rows_x.phi, result.rows_y.phi, solved.trim.x, solved.trim.y, options);
    if (withstands_outliers(job)) result.error_bar = bar.bar;
    result.corrected = bar.corrected;
    Evidence evidence =
        gather_evidence(result.rows_x.phi, result.rows_y.phi, solved.trim.x, solved.trim.y, options);
    evidence.bar = result.error_bar;
    evidence.trim = result.trim;
    evidence.partial = result.partial;
    for (std::string& sentence : disagreements(evidence)) result.warnings.push_back(std::move(sentence));
  }
  if (!job.options.certify) return;
  if (exact_problems) add_bracket(job, x, y, scale, result);
  else result.warnings.push_back("no certificate: the samples are too large for exact block problems");
}

}  // namespace motmot
