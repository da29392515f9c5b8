#include "answer/subsampling.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "inference/beside.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_draws = 8, fewest_rows = 64;
constexpr unsigned halvings = 4;

/// One pair of subsamples: its W1, and that of its rows mixed.
struct Draw {
  std::size_t size;    ///< which of the sizes
  std::uint64_t turn;  ///< which of its draws
  std::optional<double> value{}, chance{};
};

Points rows_at(PointsView points, std::span<const std::uint32_t> rows) {
  Points some(rows.size(), points.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(points.row(rows[i]), some.row(i).begin());
  return some;
}

/// The rows of both mixed and dealt anew at their sizes.
PerSample<Points> mixed(const PerSample<Points>& pair, Rng rng) {
  std::vector<std::uint32_t> order(pair.x.rows() + pair.y.rows());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  const auto dealt = [&](std::span<const std::uint32_t> part) {
    Points points(part.size(), pair.x.cols());
    for (std::size_t i = 0; i < part.size(); ++i)
      std::ranges::copy(part[i] < pair.x.rows() ? pair.x.row(part[i]) : pair.y.row(part[i] - pair.x.rows()),
                        points.row(i).begin());
    return points;
  };
  const std::span<const std::uint32_t> all(order);
  return {dealt(all.first(pair.x.rows())), dealt(all.subspan(pair.x.rows()))};
}

/// The rows of one size, in the order in which its draws take them.
PerSample<Blocks> orders_of(const SubsamplingTask& task, const SizePoint& size) {
  const auto order = [&](std::size_t n, std::size_t rows, Purpose purpose) {
    Rng rng(task.seed, purpose, rows);
    Blocks blocks = partition_blocks(n, n / rows, rng);
    blocks.index.resize(std::min(blocks.index.size(), size.draws * rows));
    return Blocks{std::move(blocks.index), size.draws, rows};
  };
  return {order(task.x.rows(), size.rows.x, Purpose::smaller_x),
          order(task.y.rows(), size.rows.y, Purpose::smaller_y)};
}

/// Sizes below the rows used, ascending, with their numbers of draws.
std::vector<SizePoint> smaller_sizes(const SubsamplingTask& task) {
  std::vector<SizePoint> sizes;
  for (unsigned k = halvings; k >= 1; --k) {
    SizePoint size{.rows = {task.used.x >> k, task.used.y >> k}};
    if (std::min(size.rows.x, size.rows.y) < fewest_rows) continue;
    const std::size_t room = std::min(task.x.rows() / size.rows.x, task.y.rows() / size.rows.y);
    size.draws = std::min(k == 1 ? most_draws / 2 : most_draws, room);
    sizes.push_back(size);
  }
  return sizes;
}

/// Least squares of y = a + b x with weights; a, b >= 0.
struct Line {
  double a = 0, b = 0;
  double weight = 0, centre = 0, spread = 0;  ///< sum of the weights, weighted mean of x and squares about it

  [[nodiscard]] double variance_at(double x) const {
    return 1 / weight + (spread > 0 ? (x - centre) * (x - centre) / spread : 0);
  }
};

Line fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> weights) {
  Line line;
  double sum_y = 0, products = 0, through_origin = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.weight += weights[i];
    line.centre += weights[i] * x[i];
    sum_y += weights[i] * y[i];
    through_origin += weights[i] * x[i] * y[i];
    squares += weights[i] * x[i] * x[i];
  }
  line.centre /= line.weight;
  const double mean_y = sum_y / line.weight;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.spread += weights[i] * (x[i] - line.centre) * (x[i] - line.centre);
    products += weights[i] * (x[i] - line.centre) * (y[i] - mean_y);
  }
  line.b = line.spread > 0 ? std::max(0.0, products / line.spread) : 0;
  line.a = mean_y - line.b * line.centre;
  if (line.a < 0) line.a = 0, line.b = squares > 0 ? through_origin / squares : 0;
  return line;
}

double rows_of(const SizePoint& size) {
  return common_rows(static_cast<double>(size.rows.x), static_cast<double>(size.rows.y));
}

/// chance = c rows^-power, by the logarithms.
double power_of_chance(std::span<const SizePoint> sizes) {
  std::vector<double> x, y;
  for (const SizePoint& size : sizes) {
    if (!(size.chance > 0)) continue;
    x.push_back(std::log(rows_of(size)));
    y.push_back(-std::log(size.chance));
  }
  if (x.size() < 2) return 0.5;
  const double shift = *std::ranges::min_element(y);  // so that neither end of the line is below 0
  for (double& value : y) value -= shift;
  const double origin = x.front();
  for (double& value : x) value -= origin;
  const Line line = fit_line(x, y, std::vector<double>(x.size(), 1.0));
  return std::clamp(line.b, 0.0, 0.5);  // no sample of a law with two moments falls faster
}

}  // namespace

double common_rows(double x, double y) { return 2 / (1 / x + 1 / y); }

Subsampling fit_sizes(std::vector<SizePoint> sizes, double rows) {
  Subsampling fit{.sizes = std::move(sizes)};
  fit.power = power_of_chance(fit.sizes);
  // The spread falls with the root of the rows: each size with several draws tells it.
  double squares = 0, degrees = 0;
  for (const SizePoint& size : fit.sizes) {
    if (size.draws < 2) continue;
    squares += static_cast<double>(size.draws - 1) * size.sd * size.sd * rows_of(size);
    degrees += static_cast<double>(size.draws - 1);
  }
  const double of_one_row = degrees > 0 ? std::sqrt(squares / degrees) : 0;
  const SizePoint& last = fit.sizes.back();
  fit.spread = of_one_row / std::sqrt(rows_of(last));
  std::vector<double> x, y, weights;
  for (const SizePoint& size : fit.sizes) {
    const double sd = of_one_row / std::sqrt(rows_of(size) * static_cast<double>(size.draws));
    x.push_back(size.chance * size.chance);
    y.push_back(size.value * size.value);
    // Of a square: twice the value times its sd. Where rows do not vary at all, sizes count alike.
    const double of_square = 2 * size.value * sd;
    weights.push_back(of_square > 0 ? 1 / (of_square * of_square) : 1);
  }
  const Line line = fit_line(x, y, weights);
  fit.slope = line.b;
  const double chance = last.chance * std::pow(rows_of(last) / rows, fit.power);
  const double square = line.a + line.b * chance * chance;
  fit.all_rows = std::sqrt(std::max(0.0, square));
  const double sd_of_square = of_one_row > 0 ? std::sqrt(line.variance_at(chance * chance)) : 0;
  fit.all_rows_sd = fit.all_rows > 0 ? std::min(sd_of_square / (2 * fit.all_rows), std::sqrt(sd_of_square))
                                     : std::sqrt(sd_of_square);
  return fit;
}

std::optional<Subsampling> look_at_sizes(const SubsamplingTask& task, Team& team, Watch& watch, double done) {
  std::vector<SizePoint> sizes = smaller_sizes(task);
  if (sizes.size() < 2 || watch.stopped()) return {};
  std::vector<PerSample<Blocks>> orders;
  orders.reserve(sizes.size());
  std::vector<Draw> draws;
  for (std::size_t k = sizes.size(); k-- > 0;)  // the longest first
    for (std::uint64_t t = 0; t < sizes[k].draws; ++t) draws.push_back({k, t});
  for (const SizePoint& size : sizes) orders.push_back(orders_of(task, size));
  watch.run(team, draws.size(), done, [&](std::size_t i, const Progress& progress) {
    Draw& draw = draws[i];
    const PerSample<Blocks>& order = orders[draw.size];
    const PerSample<Points> pair{rows_at(task.x, order.x[draw.turn]), rows_at(task.y, order.y[draw.turn])};
    draw.value = w1(pair.x, pair.y, progress);
    const PerSample<Points> dealt =
        mixed(pair, Rng(task.seed, Purpose::smaller_mixed, draw.size << 32 | draw.turn));
    if (draw.value) draw.chance = w1(dealt.x, dealt.y, progress);
  });
  if (watch.stopped()) return {};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::vector<double> values, chances;
    for (const Draw& draw : draws)
      if (draw.size == k) values.push_back(*draw.value), chances.push_back(*draw.chance);
    sizes[k].value = task.unit * mean_of(values);
    sizes[k].sd = task.unit * sd_of(values, mean_of(values));
    sizes[k].chance = task.unit * mean_of(chances);
  }
  // Chance at the size of the answer follows from the sizes below it: one more solve there would cost most.
  SizePoint last{.rows = task.used, .draws = 1, .value = task.unit * task.value};
  const double power = power_of_chance(sizes);
  last.chance = sizes.back().chance * std::pow(rows_of(sizes.back()) / rows_of(last), power);
  sizes.push_back(last);
  return fit_sizes(std::move(sizes),
                   common_rows(static_cast<double>(task.read.x), static_cast<double>(task.read.y)));
}

}  // namespace motmot
