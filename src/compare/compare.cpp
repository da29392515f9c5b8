// Methods one after another on the same rows, clean and with dirt.
#include "motmot/compare.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "answer/sides.hpp"
#include "base/euclidean.hpp"
#include "base/memory.hpp"
#include "base/progress.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/units.hpp"
#include "data/without.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_rows = 5000;

using Pair = PerSample<Points>;

/// W1 of two sorted samples in one dimension: the area between their quantile functions.
double sorted_w1(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size(), m = y.size();
  double sum = 0;
  std::size_t i = 0, j = 0, at = 0;  // in steps of 1 / (n m)
  while (i < n && j < m) {
    const std::size_t next = std::min((i + 1) * m, (j + 1) * n);
    sum += static_cast<double>(next - at) * std::abs(x[i] - y[j]);
    at = next;
    if (at == (i + 1) * m) ++i;
    if (at == (j + 1) * n) ++j;
  }
  return sum / static_cast<double>(n) / static_cast<double>(m);
}

std::vector<double> seen_along(PointsView points, const std::vector<double>& direction) {
  std::vector<double> seen(points.rows());
  for (std::size_t i = 0; i < seen.size(); ++i)
    seen[i] = std::inner_product(direction.begin(), direction.end(), points.row(i).begin(), 0.0);
  std::ranges::sort(seen);
  return seen;
}

std::vector<double> random_direction(std::size_t d, Rng rng) {
  std::vector<double> direction(d);
  for (double& value : direction) value = rng.normal();
  const double length =
      std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
  for (double& value : direction) value /= length;
  return direction;
}

/// The mean distance between rows of the one and of the other.
double mean_distance(PointsView x, PointsView y, Team& team) {
  std::vector<double> sums(x.rows(), 0.0);
  team.run(x.rows(), [&](std::size_t i, std::size_t) {
    for (std::size_t j = 0; j < y.rows(); ++j) sums[i] += euclidean(x.row(i), y.row(j));
  });
  return mean_of(sums) / static_cast<double>(y.rows());
}

double energy_distance(const Pair& pair, Team& team) {
  return std::max(0.0, 2 * mean_distance(pair.x, pair.y, team) - mean_distance(pair.x, pair.x, team) -
                           mean_distance(pair.y, pair.y, team));
}

// ------------------------------------------------------------------------------------------------- methods

struct Setting {
  const Coding& coding;
  const CompareOptions& options;
  Team& team;
  Progress progress{};
};

DistanceOptions options_of(const Setting& set, Estimator estimator) {
  DistanceOptions o;
  o.estimator = estimator;
  o.tau = {set.options.tau, set.options.tau};
  o.seed = set.options.seed;
  o.threads = set.options.threads;
  o.memory_limit = set.options.memory_limit;
  o.progress = set.progress;
  return o;
}

Distance distance_by(const Pair& pair, const Setting& set, Estimator estimator, bool test) {
  DistanceOptions o = options_of(set, estimator);
  if (estimator == Estimator::company && !test) o.permutations = 0;
  return coded_distance(pair.x, pair.y, set.coding, o);
}

double value_of(Method method, const Pair& pair, const Setting& set) {
  const TransportOptions exact{.want_plan = false, .want_potentials = false, .progress = set.progress};
  const double tau = set.options.tau;
  switch (method) {
    case Method::company:
      return distance_by(pair, set, Estimator::company, false).value;
    case Method::mom:
      return distance_by(pair, set, Estimator::mom, false).value;
    case Method::mou:
      return distance_by(pair, set, Estimator::mou, false).value;
    case Method::mou_diag:
      return distance_by(pair, set, Estimator::mou_diag, false).value;
    case Method::plain:
      return transport(pair.x, pair.y, {}, {}, exact).cost;
    case Method::partial:
      return partial_transport(pair.x, pair.y, tau, tau, exact).cost;
    case Method::sliced:
      return sliced_w1(pair.x, pair.y, 100, set.options.seed);
    case Method::energy:
      return energy_distance(pair, set.team);
  }
  return 0;
}

// ---------------------------------------------------------------------------------------------------- dirt

/// A coordinate that holds a number, and how it is read.
struct NumberAt {
  std::size_t coordinate = 0;
  const CodedColumn* column = nullptr;
};

std::vector<NumberAt> numbers_of(const Coding& coding) {
  std::vector<NumberAt> numbers;
  std::size_t first = 0;
  for (const CodedColumn& column : coding.columns) {
    if (column.kind == Kind::number && column.unit > 0) numbers.push_back({first, &column});
    first += column.width();
  }
  return numbers;
}

std::pair<double, double> range_of(const Pair& pair, std::size_t coordinate) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const Points* points : {&pair.x, &pair.y})
    for (std::size_t i = 0; i < points->rows(); ++i) {
      low = std::min(low, (*points)(i, coordinate));
      high = std::max(high, (*points)(i, coordinate));
    }
  return {low, high};
}

/// -999, -9999, ...: the first that lies as far below the data as these spread. In the column's own unit.
double sentinel_below(double low, double high) {
  double value = -999;
  while (value > low - (high - low) && value > -1e290) value = 10 * value - 9;
  return value;
}

struct Dirty {
  Pair pair{};
  Planted planted{};
};

Dirty plant(Dirt dirt, const Pair& clean, const Setting& set, const std::vector<NumberAt>& numbers,
            const RowList& rows) {
  Dirty dirty{.pair = clean, .planted = {.dirt = dirt, .rows = rows.size()}};
  const auto [at, column] = numbers.front();
  Points& x = dirty.pair.x;
  if (dirt == Dirt::sentinel) {
    const auto [low, high] = range_of(clean, at);
    const double typed = sentinel_below(low * column->unit, high * column->unit);
    for (const std::uint32_t row : rows) x(row, at) = typed / column->unit;
    dirty.planted.what = column->name + " typed as " + significant(typed, 15);
  } else if (dirt == Dirt::decimal) {
    for (const std::uint32_t row : rows) x(row, at) *= 100;
    dirty.planted.what = column->name + " a hundred times too large";
  } else {
    const std::vector<double> spreads = robust_spreads(clean.x, clean.y);
    Rng rng(set.options.seed, Purpose::toy_x, 3);
    for (const auto& number : numbers) {
      const std::size_t k = number.coordinate;
      const double spread = spreads[k] > 0 ? spreads[k] : 1, high = range_of(clean, k).second;
      for (const std::uint32_t row : rows) x(row, k) = high + spread * (20 + 0.1 * rng.normal());
    }
    dirty.planted.what = "all numbers at one place, 20 spreads above the largest";
  }
  return dirty;
}

/// Every dirt, in as many rows of X as may be wrong beside those that stand alone already.
std::vector<Dirty> all_dirt(const Pair& clean, const RowList& alone, const Setting& set) {
  const std::vector<NumberAt> numbers = numbers_of(set.coding);
  require(!numbers.empty(), Errc::invalid_argument, "--stress needs a column of numbers to plant dirt in");
  const std::size_t n = clean.x.rows(), may = share_of(set.options.tau, n);
  require(may > alone.size(), Errc::invalid_argument, "--stress has no room: at most ", may, " of the ", n,
          " rows of X may be wrong, and ", alone.size(), " stand alone already; a larger --tau makes some");
  const RowList others = rows_without(n, alone);
  RowList rows = drawn(others.size(), may - alone.size(), Rng(set.options.seed, Purpose::subsample_x, 3));
  for (std::uint32_t& row : rows) row = others[row];
  std::vector<Dirty> all;
  all.reserve(names<Dirt>.size());
  for (const auto& [name, dirt] : names<Dirt>) all.push_back(plant(dirt, clean, set, numbers, rows));
  return all;
}

Points some_rows(Points points, std::uint64_t seed, Purpose purpose) {
  if (points.rows() <= most_rows) return points;
  const RowList rows = drawn(points.rows(), most_rows, Rng(seed, purpose, 4));
  return without(points, rows_without(points.rows(), rows));
}

/// Below this share of the plain distance a value is what rounding left of 0.
constexpr double rounding = 1e-12;

/// Values that are 0 but for rounding become 0; then what dirt does to each, where there is a value to move.
void settle(std::vector<MethodResult>& methods) {
  const auto plain = std::ranges::find(methods, Method::plain, &MethodResult::method);
  const double least = plain == methods.end() ? 0 : rounding * plain->value;
  const auto settled = [least](double value) { return value < least ? 0 : value; };
  for (MethodResult& method : methods) {
    method.value = settled(method.value);
    for (Stressed& stressed : method.stress) {
      stressed.value = settled(stressed.value);
      if (method.value > 0) stressed.movement = stressed.value / method.value - 1;
    }
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double sliced_w1(PointsView x, PointsView y, std::size_t directions, std::uint64_t seed) {
  require(x.rows() > 0 && y.rows() > 0 && x.cols() == y.cols() && x.cols() > 0, Errc::invalid_argument,
          "both samples need rows, of as many columns");
  require(directions > 0, Errc::invalid_argument, "there must be a direction to look along");
  if (x.cols() == 1) directions = 1;  // there is one line only
  double sum = 0;
  for (std::size_t k = 0; k < directions; ++k) {
    const std::vector<double> direction = random_direction(x.cols(), Rng(seed, Purpose::split_y, k + 1));
    sum += sorted_w1(seen_along(x, direction), seen_along(y, direction));
  }
  return sum / static_cast<double>(directions);
}

std::string_view assumes(Method method) noexcept {
  switch (method) {
    case Method::company:
      return "wrong rows stand alone in their sample, at most tau; W1 of the rest";
    case Method::mom:
      return "wrong rows are a minority of the blocks; medians of block means, one mode";
    case Method::mou:
      return "as mom, over all pairs of blocks: withstands less";
    case Method::mou_diag:
      return "as mom, over pairs of blocks in order";
    case Method::plain:
      return "every row is right; one far row can make it anything";
    case Method::partial:
      return "nothing of where wrong rows lie; leaves out what costs most: a lower bound";
    case Method::sliced:
      return "every row is right; means over directions, below W1 by a constant";
    case Method::energy:
      return "every row is right; grows like the square of a small shift";
  }
  return "";
}

double compare_bytes(std::size_t n, std::size_t m, std::size_t d, const CompareOptions& options) {
  const std::size_t seen_x = std::min(n, most_rows), seen_y = std::min(m, most_rows);
  const auto by = [&](Estimator estimator) {
    DistanceOptions o;
    o.estimator = estimator;
    o.threads = options.threads;
    return distance_bytes(seen_x, seen_y, d, o);
  };
  return sample_bytes(n + m, d) + std::max(by(Estimator::company), by(Estimator::mom));
}

Comparison compare(const Frame& x, const Frame& y, const CompareOptions& options) {
  require(options.tau >= 0 && options.tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 1/2), got ",
          options.tau);
  Team team(options.threads);
  Watch watch(options.progress, 0);
  const Coding coding = learn_coding(x, y, {options.scale, options.category_weight, options.missing});
  Comparison result{.n = x.n(),
                    .m = y.n(),
                    .d = coding.columns.size(),
                    .tau = options.tau,
                    .scale = coding.scale,
                    .seed = options.seed};
  require_memory(compare_bytes(x.n(), y.n(), coding.width(), options), options.memory_limit);
  for (const CodedColumn& column : coding.columns) result.columns.push_back(column.name);
  const Pair clean{some_rows(encode(x, coding), options.seed, Purpose::subsample_x),
                   some_rows(encode(y, coding), options.seed, Purpose::subsample_y)};
  if (clean.x.rows() < x.n() || clean.y.rows() < y.n())
    result.warnings.push_back("the methods see " + std::to_string(clean.x.rows()) + " and " +
                              std::to_string(clean.y.rows()) + " rows, drawn by the seed");
  Setting set{coding, options, team, watch.part(0, 0.1)};
  const Distance answer = distance_by(clean, set, Estimator::company, true);
  result.p_value = answer.p_value;
  const std::vector<Dirty> dirt =
      options.stress && !watch.stopped() ? all_dirt(clean, answer.left_out.x, set) : std::vector<Dirty>{};
  for (const Dirty& dirty : dirt) result.planted.push_back(dirty.planted);
  double done = 0.1;
  const double step = 0.9 / static_cast<double>(names<Method>.size() * (1 + dirt.size()));
  const auto next = [&] {
    set.progress = watch.part(done, done + step);
    done += step;
  };
  for (const auto& [name, method] : names<Method>) {
    MethodResult of{.method = method, .assumes = std::string(assumes(method))};
    next();
    const auto start = std::chrono::steady_clock::now();
    of.value = value_of(method, clean, set);
    of.seconds = seconds_since(start);
    for (const Dirty& dirty : dirt) {
      next();
      of.stress.push_back({.dirt = dirty.planted.dirt, .value = value_of(method, dirty.pair, set)});
    }
    if (watch.stopped()) break;
    result.methods.push_back(std::move(of));
  }
  settle(result.methods);
  result.run = {.stopped = watch.stopped(), .seconds = watch.seconds(), .threads = team.size()};
  if (watch.stopped()) result.warnings.push_back("stopped early: only some of the methods are listed");
  return result;
}

namespace {

/// "-3 %", "+1200 %", "x 1e+09"; "-" where there was nothing to move.
std::string movement_words(const std::optional<double>& movement) {
  if (!movement) return "-";
  if (*movement > 99.5) return "x " + significant(1 + *movement, 3);
  return (*movement >= 0 ? "+" : "") + fixed(100 * *movement, std::abs(*movement) < 0.0995 ? 1 : 0) + " %";
}

}  // namespace

std::string text(const Comparison& c) {
  const bool stress = !c.planted.empty();
  TextTable table(stress ? "lrrrrr" : "lrrl");
  std::vector<std::string> head{"", "value", "seconds"};
  if (stress)
    for (const Planted& planted : c.planted) head.emplace_back(name(planted.dirt));
  else head.emplace_back("assumes");
  table.add(head);
  for (const MethodResult& method : c.methods) {
    std::vector<std::string> row{std::string(name(method.method)), readable(method.value, 4),
                                 significant(method.seconds, 2)};
    if (stress)
      for (const Stressed& stressed : method.stress) row.push_back(movement_words(stressed.movement));
    else row.push_back(method.assumes);
    table.add(row);
  }
  std::string result = table.text("  ");
  if (stress) {
    result += "\n";
    for (const Planted& planted : c.planted)
      result += wrap("  " + padded(name(planted.dirt), 10),
                     counted(planted.rows, "row") + " of X: " + planted.what);
    TextTable assumed("ll");
    for (const MethodResult& method : c.methods)
      assumed.add({std::string(name(method.method)), method.assumes});
    result += "\n" + assumed.text("  ");
  }
  result +=
      "\n" +
      wrap("  ", std::to_string(c.n) + " x " + std::to_string(c.m) + " rows of " + counted(c.d, "column") +
                     ", at most " + percent(c.tau) + " of each wrong" +
                     (c.p_value ? "; p = " + significant(*c.p_value, 2) + " if there is no difference" : ""));
  for (const std::string& warning : c.warnings) result += wrap("  warning: ", warning);
  return result;
}

}  // namespace motmot
