#include "report/words.hpp"

namespace motmot {

std::string toy_words(Toy data) {
  switch (data) {
    case Toy::d1:
      return "D1, uniform outliers";
    case Toy::d2:
      return "D2, outliers around 25";
    case Toy::far:
      return "one-sided, far (1000)";
    case Toy::behind:
      return "hidden behind Y";
    case Toy::inside:
      return "hidden inside Y";
    case Toy::both:
      return "both samples dirty";
    case Toy::shape:
      return "shape change";
    case Toy::shares:
      return "mode shares differ";
    default:
      return std::string(name(data));
  }
}

}  // namespace motmot
