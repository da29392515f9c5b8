// Section 4.2 in the data's units, and on outliers that the paper did not try.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/claim_tools.hpp"

namespace motmot {
namespace {

constexpr double near = 10;  ///< %: what a guarantee should at least mean

/// Largest |mean error| of the estimator over the tau and K that `wanted` picks; none when there are none.
template <class Wanted>
std::optional<double> worst_error(const StudyResult& r, Toy data, std::string_view method, Wanted wanted) {
  std::optional<double> worst;
  for (const StudySummary& s : r.summary)
    if (s.data == data && s.method == method && s.k >= 1 && wanted(s) &&
        (!worst || std::abs(s.mean) > std::abs(*worst)))
      worst = s.mean;
  return worst;
}

Claim over_data(const StudyResult& r, Claim claim, std::string_view method, double limit, auto wanted) {
  std::vector<std::string> parts, good, bad;
  for (const Toy data : r.options.data) {
    const std::optional<double> worst = worst_error(r, data, method, wanted);
    if (!worst) continue;
    parts.push_back(fmt::format("{}: {:+.1f} %", name(data), *worst));
    (std::abs(*worst) <= limit ? good : bad).emplace_back(name(data));
  }
  claim.measured = listed(parts);
  judge(claim, good, bad);
  return claim;
}

}  // namespace

std::vector<Claim> breakdown_claims(const StudyResult& r) {
  std::vector<Claim> claims;
  const auto n = static_cast<double>(r.options.n);
  for (const Estimator estimator : r.options.estimators) {
    const std::string_view method = name(estimator);
    const double limit = 100 * override_threshold;
    if (has(r.options.tau, 0.1) && has(r.options.blocks, 70) && r.options.n == 500)
      claims.push_back(over_data(
          r,
          {.quote = "When tau_X = 0.1 (i.e. 50 anomalies), only 70 blocks are needed to override outliers.",
           .test = fmt::format("{}, exact critic, K = 70, tau 0.1: mean error at most {:g} % of W1", method,
                               limit)},
          method, limit, [](const StudySummary& s) { return s.tau == 0.1 && s.k == 70; }));
    claims.push_back(over_data(
        r,
        {.quote = "K_X needs to be higher than 2 tau_X n to have theoretical guarantees.",
         .test = fmt::format(
             "{}, exact critic, tau > 0: mean error at most {:g} % for every K > 2 tau n of the grid", method,
             near)},
        method, near,
        [n](const StudySummary& s) { return s.tau > 0 && static_cast<double>(s.k) > 2 * s.tau * n; }));
    if (has(r.options.tau, 0.0))
      claims.push_back(over_data(
          r,
          {.quote = "The MoM-based algorithm can be used routinely instead of the plain estimator.",
           .test = fmt::format("{}, exact critic, tau 0: mean error at most {:g} % for every K of the grid",
                               method, limit)},
          method, limit, [](const StudySummary& s) { return s.tau == 0; }));
  }
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

}  // namespace motmot
