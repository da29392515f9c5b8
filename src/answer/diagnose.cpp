// What stands beside the value: plain, trim, partial, error bar, bracket, and words where they disagree.
#include <algorithm>

#include "answer/job.hpp"
#include "motmot/inference.hpp"

namespace motmot {
namespace {

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

/// In the data's units.
void report(const SideAnswers& solved, Distance& result) {
  if (solved.plain) result.plain = result.scale * *solved.plain;
  if (solved.trim) result.trim = result.scale * *solved.trim;
  if (solved.partial) result.partial = result.scale * *solved.partial;
}

void mark_dropped(RowDiagnostics& rows, const TrimmedRows& trim) {
  rows.dropped.assign(rows.phi.size(), false);
  for (const std::uint32_t row : trim.dropped) rows.dropped[row] = true;
}

void add_bracket(const Job& job, const Points& x, const Points& y, double scale, Distance& result) {
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

void diagnose(const Job& job, SideAnswers solved, Distance& result) {
  report(solved, result);
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
  if (exact_problems) {
    solve_rest(job, x, y, result, solved);
    result.stopped = solved.stopped;
    report(solved, result);
  } else {
    solved.x = trim_rows(job.x, result.rows_x.phi, {.phi_cut = 4});
    solved.y = trim_rows(job.y, result.rows_y.phi, {.phi_cut = 4});
  }
  result.trimmed_x = solved.x.dropped.size();
  result.trimmed_y = solved.y.dropped.size();
  mark_dropped(result.rows_x, solved.x);
  mark_dropped(result.rows_y, solved.y);
  if (job.plan.scheme == Scheme::shuffle || job.plan.scheme == Scheme::partition) {
    const ErrorBar bar =
        contamination_error_bar(result.rows_x.phi, result.rows_y.phi, solved.x, solved.y, options);
    if (withstands_outliers(job)) result.error_bar = bar.bar;
    result.corrected = bar.corrected;
    Evidence evidence = gather_evidence(result.rows_x.phi, result.rows_y.phi, solved.x, solved.y, options);
    evidence.bar = result.error_bar;
    evidence.trim = result.trim;
    evidence.partial = result.partial;
    for (std::string& sentence : disagreements(evidence)) result.warnings.push_back(std::move(sentence));
  }
  if (!job.options.certify || result.stopped) return;
  if (exact_problems) add_bracket(job, x, y, scale, result);
  else result.warnings.push_back("no certificate: the samples are too large for exact block problems");
}

}  // namespace motmot
