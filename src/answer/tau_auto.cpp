#include "answer/tau_auto.hpp"

#include "answer/plan.hpp"
#include "critics/exact_fit.hpp"
#include "motmot/inference.hpp"

namespace motmot {
namespace {

/// The robust value with this tau for both samples, and the rows that its critic finds outlying.
TauProbe probe(const Points& x, const Points& y, double tau, const DistanceOptions& asked, Team& team) {
  DistanceOptions options = asked;
  options.tau_x = options.tau_y = tau;
  options.k_x = options.k_y = 0;
  std::vector<std::string> ignored;
  const BlockPlan plan = plan_blocks(x.rows(), y.rows(), options, ignored);
  const ExactFit fit = fit_exact({.x = x,
                                  .y = y,
                                  .estimator = options.estimator,
                                  .plan = plan,
                                  .seed = options.seed,
                                  .read_out = options.read_out},
                                 team, options.progress);
  const TrimOptions cuts{.phi_cut = 4, .distance_cut = 10, .threads = team.size()};
  return {.value = fit.value,
          .dropped_x = trim_rows(x, fit.phi_x, cuts).dropped.size(),
          .dropped_y = trim_rows(y, fit.phi_y, cuts).dropped.size()};
}

}  // namespace

std::string set_tau_from_data(PointsView x, PointsView y, CriticKind critic, DistanceOptions& options,
                              Team& team) {
  if (critic != CriticKind::exact)
    throw Error(Errc::unsupported, "tau auto needs the exact critic, which these samples are too large for");
  const RobustScale by = robust_scale(x, y);
  const Points scaled_x = scaled(x, by), scaled_y = scaled(y, by);
  const TauChoice choice =
      choose_tau([&](double tau) { return probe(scaled_x, scaled_y, tau, options, team); },
                 {.n = x.rows(), .m = y.rows()});
  options.tau_x = choice.tau_x;
  options.tau_y = choice.tau_y;
  return choice.how;
}

}  // namespace motmot
