#include "transport/plane_auction.hpp"

#include <algorithm>
#include <cmath>

namespace motmot::solver {
namespace {

using kernels::ray_list;
using kernels::RayTwo;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double list_reach = 8;         // a list goes this many epsilon beyond the second best
constexpr std::size_t short_list = 8;    // with fewer columns the next list of the row
constexpr double farther = 4;            // goes this much farther
constexpr double list_pays = 3;          // and is worth its making anew when it gets this far
constexpr double lists_pay = 1;          // and no list is made when they do not get this far on average
constexpr std::size_t list_trials = 64;  // rows that are asked for that
// Where a gap is asked for, the last rows need not find their best columns when that takes no more than this
// share of it.
constexpr double place_share = 0.3;

}  // namespace

void PlaneAuction::begin(const PlaneProblem& problem, const PlaneSettings& settings,
                         std::span<const double> price, std::span<const PlanePoint> rays) {
  problem_ = problem;
  settings_ = settings;
  tree_.build(problem.cols, rays);
  const std::size_t n = problem.rows.size();
  column_of_.assign(tree_.places(), nobody);
  room_.assign(tree_.places(), 0);
  for (std::size_t j = 0; j < problem.cols.size(); ++j) {
    column_of_[tree_.place(j)] = static_cast<std::uint32_t>(j);
    tree_.set_price(tree_.place(j), price[j]);
  }
  tree_.fit();
  a_.assign(n, 0);
  b_.assign(problem.cols.size(), 0);
  excess_.assign(n, 0);
  head_.assign(tree_.places(), nobody);
  pool_.clear();
  unused_.clear();
  queue_.resize(n);
  queued_.assign(n, 0);
  hint_.assign(n, kernels::ray_nowhere);
  list_count_.assign(n, 0);
  list_place_.resize(n * ray_list);
  list_distance_.resize(n * ray_list);
  horizon_.assign(n, -infinite);
  list_pays_.assign(n, 1);
  reach_.assign(n, 0);
  reached_.resize(n);
  stamp_.assign(n, 0);
  hidden_at_.assign(tree_.places(), nobody);
  now_ = 0;
  bids_ = searches_ = changes_ = 0;
}

double PlaneAuction::distance(std::size_t row, std::size_t place) const noexcept {
  const PlanePoint p = problem_.rows[row];
  const PlanePoint q = tree_.at(place);
  return std::sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
}

// Whole quanta, so that sums over runs from the first on are right to half a quantum.
std::vector<Mass> PlaneAuction::rounded(std::span<const Mass> masses, Mass quantum) {
  std::vector<Mass> all(masses.size());
  Mass sum = 0;
  Mass before = 0;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    sum += masses[k];
    const Mass until = (sum + quantum / 2) / quantum * quantum;
    all[k] = until - before;
    before = until;
  }
  return all;
}

void PlaneAuction::set_quantum(Mass quantum) {
  const std::vector<Mass> a = rounded(problem_.a, quantum);
  const std::vector<Mass> b = rounded(problem_.b, quantum);
  for (std::size_t i = 0; i < a.size(); ++i) excess_[i] += a[i] - a_[i];
  for (std::size_t j = 0; j < b.size(); ++j) room_[tree_.place(j)] += b[j] - b_[j];
  for (std::uint32_t place = 0; place < head_.size(); ++place) {
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next) {
      Holding& holding = pool_[h];
      const Mass back = std::min(holding.amount, std::max({Mass{0}, -excess_[holding.row], -room_[place]}));
      holding.amount -= back;
      excess_[holding.row] += back;
      room_[place] += back;
    }
    drop_empty(place);
  }
  a_ = a;
  b_ = b;
}

PlaneAuction::End PlaneAuction::phase(double epsilon, Mass quantum, std::uint64_t bids, const Ask& ask) {
  epsilon_ = epsilon;
  set_quantum(quantum);
  tolerance_ = settings_.tolerance * epsilon;
  tree_.fit();
  choose_lists();
  keep_what_fits();
  const std::size_t n = problem_.rows.size();
  const std::size_t few =
      std::max<std::size_t>(2, static_cast<std::size_t>(settings_.few * static_cast<double>(n)));
  const std::uint64_t limit = bids_ + bids;
  std::uint64_t with_few = 0;
  while (waiting_ > 0) {
    const std::uint32_t i = queue_[front_];
    if (++front_ == n) front_ = 0;
    --waiting_;
    queued_[i] = 0;
    while (excess_[i] > 0) {
      if (bids_ >= limit) return End::work_limit;
      bid(i);
      if (bids_ % bids_between_questions == 0 && !ask()) return End::stopped;
    }
    if (waiting_ > few || waiting_ == 0) continue;
    if (settings_.gap > 0 && with_few % (n / 8 + 1) == 0 && place_rest(place_share * settings_.gap * cost()))
      return End::settled;
    if (++with_few > settings_.bids_before_paths * n) {
      settle_by_paths();
      with_few = 0;
      if (!ask()) return End::stopped;
    }
  }
  return End::settled;
}

// Lists serve when epsilon is small against what lies between neighbouring columns.
void PlaneAuction::choose_lists() {
  const std::size_t n = problem_.rows.size();
  const std::size_t step = std::max<std::size_t>(1, n / list_trials);
  double reach = 0;
  double count = 0;
  for (std::size_t i = 0; i < n; i += step, ++count) {
    const RayTwo best = make_list(static_cast<std::uint32_t>(i));
    reach += std::min(horizon_[i] - best.second, list_reach * epsilon_);
  }
  use_lists_ = reach > lists_pay * epsilon_ * count;
  std::ranges::fill(list_pays_, 1);
}

RayTwo PlaneAuction::make_list(std::uint32_t row) {
  ++searches_;
  const PlanePoint q = problem_.rows[row];
  const RayTwo best = tree_.two_smallest(q, tolerance_, hint_[row]);
  hint_[row] = best.at;
  std::uint32_t place[2 * ray_list];
  double distance[2 * ray_list];
  const double reach = std::max(list_reach * epsilon_, reach_[row]);
  const auto found = tree_.collect(q, best.second + reach, place, distance);
  reach_[row] = found.count < short_list ? farther * reach : reach;
  std::copy_n(place, found.count, list_place_.data() + row * ray_list);
  std::copy_n(distance, found.count, list_distance_.data() + row * ray_list);
  list_count_[row] = static_cast<std::uint32_t>(found.count);
  horizon_[row] = found.horizon;
  list_pays_[row] = found.horizon - best.second > list_pays * epsilon_;
  return best;
}

RayTwo PlaneAuction::nearest_of_list(std::uint32_t row) const noexcept {
  const std::uint32_t* place = list_place_.data() + row * ray_list;
  const double* distance = list_distance_.data() + row * ray_list;
  RayTwo best{infinite, infinite, kernels::ray_nowhere, kernels::ray_nowhere};
  for (std::size_t k = 0; k < list_count_[row]; ++k) {
    const double value = distance[k] + tree_.price(place[k]);
    if (value < best.first) best = {value, best.first, place[k], best.at};
    else if (value < best.second) best.second = value, best.next = place[k];
  }
  return best;
}

RayTwo PlaneAuction::nearest(std::uint32_t row) {
  if (use_lists_) {
    const RayTwo best = nearest_of_list(row);
    if (best.second <= horizon_[row] + tolerance_) return best;
    if (list_pays_[row] != 0) return make_list(row);
  }
  ++searches_;
  const RayTwo best = tree_.two_smallest(problem_.rows[row], tolerance_, hint_[row]);
  hint_[row] = best.at;
  return best;
}

void PlaneAuction::wake(std::uint32_t row) {
  if (queued_[row] != 0) return;
  queued_[row] = 1;
  std::size_t back = front_ + waiting_++;
  if (back >= queue_.size()) back -= queue_.size();
  queue_[back] = row;
}

void PlaneAuction::keep_what_fits() {
  const auto n = static_cast<std::uint32_t>(problem_.rows.size());
  std::vector<double> best(n);
  for (std::uint32_t i = 0; i < n; ++i) best[i] = nearest(i).first;
  for (std::uint32_t place = 0; place < head_.size(); ++place) {
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next) {
      Holding& holding = pool_[h];
      holding.price = tree_.price(place);
      if (distance(holding.row, place) + holding.price <= best[holding.row] + epsilon_) continue;
      excess_[holding.row] += holding.amount;
      room_[place] += holding.amount;
      holding.amount = 0;
    }
    drop_empty(place);
  }
  front_ = waiting_ = 0;
  std::ranges::fill(queued_, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    if (excess_[i] > 0) wake(i);
}

// What has no place yet goes to the best columns with room, unless that costs more than `most` beyond what
// these rows would pay elsewhere.
bool PlaneAuction::place_rest(double most) {
  std::vector<FlowEntry> open;  // by place
  for (std::uint32_t place = 0; place < room_.size(); ++place)
    if (room_[place] > 0) open.push_back({nobody, place, room_[place]});
  std::vector<FlowEntry> moves;
  for (std::size_t k = 0; k < waiting_; ++k) {
    const std::uint32_t row = queue_[(front_ + k) % queue_.size()];
    const double best = nearest(row).first;
    for (Mass left = excess_[row]; left > 0;) {
      FlowEntry* nearest_open = nullptr;
      double least = infinite;
      for (FlowEntry& other : open) {
        if (other.amount == 0) continue;
        const double value = distance(row, other.col) + tree_.price(other.col);
        if (value < least) least = value, nearest_open = &other;
      }
      const Mass amount = std::min(left, nearest_open->amount);
      most -= static_cast<double>(amount) * (least - best);
      if (most < 0) return false;
      moves.push_back({row, nearest_open->col, amount});
      nearest_open->amount -= amount;
      left -= amount;
    }
  }
  for (const FlowEntry& move : moves) {
    Holding& own = pool_[own_holding(move.row, move.col)];
    own.amount += move.amount;
    own.price = tree_.price(move.col);
    excess_[move.row] -= move.amount;
    room_[move.col] -= move.amount;
  }
  return true;
}

void PlaneAuction::bid(std::uint32_t row) {
  ++bids_;
  const RayTwo best = nearest(row);
  const std::uint32_t place = best.at;
  const double price = tree_.price(place) + (best.second - best.first) + epsilon_;
  const std::uint32_t own = own_holding(row, place);
  pool_[own].price = price;
  const Mass taken = std::min(excess_[row], room_[place]);
  pool_[own].amount += taken;
  excess_[row] -= taken;
  room_[place] -= taken;
  displace_cheaper(row, place, own);
  if (room_[place] == 0) price_full(place, price);
}

// A full column: its price is what the cheapest holder offered. A column that has no quantum in this phase
// has no holder either: its price rises as long as somebody bids.
void PlaneAuction::price_full(std::uint32_t place, double bid) {
  double cheapest = head_[place] == nobody ? bid : infinite;
  for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
    cheapest = std::min(cheapest, pool_[h].price);
  if (cheapest <= tree_.price(place)) return;
  tree_.raise(place, cheapest);
  if (++changes_ < problem_.cols.size() / 4) return;
  changes_ = 0;
  tree_.fit();
}

std::uint32_t PlaneAuction::find_holding(std::uint32_t row, std::uint32_t place) const {
  std::uint32_t h = head_[place];
  while (h != nobody && pool_[h].row != row) h = pool_[h].next;
  return h;
}

std::uint32_t PlaneAuction::own_holding(std::uint32_t row, std::uint32_t place) {
  std::uint32_t h = find_holding(row, place);
  if (h != nobody) return h;
  if (unused_.empty()) {
    h = static_cast<std::uint32_t>(pool_.size());
    pool_.emplace_back();
  } else {
    h = unused_.back();
    unused_.pop_back();
  }
  pool_[h] = {.amount = 0, .price = 0, .row = row, .next = head_[place]};
  head_[place] = h;
  return h;
}

void PlaneAuction::displace_cheaper(std::uint32_t row, std::uint32_t place, std::uint32_t own) {
  while (excess_[row] > 0) {
    std::uint32_t cheapest = own;
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
      if (pool_[h].amount > 0 && pool_[h].price < pool_[cheapest].price) cheapest = h;
    if (cheapest == own) break;
    const std::uint32_t loser = pool_[cheapest].row;
    const Mass moved = std::min(excess_[row], pool_[cheapest].amount);
    pool_[cheapest].amount -= moved;
    pool_[own].amount += moved;
    excess_[row] -= moved;
    excess_[loser] += moved;
    wake(loser);
  }
  drop_empty(place);
}

void PlaneAuction::drop_empty(std::uint32_t place) {
  for (std::uint32_t* link = &head_[place]; *link != nobody;) {
    const std::uint32_t h = *link;
    if (pool_[h].amount > 0) {
      link = &pool_[h].next;
    } else {
      *link = pool_[h].next;
      unused_.push_back(h);
    }
  }
}

double PlaneAuction::cost() const {
  double sum = 0;
  for (std::uint32_t place = 0; place < head_.size(); ++place)
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
      sum += static_cast<double>(pool_[h].amount) * distance(pool_[h].row, place);
  return sum;
}

std::vector<double> PlaneAuction::row_minima(double largest) {
  tree_.fit();
  std::vector<double> minima(problem_.rows.size());
  for (std::size_t i = 0; i < minima.size(); ++i)
    minima[i] = tree_.smallest(problem_.rows[i], -1e-14 * largest, hint_[i]).value;
  return minima;
}

double PlaneAuction::gap(double largest) {
  const std::vector<double> minima = row_minima(largest);
  double dual = 0;
  for (std::size_t i = 0; i < minima.size(); ++i) dual += static_cast<double>(a_[i]) * minima[i];
  for (std::size_t j = 0; j < b_.size(); ++j) dual -= static_cast<double>(b_[j]) * price(j);
  const double primal = cost();
  return primal > dual ? (primal - dual) / primal : 0;
}

std::vector<FlowEntry> PlaneAuction::entries() const {
  std::vector<FlowEntry> all;
  for (std::uint32_t place = 0; place < head_.size(); ++place)
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
      if (pool_[h].amount > 0) all.push_back({pool_[h].row, column_of_[place], pool_[h].amount});
  return all;
}

// Dijkstra from all rows that have something to send. Columns leave the tree when they are reached: every row
// asks for the nearest that is left. Prices of what was reached rise by how much earlier than the end it was:
// then all ways that were used are tight, and holdings stay within what they were of their rows' best.
void PlaneAuction::settle_by_paths() {
  ++now_;
  heap_.clear();
  hidden_.clear();
  sinks_.clear();
  for (std::size_t k = 0; k < waiting_; ++k) {
    std::size_t at = front_ + k;
    if (at >= queue_.size()) at -= queue_.size();
    reach(queue_[at], 0, nobody);
  }
  raise_reached(grow_paths(waiting_));
  for (const std::uint32_t sink : sinks_) send_along(sink);
  tree_.fit();
  changes_ = 0;
  front_ = waiting_ = 0;
  std::ranges::fill(queued_, 0);
  for (std::uint32_t i = 0; i < problem_.rows.size(); ++i)
    if (excess_[i] > 0) wake(i);
}

void PlaneAuction::reach(std::uint32_t row, double at, std::uint32_t via) {
  stamp_[row] = now_;
  if (via == nobody) {
    reached_[row] = {at, at - nearest_in_play(row).value, via, row, false};
  } else {
    const Hidden& held = hidden_[hidden_at_[via]];
    reached_[row] = {at, at - (distance(row, via) + held.price), via, reached_[held.from].start, false};
  }
  look_on(row);
}

// The next column that the row reaches.
void PlaneAuction::look_on(std::uint32_t row) {
  const auto [value, place] = nearest_in_play(row);
  if (place == kernels::ray_nowhere) return;
  heap_.push_back({std::max(reached_[row].distance, reached_[row].base + value), row, place});
  std::ranges::push_heap(heap_, std::greater<>());
}

// A phase lets holdings be worse than the best by epsilon and a tolerance; so may paths. Lists are not made
// anew here: they would lack what is hidden.
kernels::RayOne PlaneAuction::nearest_in_play(std::uint32_t row) {
  if (use_lists_) {
    const RayTwo best = nearest_of_list(row);
    if (best.first <= horizon_[row] + epsilon_ + tolerance_) return {best.first, best.at};
  }
  ++searches_;
  const kernels::RayOne best = tree_.smallest(problem_.rows[row], epsilon_ + tolerance_, hint_[row]);
  hint_[row] = best.at;
  return best;
}

// Returns the distance at which it ends: when most rows that we started from have met a column with room.
double PlaneAuction::grow_paths(std::size_t starts) {
  const auto enough =
      static_cast<std::size_t>(std::ceil(settings_.paths_found * static_cast<double>(starts)));
  std::size_t met = 0;
  double end = 0;
  for (std::size_t steps = 2 * problem_.rows.size(); !heap_.empty() && steps > 0; --steps) {
    std::ranges::pop_heap(heap_, std::greater<>());
    const Step step = heap_.back();
    heap_.pop_back();
    if (tree_.price(step.place) < infinite) {
      end = std::max(end, step.distance);
      hidden_at_[step.place] = static_cast<std::uint32_t>(hidden_.size());
      hidden_.push_back({step.place, step.row, tree_.price(step.place), end});
      tree_.hide(step.place);
      if (room_[step.place] > 0) {
        sinks_.push_back(step.place);
        bool& served = reached_[reached_[step.row].start].served;
        if (!served) ++met;
        served = true;
        if (met >= enough) break;
      }
      for (std::uint32_t h = head_[step.place]; h != nobody; h = pool_[h].next)
        if (stamp_[pool_[h].row] != now_) reach(pool_[h].row, end, step.place);
    }
    look_on(step.row);
  }
  return end;
}

void PlaneAuction::raise_reached(double end) {
  for (const Hidden& hidden : hidden_) {
    const double price = hidden.price + (end - hidden.distance);
    tree_.set_price(hidden.place, price);
    for (std::uint32_t h = head_[hidden.place]; h != nobody; h = pool_[h].next)
      pool_[h].price = std::max(pool_[h].price, price);
  }
}

Mass PlaneAuction::bottleneck(std::uint32_t sink) const {
  Mass amount = room_[sink];
  for (std::uint32_t place = sink;;) {
    const std::uint32_t row = hidden_[hidden_at_[place]].from;
    const std::uint32_t via = reached_[row].via;
    if (via == nobody) return std::min(amount, excess_[row]);
    const std::uint32_t h = find_holding(row, via);
    if (h == nobody) return 0;
    amount = std::min(amount, pool_[h].amount);
    place = via;
  }
}

void PlaneAuction::send_along(std::uint32_t sink) {
  const Mass amount = bottleneck(sink);
  if (amount == 0) return;
  room_[sink] -= amount;
  for (std::uint32_t place = sink;;) {
    const std::uint32_t row = hidden_[hidden_at_[place]].from;
    const std::uint32_t own = own_holding(row, place);
    if (pool_[own].amount == 0) pool_[own].price = tree_.price(place);
    pool_[own].amount += amount;
    const std::uint32_t via = reached_[row].via;
    if (via == nobody) {
      excess_[row] -= amount;
      return;
    }
    pool_[find_holding(row, via)].amount -= amount;
    drop_empty(via);
    place = via;
  }
}

}  // namespace motmot::solver
