// What methods cost, from runs of bench/forecast.py (one core of an x86-64 machine with AVX2, n = m = 500 to
// 8000, d = 2, 10, 40).
#include <algorithm>
#include <cmath>
#include <string_view>

#include "motmot/doctor.hpp"
#include "motmot/outliers.hpp"

namespace motmot {
namespace {

/// seconds = exp(log_factor) (n m)^(by_rows / 2) d^by_columns
struct Cost {
  const char* method;
  double log_factor, by_rows, by_columns;
};

constexpr Cost costs[] = {
    {"distance", -6.612, 0.968, -0.069},
    {"distance --estimator plain", -16.445, 1.893, -0.279},
    {"distance --estimator mom", -13.907, 1.766, -0.093},
    {"outliers", -16.217, 1.630, 0.702},
};

/// The same functions that refuse what is too large, on one thread.
double bytes_of(std::string_view method, std::size_t n, std::size_t m, std::size_t d) {
  if (method == "outliers") return outlier_bytes(n, m, d, {.threads = 1});
  DistanceOptions options;
  options.threads = 1;
  if (method != "distance") options.estimator = method.ends_with("mom") ? Estimator::mom : Estimator::plain;
  return distance_bytes(n, m, d, options);
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
         .megabytes = 1e-6 * bytes_of(cost.method, n, m, d)});
  return all;
}

}  // namespace motmot
