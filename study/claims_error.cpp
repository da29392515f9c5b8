// Section 4.2, "Influence of K_X, K_Y", first experiment.
#include <fmt/format.h>

#include <algorithm>

#include "motmot/theory.hpp"
#include "study/claim_tools.hpp"

namespace motmot {
namespace {

/// What outliers add to the mean deviation of the same K without them, as a share of the reference.
std::optional<double> excess(const StudyResult& r, Toy data, double tau, std::string_view method,
                             std::size_t k) {
  const StudySummary* dirty = find_summary(r, data, tau, method, k);
  const StudySummary* clean = find_summary(r, data, 0, method, k);
  if (dirty == nullptr || clean == nullptr) return std::nullopt;
  return (dirty->mean - clean->mean) / dirty->reference;
}

/// The smallest K > 1 of the grid from which on every K overrides the outliers.
std::optional<std::size_t> enough_blocks(const StudyResult& r, Toy data, double tau,
                                         std::string_view method) {
  std::vector<std::size_t> blocks = r.options.blocks;
  std::ranges::sort(blocks, std::greater{});
  std::optional<std::size_t> enough;
  for (const std::size_t k : blocks) {
    const std::optional<double> added = excess(r, data, tau, method, k);
    if (k == 1 || !added || *added > override_threshold) break;
    enough = k;
  }
  return enough;
}

struct Override {
  Toy data;
  double tau;
  std::optional<std::size_t> enough;
};

std::vector<Override> overrides(const StudyResult& r, std::string_view method) {
  std::vector<Override> list;
  for (const Toy data : r.options.data)
    for (const double tau : r.options.tau)
      if (tau > 0) list.push_back({data, tau, enough_blocks(r, data, tau, method)});
  return list;
}

std::string place(const Override& o) { return fmt::format("{} tau {}", name(o.data), o.tau); }

const std::string threshold = fmt::format("at most {:g} % of the reference above the same K without outliers",
                                          100 * override_threshold);

Claim high_enough(const StudyResult& r, std::string_view method) {
  Claim c{.quote =
              "On both datasets, the approximation algorithm succeeds to provide an estimation, able to "
              "override outliers with different tau_X while K_X is high enough."};
  c.test = fmt::format("{}: for every tau there is a K in the grid from which on the mean deviation is {}",
                       method, threshold);
  Trials trials;
  for (const Override& o : overrides(r, method))
    trials.add(place(o), o.enough.has_value(),
               o.enough ? fmt::format("{}: from K = {} on", place(o), *o.enough) : place(o) + ": for no K");
  return judged(std::move(c), trials);
}

Claim not_necessary(const StudyResult& r, std::string_view method) {
  Claim c{.quote =
              "K_X needs to be higher than 2 tau_X n to have theoretical guarantees. Experiments show that "
              "in practice, this condition is not necessary in every situations."};
  c.test = fmt::format("{}: in some situation a K of at most 2 tau n suffices ({})", method, threshold);
  std::vector<std::string> parts;
  bool any = false;
  for (const Override& o : overrides(r, method)) {
    const double limit = 2 * o.tau * static_cast<double>(r.options.n);
    if (!o.enough) continue;
    const bool fewer = static_cast<double>(*o.enough) <= limit;
    any = any || fewer;
    parts.push_back(fmt::format("{}: K = {} against 2 tau n = {:g}", place(o), *o.enough, limit));
  }
  c.measured = parts.empty() ? "no K in the grid suffices anywhere" : listed(parts);
  c.verdict = any ? Finding::holds : Finding::does_not_hold;
  return c;
}

std::optional<Claim> seventy_blocks(const StudyResult& r, std::string_view method) {
  if (!has(r.options.tau, 0.1) || !has(r.options.tau, 0.0) || !has(r.options.blocks, 70)) return std::nullopt;
  Claim c{.quote =
              "When tau_X = 0.1 (i.e. 50 anomalies) in Figure 2 (left), only 70 blocks are needed to "
              "override outliers."};
  c.test = fmt::format("{}, K = 70, tau 0.1: the mean deviation is {}", method, threshold);
  Trials trials;
  for (const Toy data : r.options.data) {
    const double added = *excess(r, data, 0.1, method, 70);
    const StudySummary* at = find_summary(r, data, 0.1, method, 70);
    std::string found = fmt::format("{}: deviation {:.1f} % of the reference, {} by outliers", name(data),
                                    100 * at->mean / at->reference, signed_percent(added));
    if (has(r.options.blocks, 1))
      found += fmt::format(" (K = 1: {})", signed_percent(*excess(r, data, 0.1, method, 1)));
    trials.add(std::string(name(data)), added <= override_threshold, std::move(found));
  }
  return judged(std::move(c), trials);
}

std::optional<Claim> several_in_one_block(const StudyResult& r) {
  if (!has(r.options.tau, 0.1) || !has(r.options.blocks, 70) || r.options.n < 70) return std::nullopt;
  Claim c{.quote =
              "Several blocks can be contaminated by many outliers and this is why fewer blocks are needed."};
  const double dirty = dirty_block_chance(0.1, r.options.n / 70);
  c.test =
      "at K = 70, tau 0.1, fewer than half of the blocks of a random partition hold an outlier on average";
  c.measured = fmt::format("{:.1f} % of the blocks of {} rows do (1 - 0.9^{})", 100 * dirty, r.options.n / 70,
                           r.options.n / 70);
  c.verdict = dirty < 0.5 ? Finding::holds : Finding::does_not_hold;
  return c;
}

std::optional<Claim> estimators_alike(const StudyResult& r) {
  if (r.options.estimators.size() < 2) return std::nullopt;
  Claim c{.quote =
              "Results of both experiments [for MoU and MoM] are quite similar due to the simplicity of the "
              "problem."};
  c.test =
      fmt::format("mean deviations of the estimators differ by at most {:g} % of the reference everywhere",
                  100 * override_threshold);
  double worst = 0;
  std::string where;
  for (const StudySummary& a : r.summary)
    for (const StudySummary& b : r.summary) {
      if (a.data != b.data || a.tau != b.tau || a.k != b.k) continue;
      const double apart = (a.mean - b.mean) / a.reference;
      if (apart <= worst) continue;
      worst = apart;
      where = fmt::format("{} against {}, {} tau {} K = {}", a.method, b.method, name(a.data), a.tau, a.k);
    }
  c.measured = fmt::format("at most {:.1f} % ({})", 100 * worst, where);
  c.verdict = worst <= override_threshold ? Finding::holds : Finding::does_not_hold;
  return c;
}

Claim unknown_constant(const StudyResult& r) {
  Claim c{.quote =
              "The Lipschitz constant M being unknown and highly depending of the clipping parameter choice, "
              "it wouldn't be appropriate to compare with the true 1-Wasserstein value."};
  c.test =
      "value / W1 of the laws, K = 1 without outliers, varies by more than 10 % from repetition to "
      "repetition";
  double low = r.measurements.front().reference, high = low;
  for (const Measurement& m : r.measurements) {
    low = std::min(low, m.reference);
    high = std::max(high, m.reference);
  }
  const double w1 = population_w1(r.options.data.front(), 2);
  c.measured =
      fmt::format("{:.4f} to {:.4f} over {} repetitions", low / w1, high / w1, r.options.repetitions);
  c.verdict = high > 1.1 * low ? Finding::holds : Finding::does_not_hold;
  return c;
}

}  // namespace

std::vector<Claim> error_claims(const StudyResult& r) {
  std::vector<Claim> claims;
  const auto add = [&](std::optional<Claim> claim) {
    if (claim) claims.push_back(std::move(*claim));
  };
  const bool has_clean = has(r.options.tau, 0.0);
  const bool has_dirty = std::ranges::any_of(r.options.tau, [](double tau) { return tau > 0; });
  const bool has_many = std::ranges::any_of(r.options.blocks, [](std::size_t k) { return k > 1; });
  if (has_clean && has_dirty && has_many)
    for (const Estimator estimator : r.options.estimators) add(high_enough(r, name(estimator)));
  if (has_clean && has_dirty && has_many) add(not_necessary(r, name(r.options.estimators.front())));
  for (const Estimator estimator : r.options.estimators) add(seventy_blocks(r, name(estimator)));
  add(several_in_one_block(r));
  add(estimators_alike(r));
  if (r.options.repetitions > 1) add(unknown_constant(r));
  return claims;
}

}  // namespace motmot
