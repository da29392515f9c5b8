// The 1-Lipschitz network against distances known in closed form: shifts and shape changes in several
// dimensions, clean and with outliers. One line a case: mean and range over the seeds of the value and of the
// value on rows held out, as a share of W1 between the laws.
//
//   experiment_networks [--seeds 3] [--n 1000]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/data.hpp"

namespace {

using namespace motmot;

struct Range {
  double sum = 0, least = 1e300, most = -1e300;
  void add(double value) {
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

void run_case(Toy toy, std::size_t d, double tau, std::size_t n, std::size_t seeds) {
  Range value, held_out;
  double lipschitz = 0;
  const double truth = population_w1(toy, d);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const ToySample sample = generate({.toy = toy, .n = n, .m = n, .d = d, .tau_x = tau, .seed = seed});
    const Distance w =
        distance(sample.x, sample.y, {.critic = CriticKind::lipschitz, .tau = {tau, 0}, .seed = seed});
    value.add(w.value / truth);
    held_out.add(w.beside.held_out.value_or(w.value) / truth);
    lipschitz = std::max(lipschitz, w.bounds.lipschitz.value_or(0));
  }
  const auto count = static_cast<double>(seeds);
  fmt::print(
      "{:>6} d = {:2} tau = {:4.2f}: W1 of the laws {:6.3f}, value {:.3f} ({:.3f}-{:.3f}), held out "
      "{:.3f} ({:.3f}-{:.3f}), Lipschitz constant {:.7f}\n",
      name(toy), d, tau, truth, value.sum / count, value.least, value.most, held_out.sum / count,
      held_out.least, held_out.most, lipschitz);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t seeds = 3, n = 1000;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::string_view(argv[k]) == "--seeds") seeds = std::strtoul(argv[k + 1], nullptr, 10);
    if (std::string_view(argv[k]) == "--n") n = std::strtoul(argv[k + 1], nullptr, 10);
  }
  for (const Toy toy : {Toy::d1, Toy::shape})
    for (const std::size_t d : {2u, 10u, 50u})
      for (const double tau : {0.0, 0.05}) run_case(toy, d, tau, n, seeds);
}
