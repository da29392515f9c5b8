#include "transport/plane_solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

namespace motmot::solver {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t cluster = 4;
constexpr double rounding = 0x1p-44;   // of the largest distance: no epsilon is smaller
constexpr double surely = 1 - 1e-6;    // of the gap that is asked for: others round differently
constexpr double aim = 0.9;            // of the gap that is asked for
constexpr double least_divide = 1.25;  // of epsilon, from phase to phase

void halve(std::span<const PlanePoint> points, std::span<std::uint32_t> order) {
  if (order.size() <= 1) return;
  std::size_t unit = 1;
  while (unit * cluster < order.size()) unit *= cluster;
  PlanePoint low{infinite, infinite};
  PlanePoint high{-infinite, -infinite};
  for (const std::uint32_t k : order) {
    low = {std::min(low.x, points[k].x), std::min(low.y, points[k].y)};
    high = {std::max(high.x, points[k].x), std::max(high.y, points[k].y)};
  }
  const bool by_x = high.x - low.x > high.y - low.y;
  const std::size_t half = (order.size() / 2 + unit - 1) / unit * unit;
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(half),
                           [&](std::uint32_t p, std::uint32_t q) {
                             const double a = by_x ? points[p].x : points[p].y;
                             const double b = by_x ? points[q].x : points[q].y;
                             return a != b ? a < b : p < q;
                           });
  halve(points, order.first(half));
  halve(points, order.subspan(half));
}

double length(PlanePoint p, PlanePoint q) { return std::hypot(p.x - q.x, p.y - q.y); }

}  // namespace

std::vector<std::uint32_t> cluster_order(std::span<const PlanePoint> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  halve(points, order);
  return order;
}

PlaneSolver::Cloud PlaneSolver::arranged(std::span<const PlanePoint> at, std::span<const Mass> mass,
                                         std::span<const std::uint32_t> order) {
  Cloud cloud;
  for (const std::uint32_t k : order) {
    cloud.at.push_back(at[k]);
    cloud.mass.push_back(mass[k]);
  }
  return cloud;
}

// Runs of four become their centre of mass.
PlaneSolver::Cloud PlaneSolver::merged(const Cloud& cloud) {
  Cloud coarse;
  for (std::size_t first = 0; first < cloud.at.size(); first += cluster) {
    double x = 0;
    double y = 0;
    Mass mass = 0;
    for (std::size_t k = first; k < std::min(first + cluster, cloud.at.size()); ++k) {
      x += static_cast<double>(cloud.mass[k]) * cloud.at[k].x;
      y += static_cast<double>(cloud.mass[k]) * cloud.at[k].y;
      mass += cloud.mass[k];
    }
    coarse.at.push_back({x / static_cast<double>(mass), y / static_cast<double>(mass)});
    coarse.mass.push_back(mass);
  }
  return coarse;
}

double PlaneSolver::spacing(const Cloud& cloud, const Cloud& merged) {
  double sum = 0;
  for (std::size_t k = 0; k < cloud.at.size(); ++k) sum += length(cloud.at[k], merged.at[k / cluster]);
  return sum / static_cast<double>(cloud.at.size());
}

PlaneAuction::End PlaneSolver::run(const PlaneProblem& problem, const PlaneSettings& settings,
                                   const Ask& ask) {
  settings_ = settings;
  bids_ = searches_ = 0;
  settled_ = {};
  const auto as_first = [&](Mass mass) { return mass == problem.a.front(); };
  whole_ = problem.a.size() == problem.b.size() && std::ranges::all_of(problem.a, as_first) &&
           std::ranges::all_of(problem.b, as_first);
  const std::vector<std::uint32_t> row_order = cluster_order(problem.rows);
  const std::vector<std::uint32_t> col_order = cluster_order(problem.cols);
  std::vector<Cloud> rows{arranged(problem.rows, problem.a, row_order)};
  std::vector<Cloud> cols{arranged(problem.cols, problem.b, col_order)};
  while (std::min(rows.back().at.size(), cols.back().at.size()) > cluster * settings.coarsest) {
    rows.push_back(merged(rows.back()));
    cols.push_back(merged(cols.back()));
  }
  largest_ = 0;
  for (const std::span<const PlanePoint> side : {problem.rows, problem.cols})
    for (const PlanePoint p : side) largest_ = std::max(largest_, std::hypot(p.x, p.y));
  epsilon_ = largest_ / 4;
  start_.assign(cols.back().at.size(), 0);
  rays_.assign(cols.back().at.size(), {0, 0});
  PlaneAuction::End end = PlaneAuction::End::settled;
  for (std::size_t level = rows.size(); level-- > 0;) {
    const PlaneProblem now{rows[level].at, cols[level].at, rows[level].mass, cols[level].mass};
    if (level + 1 < rows.size()) start_from(rows[level + 1], now.cols);
    auction_.begin(now, settings, start_, rays_);
    const double apart = spacing(rows[level], merged(rows[level]));
    if (end == PlaneAuction::End::settled) end = descend(now, apart, level == 0, ask);
    bids_ += auction_.bids();
    searches_ += auction_.searches();
    if (end == PlaneAuction::End::work_limit) return end;
    minima_ = auction_.row_minima(largest_);
  }
  flows_ = auction_.entries();
  prices_ = current_prices();
  if (whole_ && end == PlaneAuction::End::stopped) {
    if (settled_.flows.empty()) place_rest({rows[0].at, cols[0].at, rows[0].mass, cols[0].mass});
    else std::tie(flows_, prices_, minima_) = std::tie(settled_.flows, settled_.prices, settled_.minima);
  }
  read_off(problem, row_order, col_order);
  return end;
}

// p_j = max_I (u_I - |y_j - X_I|) over the rows of the coarser level, and where that is attained.
void PlaneSolver::start_from(const Cloud& rows, std::span<const PlanePoint> cols) {
  RayTree tree;
  std::vector<PlanePoint> open(rows.at.size(), {0, 0});
  tree.build(rows.at, open);
  for (std::size_t i = 0; i < rows.at.size(); ++i) tree.set_price(tree.place(i), -minima_[i]);
  tree.fit();
  start_.resize(cols.size());
  rays_.resize(cols.size());
  std::uint32_t hint = kernels::ray_nowhere;
  for (std::size_t j = 0; j < cols.size(); ++j) {
    const kernels::RayTwo best = tree.two_smallest(cols[j], 0, hint);
    hint = best.at;
    start_[j] = -best.first;
    rays_[j] = {tree.at(best.at).x - cols[j].x, tree.at(best.at).y - cols[j].y};
  }
}

std::vector<double> PlaneSolver::current_prices() const {
  std::vector<double> all(auction_.columns());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = auction_.price(j);
  return all;
}

// One unit where all masses are equal: then none is ever divided. Otherwise a power of two, for mass that is
// divided further and further bids part by part.
Mass PlaneSolver::quantum(const PlaneProblem& problem) const {
  if (whole_) return 1;
  const double total = std::accumulate(problem.a.begin(), problem.a.end(), 0.0);
  const double mean = total / static_cast<double>(std::max(problem.rows.size(), problem.cols.size()));
  return static_cast<Mass>(
      std::bit_floor(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(settings_.quantum * mean))));
}

// Phases down to an epsilon that goes by the spacing; where masses are whole, on the finest level, by the
// mean distance. Or to the gap that is asked for, on every level: a finer one starts with no smaller epsilon.
PlaneAuction::End PlaneSolver::descend(const PlaneProblem& problem, double apart, bool finest,
                                       const Ask& ask) {
  const auto limit =
      static_cast<std::uint64_t>(settings_.bids_per_row * static_cast<double>(problem.rows.size()));
  const double total = std::accumulate(problem.a.begin(), problem.a.end(), 0.0);
  const bool to_the_end = finest && whole_;
  double last = to_the_end ? 0 : (finest ? settings_.masses_epsilon : settings_.level_epsilon) * apart;
  last = std::max(last, rounding * largest_);
  for (;;) {
    const std::uint64_t before = auction_.searches();
    const PlaneAuction::End end =
        auction_.phase(epsilon_, quantum(problem), limit - std::min(limit, auction_.bids()), ask);
    // The simplex goes on from wherever the auction of divided masses was.
    if (end == PlaneAuction::End::work_limit && !whole_) return PlaneAuction::End::settled;
    if (end != PlaneAuction::End::settled || epsilon_ <= last) return end;
    if (to_the_end && settings_.keep_settled)
      settled_ = {auction_.entries(), current_prices(), auction_.row_minima(largest_)};
    const double gap = settings_.gap > 0 || (finest && settings_.on_gap) ? auction_.gap(largest_) : 0;
    if (finest && settings_.on_gap) settings_.on_gap(gap);
    if (settings_.gap > 0 && gap <= surely * settings_.gap) return end;
    if (to_the_end) last = std::max(settings_.last_epsilon * auction_.cost() / total, rounding * largest_);
    if (!ask()) return PlaneAuction::End::stopped;
    // When lists have served most bids, they will for a much smaller epsilon.
    const bool easy = auction_.searches() - before < problem.rows.size() / 2;
    double divide = easy ? settings_.divide_easy : settings_.divide;
    // The gap goes with epsilon: no smaller one than is needed.
    if (settings_.gap > 0) divide = std::clamp(gap / (aim * settings_.gap), least_divide, divide);
    epsilon_ = std::max(epsilon_ / divide, last);
  }
}

// Row after row, to the column that comes next in the order of clusters.
void PlaneSolver::place_rest(const PlaneProblem& problem) {
  std::vector<Mass> excess(problem.a.begin(), problem.a.end());
  std::vector<Mass> room(problem.b.begin(), problem.b.end());
  for (const FlowEntry& flow : flows_) {
    excess[flow.row] -= flow.amount;
    room[flow.col] -= flow.amount;
  }
  std::uint32_t j = 0;
  for (std::uint32_t i = 0; i < excess.size(); ++i)
    while (excess[i] > 0) {
      while (room[j] == 0) ++j;
      const Mass amount = std::min(excess[i], room[j]);
      excess[i] -= amount;
      room[j] -= amount;
      flows_.push_back({i, j, amount});
    }
}

void PlaneSolver::read_off(const PlaneProblem& problem, std::span<const std::uint32_t> rows,
                           std::span<const std::uint32_t> cols) {
  const std::vector<double> minima = std::move(minima_);
  minima_.resize(problem.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) minima_[rows[i]] = minima[i];
  const std::vector<double> prices = std::move(prices_);
  prices_.resize(problem.cols.size());
  for (std::size_t j = 0; j < cols.size(); ++j) prices_[cols[j]] = prices[j];
  for (FlowEntry& flow : flows_) flow = {rows[flow.row], cols[flow.col], flow.amount};
}

}  // namespace motmot::solver
