#include <algorithm>

#include "inference/beside.hpp"

namespace motmot {

double proved_by(const Transport& partial) {
  // The sums of n + m terms behind cost and gap are good to far better than this.
  return std::max(0.0, partial.cost - partial.gap - 1e-12 * partial.cost);
}

double partial_bound(PointsView x, PointsView y, double tau_x, double tau_y, const Progress& progress) {
  return proved_by(partial_transport(x, y, tau_x, tau_y,
                                     {.want_plan = false, .want_potentials = false, .progress = progress}));
}

namespace {

/// The least mean of values under weights of at most 1 / ((1 - tau) n) that sum to 1.
double least_mean(std::vector<double> values, double tau) {
  std::ranges::sort(values);
  const double most = 1 / ((1 - tau) * static_cast<double>(values.size()));
  double left = 1, sum = 0;
  for (const double value : values) {
    const double weight = std::min(most, left);
    sum += weight * value;
    left -= weight;
  }
  return sum;
}

}  // namespace

double partial_bound_from(std::span<const double> phi_x, std::span<const double> phi_y, double tau_x,
                          double tau_y) {
  std::vector<double> x(phi_x.begin(), phi_x.end()), y(phi_y.begin(), phi_y.end());
  for (double& value : y) value = -value;
  return least_mean(std::move(x), tau_x) + least_mean(std::move(y), tau_y);
}

}  // namespace motmot
