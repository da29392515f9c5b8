#include "inference/needed.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/statistics.hpp"
#include "inference/beside.hpp"
#include "transport/engine.hpp"

namespace motmot {
namespace {

constexpr double largest_share = 0.5;
constexpr double least_share = tolerance_of_needed / 16;

/// Partial transport costs no less than what the potentials of all rows say; where that reaches the threshold
/// is a share that the one looked for is not below. Free of solves.
double share_by_potentials(const Transport& solved, double threshold) {
  std::vector<double> phi_y(solved.v.size());
  std::ranges::transform(solved.v, phi_y.begin(), std::negate<>());
  const auto bound = [&](double t) { return partial_bound_from(solved.u, phi_y, t, t); };
  if (bound(largest_share) > threshold) return largest_share;
  double above = 0, reached = largest_share;
  while (reached - above > least_share) {
    const double t = std::midpoint(above, reached);
    (bound(t) > threshold ? above : reached) = t;
  }
  return above;
}

/// (1 - t) times the cost of partial transport is a convex function of t (the value of a linear program whose
/// right hand side moves with t), and the potentials at one t give a tangent:
///   (1 - s) cost(s) >= mean u + mean v + s (u_left_out + v_left_out)   for every s.
/// The s where the tangent meets (1 - s) threshold is not above the share looked for.
double tangent_reaches(const Transport& partial, double threshold) {
  const double at_zero = mean_of(partial.u) + mean_of(partial.v);
  const double slope = partial.u_left_out + partial.v_left_out + threshold;
  return slope < 0 ? (at_zero - threshold) / -slope : largest_share;
}

}  // namespace

std::optional<Needed> share_to_reach(PointsView x, PointsView y, const Transport& solved, double threshold,
                                     Watch& watch, double done) {
  const bool solves = std::max(x.n, y.n) <= most_rows_solved_for_needed;
  // At share 0 nothing is left out, and the tangent does not say what leaving out does.
  double share = std::max(share_by_potentials(solved, threshold), solves ? least_share : 0.0);
  TransportWorkspace workspace;
  bool again = false;
  // Newton's steps on a convex function come from below and never pass the root.
  while (solves && share < largest_share) {
    const TransportOptions options{.want_plan = false, .progress = watch.part(done, done)};
    const Transport partial = again ? partial_transport_again(workspace, share, share, options)
                                    : partial_transport(workspace, x, y, share, share, options);
    again = true;
    if (watch.stopped()) return {};
    if (partial.cost <= threshold) break;
    const double next = tangent_reaches(partial, threshold);
    if (next - share < tolerance_of_needed) {
      share = std::max(share, next);
      break;
    }
    share = next;
  }
  if (share >= largest_share) return Needed{.share = largest_share, .capped = true};
  return Needed{.share = share};
}

std::optional<Needed> needed(PointsView x, PointsView y, const Transport& solved, const Noise& noise,
                             Watch& watch, double done) {
  constexpr double level = 0.05;
  if (noise.p_value > level || solved.cost <= noise.quantile95) return {};
  return share_to_reach(x, y, solved, noise.quantile95, watch, done);
}

}  // namespace motmot
