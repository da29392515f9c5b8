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

/// The floor that is to be taken off when up to the share `most` of it lies along the way.
double floor_across(double floor, double w1, double most) {
  if (w1 <= floor) return floor;
  return floor * (1 - most * (1 - floor / w1));
}

}  // namespace

Population population_distance(const Transport& solved, const Noise& noise, std::size_t d) {
  constexpr double two_sided_95 = 1.96, differ = 0.05;
  constexpr double more = 1.03;                 // of the floor, for the low end
  const double along = d == 1 ? 1 : 0.3;        // the best of 0, 0.2, ..., 0.5 by RMSE for d = 2, 5, 10
  const double most_along = d == 1 ? 1 : 0.75;  // the least that covers a change of scale in d = 10
  const double w1 = solved.cost, floor = noise.level;
  const double sd = std::sqrt(variance_of_mean(solved.u) + variance_of_mean(solved.v));
  const double low = other_leg(std::max(0.0, w1 - two_sided_95 * sd), more * floor);
  const double high = other_leg(std::max(w1, floor) + two_sided_95 * std::hypot(sd, noise.sd),
                                floor_across(floor, w1, most_along));
  return {.value = other_leg(w1, floor_across(floor, w1, along)),
          .low = noise.p_value <= differ ? low : 0,
          .high = high};
}

}  // namespace motmot
