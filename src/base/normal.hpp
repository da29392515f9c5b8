#pragma once

namespace motmot {

/// Distribution function of the standard Gaussian.
double normal_cdf(double z) noexcept;

/// Its inverse, for 0 < p < 1; relative error below 1e-14 (Acklam's start, two Halley steps).
/// -inf at 0, +inf at 1.
double normal_quantile(double p) noexcept;

}  // namespace motmot
