// How good are the error bar and the corrected value? For each scenario and seed: the exact critic with the
// default K, its value, error bar, correction, trimmed value and partial bound, against exact W1 of the
// inliers. One line of CSV a run; error_bars.py makes the table of it.
//
//   experiment_error_bars [--seeds 24] [--first 1000] [--set tune|confirm|all] > error_bars.csv
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "base/threads.hpp"
#include "critics/exact_fit.hpp"
#include "motmot/data.hpp"
#include "motmot/inference.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

struct Scenario {
  const char* set;  ///< the rules were chosen on `tune` (seeds 0 to 7), judged on `confirm`
  Toy toy;
  std::size_t n, m, d;
  double tau_x, tau_y;  ///< true
  double assumed_x, assumed_y;
};

const Scenario scenarios[] = {
    {"tune", Toy::d1, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::d2, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::far, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::behind, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::inside, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::inside, 500, 500, 2, 0.05, 0.05, 0.05, 0.05},
    {"tune", Toy::both, 500, 500, 2, 0.1, 0.1, 0.1, 0.1},
    {"tune", Toy::shape, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::shape, 500, 500, 10, 0.05, 0, 0.05, 0},
    {"tune", Toy::skewed, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::bimodal, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"tune", Toy::shares, 500, 500, 2, 0.1, 0, 0.1, 0},
    {"confirm", Toy::d1, 400, 700, 2, 0.1, 0.05, 0.1, 0.1},
    {"confirm", Toy::d1, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::d2, 500, 500, 2, 0.1, 0.05, 0.1, 0.1},
    {"confirm", Toy::d2, 300, 300, 5, 0.05, 0, 0.1, 0.1},
    {"confirm", Toy::far, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::behind, 500, 500, 2, 0.1, 0.1, 0.1, 0.1},
    {"confirm", Toy::inside, 500, 500, 2, 0.1, 0.1, 0.1, 0.1},
    {"confirm", Toy::both, 500, 500, 5, 0.05, 0.05, 0.05, 0.05},
    {"confirm", Toy::shape, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::shape, 500, 500, 2, 0.05, 0.05, 0.05, 0.05},
    {"confirm", Toy::shape, 500, 500, 10, 0.1, 0.1, 0.1, 0.1},
    {"confirm", Toy::skewed, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::skewed, 500, 500, 5, 0.1, 0.1, 0.1, 0.1},
    {"confirm", Toy::lognormal, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::lognormal, 500, 500, 2, 0.05, 0.05, 0.05, 0.05},
    {"confirm", Toy::t3, 500, 500, 2, 0.1, 0, 0.1, 0.1},
    {"confirm", Toy::t3, 500, 500, 5, 0.05, 0.05, 0.05, 0.05},
    {"confirm", Toy::bimodal, 500, 500, 2, 0.05, 0, 0.05, 0.05},
    {"confirm", Toy::shares, 500, 500, 2, 0.05, 0, 0.05, 0.05},
};

Points without(PointsView points, const std::vector<std::uint32_t>& rows) {
  Points kept(points.n - rows.size(), points.d);
  auto next = rows.begin();
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.n; ++i) {
    if (next != rows.end() && *next == i) {
      ++next;
      continue;
    }
    std::ranges::copy(points.row(i), kept.row(at++).begin());
  }
  return kept;
}

void run(const Scenario& c, std::uint64_t seed) {
  const ToySample s = generate(
      {.toy = c.toy, .n = c.n, .m = c.m, .d = c.d, .tau_x = c.tau_x, .tau_y = c.tau_y, .seed = seed});
  const double target = transport(without(s.x, s.outliers_x), without(s.y, s.outliers_y)).cost;
  const BlockChoice k = choose_blocks(Estimator::mom, c.n, c.m, c.assumed_x, c.assumed_y);
  Team team(1);
  const ExactFit fit =
      fit_exact({.x = s.x,
                 .y = s.y,
                 .plan = {.scheme = Scheme::shuffle, .k_x = k.k_x, .k_y = k.k_y, .b_x = k.b_x, .b_y = k.b_y},
                 .seed = seed},
                team);
  const Trim trim = trimmed_w1(s.x, s.y, fit.phi_x, fit.phi_y, {.distance_cut = 10, .threads = 1});
  const ErrorBarOptions options{
      .k_x = k.k_x, .k_y = k.k_y, .tau_x = c.assumed_x, .tau_y = c.assumed_y, .seed = seed, .threads = 1};
  const ErrorBar bar = contamination_error_bar(fit.phi_x, fit.phi_y, trim.x, trim.y, options);
  Evidence evidence = gather_evidence(fit.phi_x, fit.phi_y, trim.x, trim.y, options);
  evidence.value = fit.value;
  evidence.bar = bar.bar;
  evidence.trim = trim.value;
  fmt::print("{},{} d{} {}/{},{}/{},{}/{},{},{},{},{},{},{},{},{}\n", c.set, name(c.toy), c.d, c.n, c.m,
             c.tau_x, c.tau_y, c.assumed_x, c.assumed_y, seed, target, fit.value, *bar.bar, bar.contamination,
             bar.corrected.value_or(0), trim.value, disagreements(evidence).size());
  std::fflush(stdout);
}

}  // namespace
}  // namespace motmot

int main(int argc, char** argv) {
  std::uint64_t seeds = 24;
  std::uint64_t first = 1000;
  std::string_view set = "all";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--seeds") seeds = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--first") first = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--set") set = argv[i + 1];
  }
  for (const auto& scenario : motmot::scenarios)
    for (std::uint64_t seed = first; seed < first + seeds; ++seed)
      if (set == "all" || set == scenario.set) motmot::run(scenario, seed);
}
