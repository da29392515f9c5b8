/// log |Gamma(x)|. std::lgamma also writes the sign to a global variable, which two threads may not do at
/// once.
#pragma once

#include <math.h>  // NOLINT: lgamma_r is POSIX's, not the standard's

namespace motmot {

inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace motmot
