/// LEMON's network simplex as the judge, and problems to judge by.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "motmot/transport.hpp"

namespace motmot::test {

/// Points with whole-number weights (not all zero), so that LEMON can have exactly the same masses.
struct Sample {
  Points points;
  std::vector<std::int64_t> weights;

  [[nodiscard]] std::vector<double> real_weights() const { return {weights.begin(), weights.end()}; }
};

struct Case {
  Sample x;
  Sample y;
};

/// A small problem of a kind drawn at random: gaussians, shifts, lattices with ties, duplicates, two
/// modes, outliers; weights equal, random, many zero, or spread over six decades.
Case random_case(Rng& rng, std::size_t most_rows, std::size_t most_columns);

double distance(PointsView x, std::size_t i, PointsView y, std::size_t j);

/// W1 by LEMON.
double lemon_w1(const Sample& x, const Sample& y);
/// Partial W1 by LEMON; the capacities are 1 / (kept_x) and 1 / (kept_y), so tau = 1 - kept / n.
double lemon_partial(PointsView x, PointsView y, std::int64_t kept_x, std::int64_t kept_y);

/// Fails unless plan, potentials, cost and gap of the result agree with each other and the weights.
void expect_certified(const Transport& w, PointsView x, PointsView y, const std::vector<double>& a,
                      const std::vector<double>& b);

}  // namespace motmot::test
