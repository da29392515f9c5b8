#include "transport/masses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/require.hpp"

namespace motmot::solver {
namespace {

/// Units of mass in all: sums of a few such totals still fit 63 bits.
constexpr double all_of_it = 0x1p60;

double checked_sum(std::size_t n, std::span<const double> weights, const char* name) {
  require(weights.empty() || weights.size() == n, Errc::invalid_argument, "weights ", name, " number ",
          weights.size(), ", but there are ", n, " rows");
  double largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(std::isfinite(weights[i]) && weights[i] >= 0, Errc::numeric, "weights must be finite and not ",
            "negative, got ", name, "[", i, "] = ", weights[i]);
    largest = std::max(largest, weights[i]);
  }
  require(weights.empty() || largest > 0, Errc::numeric, "weights ", name, " sum to 0");
  // Relative to the largest: sums of finite weights may not be finite.
  double sum = 0;
  for (const double weight : weights) sum += weight / largest;
  return sum * largest < std::numeric_limits<double>::infinity() ? sum * largest : 0;
}

bool all_equal(std::span<const double> weights) {
  return std::ranges::all_of(weights, [&](double weight) { return weight == weights.front(); });
}

void all_rows(std::size_t n, std::vector<std::uint32_t>& kept) {
  kept.resize(n);
  std::iota(kept.begin(), kept.end(), 0u);
}

// Rounds to whole units; what is missing or too much goes to the largest.
void round_weights(std::span<const double> weights, double sum, Mass total, std::vector<std::uint32_t>& kept,
                   std::vector<Mass>& masses) {
  kept.clear();
  masses.clear();
  Mass placed = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto mass = static_cast<Mass>(std::llround(weights[i] / sum * static_cast<double>(total)));
    if (mass == 0) continue;
    kept.push_back(static_cast<std::uint32_t>(i));
    masses.push_back(mass);
    placed += mass;
  }
  *std::ranges::max_element(masses) += total - placed;
}

void fill_side(std::size_t n, std::span<const double> weights, double sum, Mass total,
               std::vector<std::uint32_t>& kept, std::vector<Mass>& masses) {
  if (!weights.empty() && !all_equal(weights)) return round_weights(weights, sum, total, kept, masses);
  all_rows(n, kept);
  masses.assign(n, total / static_cast<Mass>(n));
}

}  // namespace

// The total is a multiple of n m: equal weights are exact.
void Masses::from_weights(std::size_t n, std::size_t m, std::span<const double> weights_a,
                          std::span<const double> weights_b) {
  const double sum_a = checked_sum(n, weights_a, "a");
  const double sum_b = checked_sum(m, weights_b, "b");
  require(weights_a.empty() || sum_a > 0, Errc::numeric, "the sum of the weights a is not finite");
  require(weights_b.empty() || sum_b > 0, Errc::numeric, "the sum of the weights b is not finite");
  const auto cells = static_cast<Mass>(n) * static_cast<Mass>(m);
  total = static_cast<Mass>(all_of_it) / cells * cells;
  fill_side(n, weights_a, sum_a, total, rows, a);
  fill_side(m, weights_b, sum_b, total, cols, b);
  compare();
}

void Masses::compare() {
  equal = a.size() == rows.size() && b.size() == cols.size() && std::ranges::equal(a, b) &&
          std::ranges::all_of(a, [&](Mass mass) { return mass == a.front(); });
}

void Masses::from_shares(std::size_t n, std::size_t m, double tau_x, double tau_y) {
  for (const double tau : {tau_x, tau_y})
    require(0 <= tau && tau < 1, Errc::invalid_argument, "need 0 <= tau < 1, got ", tau);
  all_rows(n, rows);
  all_rows(m, cols);
  // The sum of all capacities must stay below 2^62.
  const double room = std::min(1 - tau_x, 1 - tau_y);
  const auto cells = static_cast<Mass>(n) * static_cast<Mass>(m);
  total = std::max<Mass>(1, static_cast<Mass>(all_of_it * room) / cells) * cells;
  const auto capacity = [&](std::size_t count, double tau) {
    if (tau == 0) return total / static_cast<Mass>(count);
    return static_cast<Mass>(
        std::ceil(static_cast<double>(total) / ((1 - tau) * static_cast<double>(count))));
  };
  a.assign(n, capacity(n, tau_x));
  b.assign(m, capacity(m, tau_y));
  const Mass left_out_x = a.front() * static_cast<Mass>(n) - total;
  const Mass left_out_y = b.front() * static_cast<Mass>(m) - total;
  if (left_out_y > 0) a.push_back(left_out_y);
  if (left_out_x > 0) b.push_back(left_out_x);
  equal = false;
}

}  // namespace motmot::solver
