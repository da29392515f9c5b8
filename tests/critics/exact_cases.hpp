/// Contaminated pairs of samples and tasks for tests of the exact critic.
#pragma once

#include <cmath>

#include "blocks/sampler.hpp"
#include "critics/exact_fit.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot::test {

enum class Dirt { none, uniform, cluster, far, huge_in_y, uniform_in_both };

struct Case {
  Points x, y;  ///< contaminated: the first tau n rows
  Points inliers_x, inliers_y;
};

inline Points without_first(const Points& points, std::size_t rows) {
  const auto first = points.values().begin() + static_cast<long>(rows * points.cols());
  return {std::vector<double>(first, points.values().end()), points.cols()};
}

/// N(0, I) against N(5 sqrt(2 / d), I), |shift| = sqrt(50), or against N(0, 4 I) for a change of shape.
inline Case make_case(std::uint64_t seed, std::size_t n, std::size_t d, bool shape, Dirt dirt, double tau) {
  Rng rng(seed, Purpose::test);
  Case c{gaussian(rng, n, d), gaussian(rng, n, d), {}, {}};
  std::vector<double> y = c.y.values();
  for (double& value : y) value = shape ? 2 * value : value + 5 * std::sqrt(2.0 / static_cast<double>(d));
  c.y = Points(std::move(y), d);
  const auto dirty = static_cast<std::size_t>(tau * static_cast<double>(n) + 0.5);
  c.inliers_x = without_first(c.x, dirty);
  c.inliers_y = dirt == Dirt::huge_in_y || dirt == Dirt::uniform_in_both ? without_first(c.y, dirty) : c.y;
  for (std::size_t i = 0; i < dirty; ++i)
    for (std::size_t k = 0; k < d; ++k) switch (dirt) {
        case Dirt::none:
          break;
        case Dirt::uniform:
          c.x(i, k) = rng.uniform(-50, 50);
          break;
        case Dirt::cluster:
          c.x(i, k) = 50 + rng.normal();
          break;
        case Dirt::far:
          c.x(i, k) = 1e18;
          break;
        case Dirt::huge_in_y:
          c.y(i, k) = k == 0 ? 1e16 : 0;
          break;
        case Dirt::uniform_in_both:
          c.x(i, k) = rng.uniform(-50, 50);
          c.y(i, k) = rng.uniform(-50, 50);
          break;
      }
  return c;
}

/// Blocks of b rows, an odd number of them.
inline ExactTask task_for(const Case& c, Estimator estimator, std::size_t b, std::uint64_t seed = 1) {
  const auto odd = [&](std::size_t n) { return (n / b - 1) / 2 * 2 + 1; };
  const std::size_t k_x = odd(c.x.rows()), k_y = odd(c.y.rows());
  return {.x = c.x,
          .y = c.y,
          .estimator = estimator,
          .plan = {Scheme::shuffle, k_x, k_y, c.x.rows() / k_x, c.y.rows() / k_y},
          .seed = seed};
}

inline ExactFit fit(const ExactTask& task, std::size_t threads = 1) {
  Team team(threads);
  return fit_exact(task, team);
}

}  // namespace motmot::test
