// How often the permutation test rejects: where there is no difference (level) and where there is one
// (power), beside the tests by W1, the energy distance and the kernel distance
// alone and by MMD as it is usually set up (Gaussian kernel, median distance). One line a cell,
// comma-separated.
//
//   noise_bench level  [--runs 400] [--dirt none|scattered|cluster] [--modes 0] [--sizes 30,100,300,1000]
//                      [--dims 1,2,5,10,50] [--seed 1]
//   noise_bench power  [--runs 200] ...
//   noise_bench blocks [--runs 400] ...     the energy distance: permuting rows against permuting blocks
//   noise_bench population [--runs 200] [--dims 2,5,10] ...   the distance between the laws and its interval
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "base/statistics.hpp"
#include "data/without.hpp"
#include "inference/company.hpp"
#include "inference/energy.hpp"
#include "inference/noise.hpp"
#include "inference/population.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

struct Settings {
  std::size_t runs = 0;
  std::vector<std::size_t> sizes{30, 100, 300, 1000}, dims{1, 2, 5, 10, 50};
  std::uint64_t seed = 1;
  std::string dirt = "none";  ///< level: what 5 % of the rows of X are
  std::size_t modes = 0;  ///< level: of both laws; with these or with dirt, rows are left out as by default
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

/// 5 % of the rows of X are no rows of the law: anywhere in a box of 40 sd, or within a sd of one place 8 sd
/// away.
void spoil(Samples& s, const std::string& dirt, std::uint64_t seed, std::size_t run) {
  Rng rng(seed, Purpose::toy_x, run);
  const double away = 8 / std::sqrt(static_cast<double>(s.x.cols()));
  for (std::size_t i = 0; i < s.x.rows() / 20; ++i)
    for (double& value : s.x.row(i))
      value = dirt == "scattered" ? rng.uniform(-20, 20) : away + 0.5 * rng.normal();
}

/// Both laws get the same modes, well apart, of unequal shares: some are about as large as what may be left
/// out.
void add_modes(Samples& s, std::size_t modes, std::uint64_t seed, std::size_t run) {
  Rng rng(seed, Purpose::toy_y, run);
  const std::size_t d = s.x.cols();
  Points centres(modes, d);
  std::vector<double> until;  // sums of shares
  for (std::size_t k = 0; k < modes; ++k) {
    for (double& value : centres.row(k)) value = (d > 20 ? 1.4 : 8) * rng.normal();
    const double share = rng.exponential() + rng.exponential() + rng.exponential();
    until.push_back((until.empty() ? 0 : until.back()) + share);
  }
  for (Points* sample : {&s.x, &s.y})
    for (std::size_t i = 0; i < sample->rows(); ++i) {
      const auto k = std::ranges::upper_bound(until, rng.uniform(0, until.back())) - until.begin();
      const std::span<const double> centre = centres.row(std::min(static_cast<std::size_t>(k), modes - 1));
      for (std::size_t j = 0; j < d; ++j) sample->row(i)[j] += centre[j];
    }
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
    return noise(s, seed, w1, 0);
  }
  Noise noise(const Samples& s, std::uint64_t seed, double w1, std::size_t permutations) {
    const NoiseOptions options{.permutations = permutations, .seed = seed};
    PermutedSolves permuted = permuted_solves(s.x, s.y, options, team_);
    return *permutation_noise(s.x, s.y, w1, options, permuted, team_, watch_);
  }

  /// What the default answer keeps when told that up to 10 % of either sample may be wrong.
  Samples kept(const Samples& s) {
    const PerSample<Company> company = keep_company(s.x, s.y, {0.1, 0.1}, team_);
    return {without(s.x, company.x.left_out), without(s.y, company.y.left_out)};
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
          Samples samples = draw(change, n, d, seed, run);
          if (settings.modes > 0) add_modes(samples, settings.modes, seed, run);
          if (settings.dirt != "none") spoil(samples, settings.dirt, seed, run);
          if (settings.modes > 0 || settings.dirt != "none") samples = bench.kept(samples);
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

// ------------------------------------------------------------------------------------------- population

/// Laws of a row. W1 between a law and its change is known for all of them: the length of a shift; |s - 1|
/// E|X| for X -> s X (the potential is the norm), |s - 1| E|X_1| for the first column alone; for shares of
/// the law and its copy at distance v, the difference of the shares times v.
void draw_row(const std::string& law, Rng& rng, std::span<double> row) {
  double before = 0, scale = 1;
  if (law == "t4") scale = 1 / std::sqrt((rng.exponential() + rng.exponential()) / 2);
  const double cluster = rng.uniform();
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double z = rng.normal();
    if (law == "laplace") row[k] = z < 0 ? -rng.exponential() : rng.exponential();
    if (law == "gamma") row[k] = rng.exponential() + rng.exponential();
    if (law == "lognormal") row[k] = std::exp(0.8 * z);
    if (law == "chain") row[k] = before = 0.8 * before + (k == 0 ? 1 : 0.6) * z;
    if (law == "whole numbers") row[k] = std::round(1.5 * z);
    if (law == "t4") row[k] = scale * z;
    if (law == "sphere" || law == "shell") row[k] = z;
    if (law == "clusters")
      row[k] = z + (cluster < 0.6 ? 0 : 6 * static_cast<double>(k % (cluster < 0.9 ? 2 : 3)));
  }
  if (law != "sphere" && law != "shell") return;
  const double radius = law == "sphere" ? 1 : 3 + 0.3 * rng.normal();
  const double norm = euclidean(row, std::vector<double>(row.size(), 0.0));
  for (double& value : row) value *= radius / norm;
}

enum class Move { shift, scale, first_column, shares };

struct LawChange {
  std::string law;
  Move move;
  double by;
};

const std::vector<LawChange> law_changes{
    {"laplace", Move::shift, 0.8},   {"sphere", Move::shift, 0.4},
    {"gamma", Move::scale, 1.4},     {"shell", Move::scale, 1.25},
    {"clusters", Move::shift, 1.2},  {"chain", Move::shift, 1},
    {"chain", Move::scale, 1.5},     {"whole numbers", Move::shift, 1},
    {"laplace", Move::shares, 0.25}, {"lognormal", Move::first_column, 1.7},
    {"t4", Move::shift, 0.8}};

constexpr double between_modes = 6;

double distance_of_laws(const LawChange& change, std::size_t d) {
  if (change.move == Move::shift) return change.by;
  if (change.move == Move::shares) return change.by * between_modes;
  Rng rng(0, Purpose::toy_x);
  std::vector<double> row(d);
  const std::vector<double> origin(d, 0.0);
  constexpr int draws = 1000000;
  double sum = 0;
  for (int i = 0; i < draws; ++i) {
    draw_row(change.law, rng, row);
    sum += change.move == Move::scale ? euclidean(row, origin) : std::abs(row[0]);
  }
  return std::abs(change.by - 1) * sum / draws;
}

/// Y has 7 rows where X has 10.
Samples draw(const LawChange& change, std::size_t n, std::size_t d, std::uint64_t seed) {
  Rng rng(seed, Purpose::test);
  Samples s{Points(n, d), Points(n * 7 / 10, d)};
  const auto into_mode = [&](std::span<double> row, double share) {
    if (change.move == Move::shares && rng.uniform() < share) row[0] += between_modes;
  };
  for (std::size_t i = 0; i < s.x.rows(); ++i) {
    draw_row(change.law, rng, s.x.row(i));
    into_mode(s.x.row(i), 0.3);
  }
  for (std::size_t j = 0; j < s.y.rows(); ++j) {
    const std::span<double> row = s.y.row(j);
    draw_row(change.law, rng, row);
    into_mode(row, 0.3 + change.by);
    for (std::size_t k = 0; k < d; ++k) {
      if (change.move == Move::shift && k == 0) row[k] += change.by;
      if (change.move == Move::scale || (change.move == Move::first_column && k == 0)) row[k] *= change.by;
    }
  }
  return s;
}

double mean_over(const Points& points, const std::function<double(std::span<const double>)>& of) {
  double sum = 0;
  for (std::size_t i = 0; i < points.rows(); ++i) sum += of(points.row(i));
  return sum / static_cast<double>(points.rows());
}

/// What one would say who is told the kind of change and its column: a difference of two means. It is not
/// always the best that could be said then, but shows how well such samples know their laws.
double told_distance(const LawChange& change, const Samples& s) {
  const std::vector<double> origin(s.x.cols(), 0.0);
  const auto moved = [&](std::span<const double> row) {
    if (change.move == Move::scale) return euclidean(row, origin);
    if (change.move == Move::shares) return row[0] > between_modes / 2 ? between_modes : 0.0;
    return change.move == Move::first_column ? std::abs(row[0]) : row[0];
  };
  return mean_over(s.y, moved) - mean_over(s.x, moved);
}

void cover(Bench& bench, const Settings& settings) {
  const std::map<Move, std::string> moves{{Move::shift, "shift"},
                                          {Move::scale, "scale"},
                                          {Move::first_column, "first column"},
                                          {Move::shares, "shares"}};
  fmt::print("law,change,by,n,d,runs,laws,rmse_w1,rmse,rmse_told,covered,too_low,half_width,above_0\n");
  for (const std::size_t d : settings.dims)
    for (const std::size_t n : settings.sizes)
      for (const LawChange& change : law_changes) {
        const double truth = distance_of_laws(change, d);
        const std::uint64_t seed = settings.seed + 1000 * d + 100000 * n;
        double w1 = 0, squares = 0, told = 0, width = 0;
        int covered = 0, too_low = 0, above = 0;
        for (std::size_t run = 0; run < settings.runs; ++run) {
          const Samples samples = draw(change, n, d, seed + 10 * run);
          const Transport solved = transport(samples.x, samples.y);
          const LawDistance found =
              population_distance(solved, bench.noise(samples, seed + run, solved.cost, 39), d);
          w1 += std::pow(solved.cost - truth, 2);
          squares += std::pow(found.value - truth, 2);
          told += std::pow(told_distance(change, samples) - truth, 2);
          const auto [low, high] = found.interval.value();
          covered += low <= truth && truth <= high;
          too_low += high < truth;
          above += low > 0;
          width += (high - low) / 2;
        }
        const auto runs = static_cast<double>(settings.runs);
        fmt::print("{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.1f},{:.1f},{:.3f},{:.1f}\n", change.law,
                   moves.at(change.move), change.by, n, d, settings.runs, truth, std::sqrt(w1 / runs),
                   std::sqrt(squares / runs), std::sqrt(told / runs), percent(covered, settings.runs),
                   percent(too_low, settings.runs), width / runs, percent(above, settings.runs));
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
  Settings settings{.runs = what == "level" || what == "blocks" ? 400u : 200u};
  if (what == "population") settings.dims = {2, 5, 10};
  for (std::size_t k = 1; k + 1 < arguments.size(); k += 2) {
    if (arguments[k] == "--runs") settings.runs = std::stoul(arguments[k + 1]);
    if (arguments[k] == "--sizes") settings.sizes = list_of(arguments[k + 1]);
    if (arguments[k] == "--dims") settings.dims = list_of(arguments[k + 1]);
    if (arguments[k] == "--dirt") settings.dirt = arguments[k + 1];
    if (arguments[k] == "--modes") settings.modes = std::stoul(arguments[k + 1]);
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
  } else if (what == "population") {
    cover(bench, settings);
  } else {
    fmt::print(
        stderr,
        "noise_bench level|power|blocks|population [--runs N] [--sizes N,...] [--dims D,...] [--seed S]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace motmot

int main(int argc, char** argv) { return motmot::run({argv + 1, argv + argc}); }
