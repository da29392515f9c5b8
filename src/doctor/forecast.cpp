// What methods cost, from runs of bench/forecast.py (one core of an x86-64 machine with AVX2, n = m = 500 to
// 8000, d = 2, 10, 40).
#include <algorithm>
#include <cmath>

#include "motmot/doctor.hpp"

namespace motmot {
namespace {

/// seconds = exp(log_factor) (n m)^(by_rows / 2) d^by_columns
struct Cost {
  const char* method;
  double log_factor, by_rows, by_columns;
  double bytes_per_pair;  ///< in many columns, until the solver's limit of memory
};

constexpr Cost costs[] = {
    {"distance", -6.612, 0.968, -0.069, 4},
    {"distance --estimator plain", -16.445, 1.893, -0.279, 4},
    {"distance --estimator mom", -13.907, 1.766, -0.093, 4},
    {"outliers", -16.217, 1.630, 0.702, 0},
};

double megabytes_of(const Cost& cost, double n, double m, double d) {
  constexpr double base = 10, limit = 1024, few_columns = 16, copies = 3, bytes_a_row = 150;
  const double points = copies * 8e-6 * (n + m) * d + bytes_a_row * 1e-6 * (n + m);
  const double pairs = d > few_columns ? std::min(limit, cost.bytes_per_pair * 1e-6 * n * m) : 0;
  return base + points + pairs;
}

}  // namespace

std::vector<Forecast> forecast(std::size_t n, std::size_t m, std::size_t d) {
  constexpr double start = 0.02;
  const auto rows_x = static_cast<double>(n), rows_y = static_cast<double>(m),
             columns = static_cast<double>(d);
  std::vector<Forecast> all;
  for (const Cost& cost : costs)
    all.push_back(
        {.method = cost.method,
         .seconds = start + std::exp(cost.log_factor) * std::pow(rows_x * rows_y, cost.by_rows / 2) *
                                std::pow(columns, cost.by_columns),
         .megabytes = megabytes_of(cost, rows_x, rows_y, columns)});
  return all;
}

}  // namespace motmot
