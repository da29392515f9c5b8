// Problems made of bytes: sizes, ties, weights, offsets and scales, each solved by the clever routine and by
// its plain twin.
#include <cmath>

#include "base/euclidean.hpp"
#include "fuzz/fuzz.hpp"
#include "motmot/answer.hpp"
#include "motmot/outliers.hpp"
#include "neighbours/neighbours.hpp"
#include "neighbours/plain.hpp"
#include "transport/engine.hpp"
#include "transport/reference.hpp"

namespace motmot::fuzz {
namespace {

/// Rows of a lattice: few bytes give many ties.
Points lattice(Choices& choices, std::size_t n, std::size_t d, std::size_t fineness) {
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : points.row(i)) value = static_cast<double>(choices.byte() >> fineness);
  return points;
}

std::vector<std::int64_t> weights(Choices& choices, std::size_t n, std::size_t kind) {
  std::vector<std::int64_t> all(n, 1);
  if (kind > 0)
    for (std::int64_t& weight : all)
      weight = kind == 1 ? choices.byte() : choices.below(3) * choices.byte() * choices.byte();
  if (std::ranges::all_of(all, [](std::int64_t weight) { return weight == 0; })) all[0] = 1;
  return all;
}

test::Case problem_of(Choices& choices, std::size_t most) {
  const std::size_t d = 1 + choices.below(4), n = 1 + choices.below(most),
                    m = choices.coin() ? n : 1 + choices.below(most);
  const std::size_t fineness = choices.below(8), kind_x = choices.below(3), kind_y = choices.below(3);
  test::Case problem;
  problem.x = {lattice(choices, n, d, fineness), weights(choices, n, kind_x)};
  problem.y = {lattice(choices, m, d, fineness), weights(choices, m, kind_y)};
  return problem;
}

/// offset + 2^power * points: exact, so that the distances are, too.
Points moved(const Points& points, double offset, int power) {
  std::vector<double> values = points.values();
  for (double& value : values) value = std::ldexp(value + offset, power);
  return {std::move(values), points.cols()};
}

void expect_near(double a, double b, double tolerance, std::string_view what) {
  expect(std::abs(a - b) <= tolerance,
         std::string(what) + ": " + std::to_string(a) + " and " + std::to_string(b));
}

void solve_transport(std::string_view bytes) {
  Choices choices(bytes);
  constexpr double offsets[] = {0, 1 << 30, -1e15, 3};
  constexpr int powers[] = {0, -1030, 900, -30};
  const double offset = offsets[choices.below(4)];
  const int power = powers[choices.below(4)];
  const bool by_tree = choices.coin();
  const test::Case problem = problem_of(choices, 14);
  const auto a = problem.x.real_weights(), b = problem.y.real_weights();
  const double expected = test::lemon_w1(problem.x, problem.y);
  TransportWorkspace workspace;
  if (by_tree) {
    solver::Settings& settings = engine_of(workspace).settings;
    settings.rays.fewest = settings.rays.fewest_in_space = settings.nodes_for_tour = 2;
  }
  const Transport plain = transport(workspace, problem.x.points, problem.y.points, a, b);
  expect_near(plain.cost, expected, 1e-9 * expected + 1e-13, "transport and LEMON");
  test::expect_certified(plain, problem.x.points, problem.y.points, a, b, by_tree ? 1e-10 : 1e-12);
  const Points x = moved(problem.x.points, offset, power), y = moved(problem.y.points, offset, power);
  const Transport far = transport(workspace, x, y, a, b);
  expect(far.cost >= 0 && far.gap >= 0 && std::isfinite(far.cost) && std::isfinite(far.gap),
         "cost and gap are finite and not below 0");
  expect_near(std::ldexp(far.cost, -power), expected, 1e-9 * expected + 1e-13, "transport far off and LEMON");
  const Transport back = transport(workspace, problem.y.points, problem.x.points, b, a);
  expect_near(back.cost, plain.cost, 1e-10 * plain.cost, "transport there and back");
}

void solve_partial(std::string_view bytes) {
  Choices choices(bytes);
  const test::Case problem = problem_of(choices, 10);
  const Points &x = problem.x.points, &y = problem.y.points;
  const auto kept = [&](std::size_t n) { return static_cast<std::int64_t>(n - choices.below(n)); };
  const std::int64_t kept_x = kept(x.rows()), kept_y = kept(y.rows());
  const auto tau = [](std::int64_t rows, std::size_t n) {
    return 1 - static_cast<double>(rows) / static_cast<double>(n);
  };
  const Transport partial = partial_transport(x, y, tau(kept_x, x.rows()), tau(kept_y, y.rows()));
  const double expected = test::lemon_partial(x, y, kept_x, kept_y);
  expect_near(partial.cost, expected, 1e-9 * expected + 1e-8, "partial transport and LEMON");
  expect(partial.gap >= 0 && partial.cost - partial.gap <= expected + 1e-9 * expected + 1e-12,
         "the certified bound is below the optimum");
}

void find_neighbours(std::string_view bytes) {
  Choices choices(bytes);
  const int power = std::vector{0, -1030, 980, -60}[choices.below(4)];
  const std::size_t d = 1 + choices.below(5), n = 2 + choices.below(80), fineness = choices.below(8);
  const Points points = moved(lattice(choices, n, d, fineness), choices.coin() ? 1 << 30 : 0, power);
  std::vector<std::size_t> ks{1 + choices.below(n - 1)};
  if (ks[0] + 1 < n) ks.push_back(ks[0] + 1);
  Team team(1);
  const auto found = kth_distances(points, ks, team), plain = plain_kth_distances(points, ks, team);
  for (std::size_t k = 0; k < ks.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      expect_near(found[k][i], plain[k][i], 1e-12 * plain[k][i], "the k-th neighbour and all distances");
}

Frame frame_of(const Points& points) {
  Frame frame;
  for (std::size_t k = 0; k < points.cols(); ++k) {
    frame.columns.push_back({.name = "c" + std::to_string(k + 1)});
    for (std::size_t i = 0; i < points.rows(); ++i) frame.columns.back().numbers.push_back(points(i, k));
  }
  return frame;
}

void answer(std::string_view bytes) {
  Choices choices(bytes);
  const int power = std::vector{0, -1060, 950, -30}[choices.below(4)];
  const double offset = choices.coin() ? 1 << 30 : 0;
  const std::uint8_t bits = choices.byte();
  const test::Case problem = problem_of(choices, 40);
  const Points x = moved(problem.x.points, offset, power), y = moved(problem.y.points, offset, power);
  const double tau = 0.01 * choices.below(50);
  const std::string scale = bits & 1 ? "robust" : "none";
  const Distance w = distance(x, y,
                              {.estimator = names<Estimator>[bits >> 1 & 3].value,
                               .tau = {tau, tau},
                               .tau_auto = (bits & 6) == 0 && (bits & 8) != 0,
                               .scale = scale,
                               .permutations = 9,
                               .read_out = 5,
                               .threads = 1});
  const auto sound = [](double value) { return std::isfinite(value) && value >= 0; };
  expect(sound(w.value), "the distance is finite and not below 0");
  if (w.interval)
    expect(sound(w.interval->low) && w.interval->low <= w.interval->high && std::isfinite(w.interval->high),
           "the interval is one");
  if (w.p_value) expect(*w.p_value > 0 && *w.p_value <= 1, "the p-value is one");
  if (w.plain) expect(sound(*w.plain), "the distance of all rows is finite and not below 0");
  if (w.partial && w.plain)
    expect(sound(*w.partial) && *w.partial <= *w.plain * (1 + 1e-9) + 1e-300,
           "partial transport costs no more than all rows");
  static_cast<void>(text(w, {.verbose = true}));
  const Outliers found = outliers(frame_of(x), frame_of(y), {.scale = scale, .threads = 1});
  for (const OutlierRow& row : found.rows) expect(!std::isnan(row.score), "a score is a number");
  static_cast<void>(text(found));
}

std::vector<std::string> problems() {
  std::vector<std::string> seeds;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed, Purpose::test);
    std::string bytes(10 + 12 * seed, '\0');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    seeds.push_back(std::move(bytes));
  }
  return seeds;
}

}  // namespace

std::vector<Target> solver_targets() {
  return {{"transport", solve_transport, problems},
          {"partial", solve_partial, problems},
          {"neighbours", find_neighbours, problems},
          {"answer", answer, problems}};
}

}  // namespace motmot::fuzz
