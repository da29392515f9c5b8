// What the fit over sizes says of more rows, held against the exact distance of more rows:
//   subsampling_bench [--used 1000] [--all 8000] [--runs 5] [--first 0]
// For each case and seed: draws `all` rows of two laws, looks at sizes up to `used` of them as the default
// answer does, and compares the distance of the rows used and the fit's with the exact W1 of all rows. One
// line for each case: means over the runs of both errors as shares of the truth, the root mean square of the
// fit's, and how often the truth lies within two sd of the fit.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "answer/subsampling.hpp"
#include "inference/beside.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

struct Case {
  const char* name;
  Toy toy;
  std::size_t d;
  bool same;          ///< both samples of X's law
  double shrink = 1;  ///< Y is drawn towards X's law: x + shrink (y - x) of the shift
};

Points rows(PointsView points, std::size_t first, std::size_t count) {
  Points some(count, points.cols());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < points.cols(); ++j) some(i, j) = points(first + i, j);
  return some;
}

PerSample<Points> draw(const Case& c, std::size_t n, std::uint64_t seed) {
  const ToySample toy =
      generate({.toy = c.toy, .n = 2 * n, .m = n, .d = c.d, .tau_x = 0, .tau_y = 0, .seed = seed});
  if (c.same) return {rows(toy.x, 0, n), rows(toy.x, n, n)};
  PerSample<Points> pair{rows(toy.x, 0, n), toy.y};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < c.d; ++j) pair.y(i, j) -= 5 * (1 - c.shrink);
  return pair;
}

void measure(const Case& c, std::size_t used, std::size_t all, std::size_t runs, std::uint64_t first) {
  double error_used = 0, error_fit = 0, squares = 0;
  std::size_t covered = 0;
  Team team(1);
  const Progress none;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    const PerSample<Points> pair = draw(c, all, seed);
    const Points x = rows(pair.x, 0, used), y = rows(pair.y, 0, used);
    const double value = *w1(x, y), truth = *w1(pair.x, pair.y);
    Watch watch(none, 0);
    const Subsampling fit = *look_at_sizes(
        {.x = pair.x, .y = pair.y, .used = {used, used}, .read = {all, all}, .value = value, .seed = seed},
        team, watch, 1);
    error_used += value / truth - 1;
    error_fit += fit.all_rows / truth - 1;
    squares += (fit.all_rows / truth - 1) * (fit.all_rows / truth - 1);
    covered += std::abs(fit.all_rows - truth) <= 2 * fit.all_rows_sd ? 1 : 0;
  }
  const auto of = static_cast<double>(runs);
  std::printf("%-16s %2zu  %+7.1f %%  %+7.1f %%  %6.1f %%  %zu of %zu\n", c.name, c.d, 100 * error_used / of,
              100 * error_fit / of, 100 * std::sqrt(squares / of), covered, runs);
  std::fflush(stdout);
}

}  // namespace
}  // namespace motmot

int main(int count, char** words) {
  using motmot::Toy;
  std::size_t used = 1000, all = 8000, runs = 5, first = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::size_t value = std::stoull(words[i + 1]);
    if (std::strcmp(words[i], "--used") == 0) used = value;
    if (std::strcmp(words[i], "--all") == 0) all = value;
    if (std::strcmp(words[i], "--runs") == 0) runs = value;
    if (std::strcmp(words[i], "--first") == 0) first = value;
  }
  const std::vector<motmot::Case> cases{{"shift", Toy::d1, 3, false},
                                        {"small shift", Toy::d1, 3, false, 0.05},
                                        {"small shift", Toy::d1, 10, false, 0.05},
                                        {"shape", Toy::shape, 2, false},
                                        {"shape", Toy::shape, 5, false},
                                        {"shape", Toy::shape, 10, false},
                                        {"shares", Toy::shares, 3, false},
                                        {"same law", Toy::d1, 2, true},
                                        {"same law", Toy::d1, 3, true},
                                        {"same law", Toy::d1, 10, true},
                                        {"same law, t3", Toy::t3, 3, true},
                                        {"lognormal", Toy::lognormal, 3, false, 0.1}};
  std::printf("case              d  rows used  fit      fit's rms  within 2 sd\n");
  for (const motmot::Case& c : cases) motmot::measure(c, used, all, runs, first);
}
