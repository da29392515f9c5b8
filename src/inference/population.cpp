#include "inference/population.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/statistics.hpp"

namespace motmot {
namespace {

double variance_of_mean(std::span<const double> values) {
  const double sd = sd_of(values, mean_of(values));
  return sd * sd / static_cast<double>(values.size());
}

/// sqrt(whole^2 - part^2), 0 where part is the larger.
double other_leg(double whole, double part) {
  if (part >= whole) return 0;
  const double ratio = part / whole;  // squares could leave the range of double
  return whole * std::sqrt((1 - ratio) * (1 + ratio));
}

/// The floor that is to be taken off when up to the share `along` of it lies along the way, less than none
/// (part of the mass stays and adds its noise whole) where it is negative.
double floor_across(double floor, double w1, double along) {
  if (w1 <= floor) return floor;
  return std::max(0.0, floor * (1 - along * (1 - floor / w1)));
}

/// Measured over 34 changes of law, n = 100 and 300, d = 1 to 20: -0.39 for shares of modes, up to 0.68 for a
/// change of scale in two and five columns, 0.95 in ten, 1.2 in twenty. 0.3 had the least mean RMSE of 0,
/// 0.2, ..., 0.5.
struct Along {
  double least = -0.4, likely = 0.3, most = 1;
};

Along along_of(std::size_t d) {
  if (d == 1) return {.likely = 1};
  return {.most = std::min(2.0, 0.6 + 0.035 * static_cast<double>(d))};
}

}  // namespace

LawDistance population_distance(const Transport& solved, const Noise& noise, std::size_t d) {
  constexpr double two_sided_95 = 1.96, differ = 0.05;
  const Along along = along_of(d);
  const double w1 = solved.cost, floor = noise.level;
  const double sd = std::sqrt(variance_of_mean(solved.u) + variance_of_mean(solved.v));
  const double low = other_leg(std::max(0.0, w1 - two_sided_95 * sd), floor_across(floor, w1, along.least));
  const double high = other_leg(std::max(w1, floor) + two_sided_95 * std::hypot(sd, noise.sd),
                                floor_across(floor, w1, along.most));
  const double value = other_leg(w1, floor_across(floor, w1, along.likely));
  if (std::min(solved.u.size(), solved.v.size()) < 2) return {.value = value};
  return {.value = value, .interval = LawInterval{noise.p_value <= differ ? low : 0, high}};
}

}  // namespace motmot
