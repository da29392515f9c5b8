#include <cstdio>

#include "motmot/motmot.hpp"

int main() {
  const motmot::ToySample toy = motmot::generate({.n = 50, .m = 40, .seed = 1});
  const motmot::Distance w = motmot::distance(toy.x, toy.y);
  std::printf("%s", motmot::text(w).c_str());
  std::printf("%s %g\n", motmot::version().data(), w.value);
  return w.value > 0 ? 0 : 1;
}
