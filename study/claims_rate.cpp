// Prop. 4 (prop:consistency), Theorem 6 (thm:expectation) and the sentences around them.
#include <fmt/format.h>

#include <algorithm>

#include "study/claim_tools.hpp"
#include "study/rate.hpp"

namespace motmot {
namespace {

std::string law_words(const RateLine& line) { return fmt::format("{} d = {}", name(line.law), line.d); }

std::string fit_words(const RateFit& fit) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", fit.slope, fit.low, fit.high);
}

/// Every curve that `wanted` picks, judged by `good` on its fit.
template <class Wanted, class Good>
Claim over_curves(const RateResult& r, Claim claim, Wanted wanted, Good good) {
  Trials trials;
  for (const RateCurve& curve : r.curves)
    if (curve.fit && wanted(curve)) {
      const std::string where = fmt::format("{}, {} ({})", law_words(curve.line), name(curve.line.estimator),
                                            outlying_key(curve.line.outliers));
      trials.add(where, good(curve), where + ": " + fit_words(*curve.fit));
    }
  claim.runs = r.options.repetitions;
  return judged(std::move(claim), trials);
}

Claim consistent(const RateResult& r) {
  return over_curves(
      r,
      {.quote =
           "Then, choosing K_X = ceil(sqrt(2 tau_X) n), it holds: W(mu_MoM, mu) -> 0 a.s. [and the same of "
           "MoU and MoU-diag with the tau of a pair]",
       .test =
           "fewer and fewer outliers (alpha), K by Prop. 4: the slope of log(mean error) over log(n), with "
           "its 95 % interval, is below 0",
       .why =
           "an error that goes to 0 as a power of n has a negative slope; n is finite here, so this is what "
           "convergence looks like and no proof of it"},
      [](const RateCurve& c) { return c.line.outliers.falling && c.line.rule == BlockRule::prop4; },
      [](const RateCurve& c) { return c.fit->high < 0; });
}

Claim not_slower(const RateResult& r) {
  Claim claim = over_curves(
      r,
      {.quote = "E|W_MoU-diag - W(mu, nu)| <= kappa'(tau_X + tau_Y) n^(-1/(d+2)) [and the same of MoM]",
       .test = "mom and mou-diag, alpha, K by Prop. 4: the error falls no slower than the bound does, with "
               "tau_n = n^(alpha - 1) in kappa_2: slope <= -min(1/(d+2), (1 - alpha)/4) for mom, -1/(d+2) + "
               "(1 - alpha)/4 for mou-diag, upper end of the "
               "interval included",
       .why =
           "kappa_2 holds tau^(-1/4), so that the bound falls like n^(-(1 - alpha)/4), not like the printed "
           "n^(-(1 - alpha)/2)"},
      [](const RateCurve& c) { return c.exponent.has_value(); },
      [](const RateCurve& c) { return c.fit->high <= -*c.exponent; });
  return claim;
}

Claim plain_does_not_converge(const RateResult& r) {
  return over_curves(
      r,
      {.quote = "Indeed, the empirical estimator of W would not converge towards the target in the O u I "
                "framework.",
       .test = "plain, tau fixed above 0: the slope's interval does not lie below -0.05",
       .why = "a bias that stays has slope 0; 0.05 is room for the sampling noise that falls beside it"},
      [](const RateCurve& c) {
        return c.line.estimator == Estimator::plain && !c.line.outliers.falling && c.line.outliers.number > 0;
      },
      [](const RateCurve& c) { return c.fit->high >= -0.05; });
}

/// Where the bound says something, and whether errors respect it.
Claim bound_is_vacuous(const RateResult& r, bool falling) {
  Claim claim{
      .quote = falling
                   ? "To get guarantees improving with n, we thus need n_O to scale as n^alpha_O, for some "
                     "alpha_O < 1, and the resulting rate is n^((1 - alpha_O)/2), as found in Theorem 6."
                   : "So if one allows n_O to grow proportionally to n, the bound becomes vacuous.",
      .test = falling
                  ? "alpha: the bound (C_L = 1) is below the diameter for some n up to 10^18"
                  : "tau fixed above 0: the bound (C_L = 1) is at least the diameter for every n up to 10^18",
      .why = "two laws on the same ball are never further apart than its diameter"};
  Trials trials;
  for (const RateCurve& c : r.curves) {
    const bool covered =
        std::ranges::any_of(c.points, [](const RatePoint& p) { return p.bound.has_value(); });
    if (!covered || c.line.outliers.falling != falling) continue;
    const std::string where = fmt::format("{}, {}", law_words(c.line), name(c.line.estimator));
    trials.add(where, c.informative_from.has_value() == falling,
               c.informative_from ? fmt::format("{}: from n = {:g} on", where, *c.informative_from)
                                  : where + ": for no n");
  }
  return judged(std::move(claim), trials);
}

}  // namespace

std::vector<Claim> check_rate_claims(const RateResult& r) {
  std::vector<Claim> claims{consistent(r), not_slower(r), plain_does_not_converge(r),
                            bound_is_vacuous(r, false), bound_is_vacuous(r, true)};
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

}  // namespace motmot
