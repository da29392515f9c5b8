// What C++ computes, bit by bit, for test_agreement.py to compare with.
#include <cstdio>

#include "motmot/motmot.hpp"

int main() {
  using namespace motmot;
  const ToySample toy = generate({.toy = Toy::d2, .n = 120, .m = 90, .tau_x = 0.1, .seed = 3});
  const Distance w = distance(toy.x, toy.y, {.seed = 5});
  std::printf("%a %a\n", w.value, *w.p_value);
  for (const CriticKind critic : {CriticKind::exact, CriticKind::lipschitz, CriticKind::clipped}) {
    DistanceOptions options{.estimator = Estimator::mom, .critic = critic, .seed = 5};
    options.ascent.steps = 60;
    const Distance e = distance(toy.x, toy.y, options);
    std::printf("%a %a\n", e.value, e.neighbours.paper->sd);
  }
  const Transport t = transport(toy.x, toy.y);
  std::printf("%a %a\n", t.cost, t.u[7]);
}
