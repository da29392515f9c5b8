#include "base/normal.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace motmot {
namespace {

// A start with relative error 1e-9 or so is polished below; these are P. Acklam's published
// rational approximations for the centre and for the tails.
double rough_quantile(double p) noexcept {
  constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                          6.680131188771972e+01, -1.328068155288572e+01};
  constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                          -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                          3.754408661907416e+00};
  constexpr double edge = 0.02425;
  if (p < edge) {
    const double q = std::sqrt(-2 * std::log(p));
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  }
  const double q = p - 0.5;
  const double r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

}  // namespace

double normal_cdf(double z) noexcept { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) noexcept {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  if (p > 0.5) return -normal_quantile(1 - p);
  double z = rough_quantile(p);
  for (int i = 0; i < 2; ++i) {  // Halley on Phi(z) - p
    const double error = normal_cdf(z) - p;
    const double step = error * std::sqrt(2 * std::numbers::pi) * std::exp(z * z / 2);
    z -= step / (1 + z * step / 2);
  }
  return z;
}

}  // namespace motmot
