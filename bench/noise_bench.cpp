// How often the permutation test rejects: where there is no difference (level) and where there is one
// (power), beside the tests by W1, the energy distance and the kernel distance
// alone and by MMD as it is usually set up (Gaussian kernel, median distance). One line a cell,
// comma-separated.
//
//   noise_bench level  [--runs 400] [--sizes 30,100,300,1000] [--dims 1,2,5,10,50] [--seed 1]
//   noise_bench power  [--runs 200] ...
//   noise_bench blocks [--runs 400] ...     the energy distance: permuting rows against permuting blocks
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "base/statistics.hpp"
#include "inference/energy.hpp"
#include "inference/noise.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

struct Settings {
  std::size_t runs = 0;
  std::vector<std::size_t> sizes{30, 100, 300, 1000}, dims{1, 2, 5, 10, 50};
  std::uint64_t seed = 1;
};

struct Samples {
  Points x, y;
};

/// A difference of the laws, of a size at which tests of n rows find it sometimes.
enum class Change { none, shift, scale, shares, tails, correlation };
const std::map<Change, std::string> change_names{
    {Change::none, "none"},     {Change::shift, "shift"}, {Change::scale, "scale"},
    {Change::shares, "shares"}, {Change::tails, "tails"}, {Change::correlation, "correlation"}};

Points normals(Rng& rng, std::size_t n, std::size_t d) {
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : points.row(i)) value = rng.normal();
  return points;
}

Samples draw(Change change, std::size_t n, std::size_t d, std::uint64_t seed, std::size_t run) {
  Rng rng(seed, Purpose::test, run);
  Samples s{normals(rng, n, d), normals(rng, n, d)};
  const double rows = static_cast<double>(n), columns = static_cast<double>(d);
  const double step = 10 / std::sqrt(rows);  // 1 at 100 rows
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<double> x = s.x.row(i), y = s.y.row(i);
    switch (change) {
      case Change::none:
        break;
      case Change::shift:
        y[0] += 0.38 * std::pow(columns, 0.25) * step;
        break;
      case Change::scale:
        for (double& value : y) value *= 1 + 0.45 / std::pow(columns, 0.4) * step;
        break;
      case Change::shares:  // of two modes, 5 apart
        if (rng.uniform() < 0.3) x[0] += 5;
        if (rng.uniform() < 0.3 + 0.17 * step) y[0] += 5;
        break;
      case Change::tails: {  // Student's t, 3 degrees of freedom, of the same spread in the middle
        const double chi2 = 2 * (rng.exponential() + std::pow(rng.normal(), 2) / 2);
        if (rng.uniform() < step)
          for (double& value : y) value /= std::sqrt(chi2 / 3);
        break;
      }
      case Change::correlation:
        for (std::size_t k = 1; k < d; ++k) {
          const double rho = std::min(0.95, 0.6 * step);
          y[k] = rho * y[0] + std::sqrt(1 - rho * rho) * y[k];
        }
        break;
    }
  }
  return s;
}

/// MMD with a Gaussian kernel whose width is the median distance, on the permutations of the other tests.
double mmd_p_value(const Samples& s, std::uint64_t seed, std::size_t permutations) {
  const std::size_t n = s.x.rows(), all = 2 * n;
  const auto row = [&](std::size_t i) { return i < n ? s.x.row(i) : s.y.row(i - n); };
  std::vector<double> kernel(all * all);
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t j = 0; j < all; ++j) kernel[i * all + j] = euclidean(row(i), row(j));
  const double width = median_of(kernel);
  for (double& value : kernel) value = std::exp(-value * value / (2 * width * width));
  const auto statistic = [&](const Labelling& called_x) {  // only X with X: row sums give the rest
    std::vector<double> w(all, -1.0);
    for (const std::uint32_t i : called_x) w[i] = 1;
    double sum = 0;
    for (std::size_t i = 0; i < all; ++i)
      sum += w[i] * std::inner_product(w.begin(), w.end(), kernel.data() + i * all, 0.0);
    return sum;
  };
  std::vector<double> permuted;
  for (std::size_t b = 0; b < permutations; ++b) {
    Rng rng(seed, Purpose::permutation, b + 1);
    permuted.push_back(statistic(random_labelling(n, n, rng)));
  }
  const double observed = statistic(observed_labelling(n));
  return permutation_p_value(observed, permuted, 1e-9 * observed);
}

class Bench {
 public:
  Noise noise(const Samples& s, std::uint64_t seed) {
    const double w1 = transport(s.x, s.y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
    return *permutation_noise(s.x, s.y, w1, {.seed = seed}, team_, watch_);
  }

  /// p-values of the energy distance: rows permuted, blocks permuted (99 each).
  std::pair<double, double> energy(const Samples& s, std::uint64_t seed) {
    const std::size_t n = s.x.rows();
    std::vector<Labelling> labellings{observed_labelling(n)};
    for (std::size_t b = 1; b < 100; ++b) {
      Rng rng(seed, Purpose::permutation, b);
      labellings.push_back(random_labelling(n, n, rng));
    }
    const auto p_value = [](const std::vector<double>& all) {
      return permutation_p_value(all[0], std::span(all).subspan(1), 0);
    };
    return {p_value(pair_statistics(s.x, s.y, labellings, team_, watch_).energy),
            p_value(block_statistics(s.x, s.y, 99, seed, team_, watch_).values.energy)};
  }

 private:
  Team team_{1};
  Progress progress_;
  Watch watch_{progress_, 0};
};

double percent(int count, std::size_t runs) { return 100.0 * count / static_cast<double>(runs); }

void rates(Bench& bench, const Settings& settings, std::span<const Change> changes, bool with_mmd) {
  fmt::print("change,n,d,runs,joint,w1,energy,kernel{}\n", with_mmd ? ",mmd" : "");
  for (const Change change : changes)
    for (const std::size_t d : settings.dims)
      for (const std::size_t n : settings.sizes) {
        if (change == Change::correlation && d == 1) continue;
        int joint = 0, w1 = 0, energy = 0, kernel = 0, mmd = 0;
        for (std::size_t run = 0; run < settings.runs; ++run) {
          const std::uint64_t seed = settings.seed + 1000 * d + 100000 * n;
          const Samples samples = draw(change, n, d, seed, run);
          const Noise found = bench.noise(samples, seed + run);
          joint += found.p_value <= 0.05;
          w1 += found.w1_p_value <= 0.05;
          energy += found.energy_p_value <= 0.05;
          kernel += found.kernel_p_value.value_or(1) <= 0.05;
          if (with_mmd) mmd += mmd_p_value(samples, seed + run, 99) <= 0.05;
        }
        fmt::print("{},{},{},{},{:.1f},{:.1f},{:.1f},{:.1f}", change_names.at(change), n, d, settings.runs,
                   percent(joint, settings.runs), percent(w1, settings.runs), percent(energy, settings.runs),
                   percent(kernel, settings.runs));
        if (with_mmd) fmt::print(",{:.1f}", percent(mmd, settings.runs));
        fmt::print("\n");
        std::fflush(stdout);
      }
}

void compare_blocks(Bench& bench, const Settings& settings) {
  fmt::print("change,n,d,runs,rows,blocks\n");
  for (const Change change : {Change::none, Change::shift, Change::scale, Change::shares})
    for (const std::size_t d : settings.dims)
      for (const std::size_t n : settings.sizes) {
        int rows = 0, blocks = 0;
        for (std::size_t run = 0; run < settings.runs; ++run) {
          const std::uint64_t seed = settings.seed + 1000 * d + 100000 * n;
          const auto [by_rows, by_blocks] = bench.energy(draw(change, n, d, seed, run), seed + run);
          rows += by_rows <= 0.05;
          blocks += by_blocks <= 0.05;
        }
        fmt::print("{},{},{},{},{:.1f},{:.1f}\n", change_names.at(change), n, d, settings.runs,
                   percent(rows, settings.runs), percent(blocks, settings.runs));
        std::fflush(stdout);
      }
}

std::vector<std::size_t> list_of(const std::string& text) {
  std::vector<std::size_t> values;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) values.push_back(std::stoul(part));
  return values;
}

int run(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  Settings settings{.runs = what == "power" ? 200u : 400u};
  for (std::size_t k = 1; k + 1 < arguments.size(); k += 2) {
    if (arguments[k] == "--runs") settings.runs = std::stoul(arguments[k + 1]);
    if (arguments[k] == "--sizes") settings.sizes = list_of(arguments[k + 1]);
    if (arguments[k] == "--dims") settings.dims = list_of(arguments[k + 1]);
    if (arguments[k] == "--seed") settings.seed = std::stoull(arguments[k + 1]);
  }
  Bench bench;
  if (what == "level") {
    rates(bench, settings, std::array{Change::none}, false);
  } else if (what == "power") {
    rates(bench, settings,
          std::array{Change::shift, Change::scale, Change::shares, Change::tails, Change::correlation}, true);
  } else if (what == "blocks") {
    compare_blocks(bench, settings);
  } else {
    fmt::print(stderr,
               "noise_bench level|power|blocks [--runs N] [--sizes N,...] [--dims D,...] [--seed S]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace motmot

int main(int argc, char** argv) { return motmot::run({argv + 1, argv + argc}); }
