#include "motmot/blocks.hpp"

namespace motmot {

std::string_view name(Estimator estimator) noexcept {
  switch (estimator) {
    case Estimator::plain:
      return "plain";
    case Estimator::mom:
      return "mom";
    case Estimator::mou_diag:
      return "mou-diag";
    case Estimator::mou:
      return "mou";
  }
  return "?";
}

std::string_view name(Scheme scheme) noexcept {
  switch (scheme) {
    case Scheme::partition:
      return "partition";
    case Scheme::shuffle:
      return "shuffle";
    case Scheme::swor:
      return "swor";
    case Scheme::pairs:
      return "pairs";
  }
  return "?";
}

}  // namespace motmot
