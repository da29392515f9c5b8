// Two contaminated samples, compared.
#include <iostream>

#include "motmot/motmot.hpp"

int main() {
  // N(0, I) against N(5, I) in the plane; every tenth row of X is an outlier.
  const motmot::ToySample toy = motmot::generate({.toy = motmot::Toy::d1, .tau_x = 0.1, .seed = 1});
  const motmot::Distance w = motmot::distance(toy.x, toy.y, {.tau = {0.1, 0.1}, .seed = 7});
  std::cout << w.value << " apart, " << w.left_out.x.size() << " rows of X left out\n\n";
  std::cout << motmot::text(w);
}
