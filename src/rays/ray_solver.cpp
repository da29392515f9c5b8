#include "rays/ray_solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

namespace motmot::solver {
namespace {

constexpr double rounding = 0x1p-44;   // of the largest distance: no epsilon is smaller
constexpr double surely = 1 - 1e-6;    // of the gap that is asked for: others round differently
constexpr double aim = 0.9;            // of the gap that is asked for
constexpr double least_divide = 1.25;  // of epsilon, from phase to phase
constexpr double parts_share = 1e-11;  // of the cost: what parts of points may cost too much
constexpr std::uint64_t searches_for_parts = 64;

/// Neighbours that make one point of the next coarser level: half as close together.
template <std::size_t D>
constexpr std::size_t cluster = std::size_t{1} << D;

template <std::size_t D>
void halve(std::span<const RayPoint<D>> points, std::span<std::uint32_t> order) {
  if (order.size() <= 1) return;
  std::size_t unit = 1;
  while (unit * cluster<D> < order.size()) unit *= cluster<D>;
  std::size_t widest = D - 1;
  double width = -infinite;
  for (std::size_t t = D; t-- > 0;) {
    const auto [low, high] = std::ranges::minmax(order, {}, [&](std::uint32_t k) { return points[k][t]; });
    if (points[high][t] - points[low][t] > width) {
      width = points[high][t] - points[low][t];
      widest = t;
    }
  }
  const std::size_t half = (order.size() / 2 + unit - 1) / unit * unit;
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(half),
                           [&](std::uint32_t p, std::uint32_t q) {
                             const double a = points[p][widest];
                             const double b = points[q][widest];
                             return a != b ? a < b : p < q;
                           });
  halve(points, order.first(half));
  halve(points, order.subspan(half));
}

}  // namespace

template <std::size_t D>
std::vector<std::uint32_t> cluster_order(std::span<const RayPoint<D>> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  halve(points, order);
  return order;
}

template <std::size_t D>
auto RaySolver<D>::arranged(std::span<const Point> at, std::span<const Mass> mass,
                            std::span<const std::uint32_t> order) -> Cloud {
  Cloud cloud;
  for (const std::uint32_t k : order) {
    cloud.at.push_back(at[k]);
    cloud.mass.push_back(mass[k]);
  }
  if (mass.size() > at.size()) cloud.mass.push_back(mass.back());
  return cloud;
}

// Runs of neighbours become their centre of mass.
template <std::size_t D>
auto RaySolver<D>::merged(const Cloud& cloud) -> Cloud {
  Cloud coarse;
  for (std::size_t first = 0; first < cloud.at.size(); first += cluster<D>) {
    Point sum{};
    Mass mass = 0;
    for (std::size_t k = first; k < std::min(first + cluster<D>, cloud.at.size()); ++k) {
      for (std::size_t t = 0; t < D; ++t) sum[t] += static_cast<double>(cloud.mass[k]) * cloud.at[k][t];
      mass += cloud.mass[k];
    }
    for (double& coordinate : sum) coordinate /= static_cast<double>(mass);
    coarse.at.push_back(sum);
    coarse.mass.push_back(mass);
  }
  if (cloud.mass.size() > cloud.at.size()) coarse.mass.push_back(cloud.mass.back());
  return coarse;
}

template <std::size_t D>
double RaySolver<D>::spacing(const Cloud& cloud, const Cloud& merged) {
  double sum = 0;
  for (std::size_t k = 0; k < cloud.at.size(); ++k)
    sum += length(difference(cloud.at[k], merged.at[k / cluster<D>]));
  return sum / static_cast<double>(cloud.at.size());
}

template <std::size_t D>
RayEnd RaySolver<D>::run(const RayProblem<D>& problem, const RaySettings& settings, const Ask& ask) {
  settings_ = settings;
  bids_ = searches_ = 0;
  settled_ = {};
  unit_ = problem.a.front();
  const auto as_first = [&](Mass mass) { return mass == unit_; };
  whole_ = std::ranges::all_of(problem.a.first(problem.rows.size()), as_first) &&
           std::ranges::all_of(problem.b.first(problem.cols.size()), as_first);
  done_ = whole_;
  const std::vector<std::uint32_t> row_order = cluster_order<D>(problem.rows);
  const std::vector<std::uint32_t> col_order = cluster_order<D>(problem.cols);
  std::vector<Cloud> rows{arranged(problem.rows, problem.a, row_order)};
  std::vector<Cloud> cols{arranged(problem.cols, problem.b, col_order)};
  while (std::min(rows.back().at.size(), cols.back().at.size()) > cluster<D> * settings.coarsest) {
    rows.push_back(merged(rows.back()));
    cols.push_back(merged(cols.back()));
  }
  largest_ = 0;
  for (const std::span<const Point> side : {problem.rows, problem.cols})
    for (const Point& p : side) largest_ = std::max(largest_, length(p));
  epsilon_ = largest_ / 4;
  start_.assign(cols.back().mass.size(), 0);
  rays_.assign(cols.back().at.size(), {});
  RayEnd end = RayEnd::settled;
  for (std::size_t level = rows.size(); level-- > 0;) {
    const RayProblem<D> now{rows[level].at, cols[level].at, rows[level].mass, cols[level].mass};
    if (level + 1 < rows.size()) start_from(rows[level + 1], now);
    auction_.begin(now, settings, start_, rays_);
    const double apart = spacing(rows[level], merged(rows[level]));
    if (end == RayEnd::settled) end = descend(now, apart, level == 0, ask);
    bids_ += auction_.bids();
    searches_ += auction_.searches();
    if (end == RayEnd::work_limit) return end;
    minima_ = auction_.row_minima(largest_);
    prices_ = auction_.prices();
  }
  flows_ = auction_.entries();
  if (end == RayEnd::stopped && !settled_.flows.empty())
    std::tie(flows_, prices_, minima_) = std::tie(settled_.flows, settled_.prices, settled_.minima);
  if (done_) place_rest({rows[0].at, cols[0].at, rows[0].mass, cols[0].mass});
  read_off(row_order, col_order);
  return end;
}

// p_j = max_I (u_I - |y_j - X_I|) over the rows of the coarser level, and where that is attained. What is
// left out of Y is such a row, at no distance; what is left out of X keeps its price.
template <std::size_t D>
void RaySolver<D>::start_from(const Cloud& rows, const RayProblem<D>& finer) {
  const std::span<const Point> cols = finer.cols;
  RayTree<D> tree;
  std::vector<Point> open(rows.at.size());
  tree.build(rows.at, open);
  for (std::size_t i = 0; i < rows.at.size(); ++i) tree.set_price(tree.place(i), -minima_[i]);
  tree.fit();
  start_.resize(finer.b.size());
  rays_.resize(cols.size());
  std::uint32_t hint = kernels::ray_nowhere;
  for (std::size_t j = 0; j < cols.size(); ++j) {
    const kernels::RayTwo best = tree.two_smallest(cols[j], 0, kernels::ray_near(hint));
    hint = best.at;
    start_[j] = -best.first;
    rays_[j] = difference(tree.at(best.at), cols[j]);
    if (minima_.size() > rows.at.size() && minima_.back() > start_[j]) {
      start_[j] = minima_.back();
      rays_[j] = {};
    }
  }
  if (finer.b.size() > cols.size()) start_.back() = prices_.back();
}

// The mass of a point where all have the same: then none is ever divided. Otherwise a power of two, for mass
// that is divided further and further bids part by part.
template <std::size_t D>
Mass RaySolver<D>::quantum(const RayProblem<D>& problem) const {
  if (whole_) return unit_;
  const auto mean_of = [](std::span<const Mass> masses, std::size_t points) {
    return std::accumulate(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(points), 0.0) /
           static_cast<double>(points);
  };
  const double mean =
      std::min(mean_of(problem.a, problem.rows.size()), mean_of(problem.b, problem.cols.size()));
  return static_cast<Mass>(
      std::bit_floor(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(settings_.quantum * mean))));
}

// Phases down to an epsilon that goes by the spacing; where masses are whole, on the finest level, by the
// mean distance. Or to the gap that is asked for, on every level: a finer one starts with no smaller epsilon.
template <std::size_t D>
RayEnd RaySolver<D>::descend(const RayProblem<D>& problem, double apart, bool finest, const Ask& ask) {
  const auto limit =
      static_cast<std::uint64_t>(settings_.bids_per_row * static_cast<double>(problem.rows.size()));
  const double total = std::accumulate(problem.a.begin(), problem.a.end(), 0.0);
  const bool to_the_end = finest && done_;
  double last = to_the_end ? 0 : (finest ? settings_.masses_epsilon : settings_.level_epsilon) * apart;
  last = std::max(last, rounding * largest_);
  const auto bids_left = [&] { return limit - std::min(limit, auction_.bids()); };
  for (;;) {
    const std::uint64_t before = auction_.searches();
    const RayEnd end =
        auction_.phase(epsilon_, quantum(problem), bids_left(), settings_.bids_before_paths, ask);
    // The simplex goes on from wherever the auction of divided masses was.
    if (end == RayEnd::work_limit && !whole_) return RayEnd::settled;
    if (end != RayEnd::settled) return end;
    if (epsilon_ <= last) return to_the_end ? settle_parts(problem, ask) : end;
    if (to_the_end && settings_.keep_settled)
      settled_ = {auction_.entries(), auction_.prices(), auction_.row_minima(largest_)};
    const double gap = settings_.gap > 0 || (finest && settings_.on_gap) ? auction_.gap(largest_) : 0;
    if (finest && settings_.on_gap) settings_.on_gap(gap);
    if (settings_.gap > 0 && gap <= surely * settings_.gap) {
      const RayEnd with_parts = to_the_end ? settle_parts(problem, ask) : end;
      const bool settled = with_parts == RayEnd::settled;
      if (!settled || !to_the_end || !done_ || auction_.gap(largest_) <= surely * settings_.gap)
        return with_parts;
    }
    if (to_the_end) last = std::max(settings_.last_epsilon * auction_.cost() / total, rounding * largest_);
    if (!ask()) return RayEnd::stopped;
    // When lists have served most bids, they will for a much smaller epsilon.
    const bool easy = auction_.searches() - before < problem.rows.size() / 2;
    double divide = easy ? settings_.divide_easy : settings_.divide;
    // The gap goes with epsilon: no smaller one than is needed.
    if (settings_.gap > 0) divide = std::clamp(gap / (aim * settings_.gap), least_divide, divide);
    epsilon_ = std::max(epsilon_ / divide, last);
  }
}

// What was rounded so far. Where masses are equal that is at most a part of one point, for what is left out
// is rarely a whole number of them; when it would cost next to nothing anywhere, it is placed anywhere
// (place_rest). The simplex takes what paths do not find soon.
template <std::size_t D>
RayEnd RaySolver<D>::settle_parts(const RayProblem<D>& problem, const Ask& ask) {
  Mass part = 0;
  if (problem.a.size() > problem.rows.size()) part = problem.a.back() % unit_;
  if (problem.b.size() > problem.cols.size()) part = std::max(part, problem.b.back() % unit_);
  part = std::min(part, unit_ - part);
  if (part == 0 || static_cast<double>(part) * auction_.dearest() <= parts_share * auction_.cost())
    return RayEnd::settled;
  // Of twice the epsilon: what the last phase settled is then left as it is.
  const RayEnd end = auction_.phase(2 * epsilon_, 1, searches_for_parts, 0, ask);
  if (end != RayEnd::work_limit) return end;
  done_ = false;
  return RayEnd::settled;
}

// Row after row, to the column that comes next in the order of clusters; what is left out of Y first, for it
// may go to points alone. The flows may be of whole points: of what is left out there may be less.
template <std::size_t D>
void RaySolver<D>::place_rest(const RayProblem<D>& problem) {
  std::vector<Mass> excess(problem.a.begin(), problem.a.end());
  std::vector<Mass> room(problem.b.begin(), problem.b.end());
  for (FlowEntry& flow : flows_) {
    flow.amount = std::min({flow.amount, excess[flow.row], room[flow.col]});
    excess[flow.row] -= flow.amount;
    room[flow.col] -= flow.amount;
  }
  std::uint32_t j = 0;
  const auto place = [&](std::uint32_t i, bool divided) {
    while (excess[i] > 0) {
      while (j < room.size() && (divided ? room[j] == 0 : room[j] < excess[i])) ++j;
      if (j == room.size()) return;
      const Mass amount = std::min(excess[i], room[j]);
      excess[i] -= amount;
      room[j] -= amount;
      flows_.push_back({i, j, amount});
    }
  };
  const auto points = static_cast<std::uint32_t>(problem.rows.size());
  if (excess.size() > points) {
    Mass free = 0;
    for (std::size_t k = 0; k < problem.cols.size(); ++k) free += room[k];
    give_up_farthest(problem, excess[points] - free, excess, room);
    place(points, true);
  }
  // Undivided first: one part of a point would divide all that come after it.
  for (const bool divided : {false, true}) {
    j = 0;
    for (std::uint32_t i = 0; i < points; ++i) place(i, divided);
  }
  std::erase_if(flows_, [](const FlowEntry& flow) { return flow.amount == 0; });
}

template <std::size_t D>
void RaySolver<D>::give_up_farthest(const RayProblem<D>& problem, Mass wanted, std::vector<Mass>& excess,
                                    std::vector<Mass>& room) {
  if (wanted <= 0) return;
  const auto farthest = [&](const FlowEntry& flow) {
    return flow.row < problem.rows.size() && flow.col < problem.cols.size()
               ? -length(difference(problem.rows[flow.row], problem.cols[flow.col]))
               : infinite;
  };
  std::ranges::stable_sort(flows_, {}, farthest);
  for (FlowEntry& flow : flows_) {
    const Mass amount = std::min(flow.amount, wanted);
    flow.amount -= amount;
    excess[flow.row] += amount;
    room[flow.col] += amount;
    wanted -= amount;
  }
}

template <std::size_t D>
void RaySolver<D>::read_off(std::vector<std::uint32_t> rows, std::vector<std::uint32_t> cols) {
  // What is left out stays last.
  if (minima_.size() > rows.size()) rows.push_back(static_cast<std::uint32_t>(rows.size()));
  if (prices_.size() > cols.size()) cols.push_back(static_cast<std::uint32_t>(cols.size()));
  const std::vector<double> minima = minima_;
  for (std::size_t i = 0; i < rows.size(); ++i) minima_[rows[i]] = minima[i];
  const std::vector<double> prices = prices_;
  for (std::size_t j = 0; j < cols.size(); ++j) prices_[cols[j]] = prices[j];
  for (FlowEntry& flow : flows_) flow = {rows[flow.row], cols[flow.col], flow.amount};
}

template class RaySolver<2>;
template class RaySolver<3>;

}  // namespace motmot::solver
