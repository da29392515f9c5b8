#include <cmath>

#include "motmot/study.hpp"

namespace motmot {

std::string_view name(Study study) noexcept {
  switch (study) {
    case Study::error:
      return "error";
    case Study::convergence:
      return "convergence";
    case Study::breakdown:
      return "breakdown";
  }
  return "";
}

std::string_view name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_not:
      return "holds not";
    case Verdict::holds_only_if:
      return "holds only if";
  }
  return "";
}

double shown(Study study, const Measurement& m) {
  switch (study) {
    case Study::error:
      return std::abs(m.value - m.reference);
    case Study::convergence:
      return m.value;
    case Study::breakdown:
      return 100 * (m.value / m.reference - 1);
  }
  return 0;
}

}  // namespace motmot
