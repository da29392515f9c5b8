#include "rays/ray_auction.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

namespace motmot::solver {
namespace {

using kernels::ray_list;
using kernels::RayTwo;

constexpr double list_reach = 8;         // a list goes this many epsilon beyond the second best
constexpr double reach_to_gap = 4;       // where a gap is asked for: epsilon stays large, and so would lists
constexpr std::size_t short_list = 8;    // with fewer columns the next list of the row
constexpr double farther = 4;            // goes this much farther
constexpr double list_pays = 3;          // and is worth its making anew when it gets this far
constexpr double lists_pay = 1;          // and no list is made when they do not get this far on average
constexpr std::size_t list_trials = 64;  // rows that are asked for that
// Where a gap is asked for, the last rows need not find their best columns when that takes no more than this
// share of it.
constexpr double place_share = 0.3;

}  // namespace

template <std::size_t D>
double RayAuction<D>::reach_of_lists() const noexcept {
  return settings_.gap > 0 ? reach_to_gap : list_reach;
}

template <std::size_t D>
void RayAuction<D>::begin(const RayProblem<D>& problem, const RaySettings& settings,
                          std::span<const double> price, std::span<const Point> rays) {
  problem_ = problem;
  settings_ = settings;
  tree_.build(problem.cols, rays);
  const std::size_t n = problem.a.size();
  const std::size_t places = tree_.places() + problem.b.size() - problem.cols.size();
  slack_row_ = n > problem.rows.size() ? static_cast<std::uint32_t>(problem.rows.size()) : nobody;
  slack_place_ = places > tree_.places() ? static_cast<std::uint32_t>(tree_.places()) : nobody;
  slack_price_ = infinite;
  if (slack_place_ != nobody) slack_price_ = price.back();
  column_of_.assign(places, nobody);
  room_.assign(places, 0);
  for (std::size_t j = 0; j < problem.cols.size(); ++j) tree_.set_price(tree_.place(j), price[j]);
  for (std::size_t j = 0; j < problem.b.size(); ++j) column_of_[place_of(j)] = static_cast<std::uint32_t>(j);
  tree_.fit();
  a_.assign(n, 0);
  b_.assign(problem.b.size(), 0);
  excess_.assign(n, 0);
  held_.reset(n, places, slack_place_);
  queue_.resize(n);
  queued_.assign(n, 0);
  near_.assign(n, {});
  reached_.resize(n);
  ahead_.resize(n);
  first_reach_ = list_reach;
  stamp_.assign(n, 0);
  hidden_at_.assign(places, nobody);
  now_ = 0;
  bids_ = searches_ = changes_ = 0;
}

template <std::size_t D>
double RayAuction<D>::distance(std::uint32_t row, std::uint32_t place) const noexcept {
  if (row == slack_row_) return place == slack_place_ ? infinite : 0;
  if (place == slack_place_) return 0;
  return length(difference(tree_.at(place), problem_.rows[row]));
}

// Whole quanta, so that sums over runs from the first on are right to half a quantum.
template <std::size_t D>
std::vector<Mass> RayAuction<D>::rounded(std::span<const Mass> masses, Mass quantum) {
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

template <std::size_t D>
void RayAuction<D>::set_quantum(Mass quantum) {
  const std::vector<Mass> a = rounded(problem_.a, quantum);
  const std::vector<Mass> b = rounded(problem_.b, quantum);
  for (std::size_t i = 0; i < a.size(); ++i) excess_[i] += a[i] - a_[i];
  for (std::size_t j = 0; j < b.size(); ++j) room_[place_of(j)] += b[j] - b_[j];
  for (std::uint32_t place = 0; place < room_.size(); ++place) {
    held_.each(place, [&](Holdings::Holding& holding) {
      const Mass back = std::min(holding.amount, std::max({Mass{0}, -excess_[holding.row], -room_[place]}));
      holding.amount -= back;
      excess_[holding.row] += back;
      room_[place] += back;
    });
    held_.drop_empty(place);
  }
  a_ = a;
  b_ = b;
}

template <std::size_t D>
void RayAuction<D>::begin_phase(double epsilon, Mass quantum) {
  epsilon_ = epsilon;
  set_quantum(quantum);
  tolerance_ = settings_.tolerance * epsilon;
  tree_.fit();
  choose_lists();
  keep_what_fits();
}

template <std::size_t D>
std::uint32_t RayAuction<D>::next_waiting() noexcept {
  const std::uint32_t row = queue_[front_];
  if (++front_ == queue_.size()) front_ = 0;
  --waiting_;
  queued_[row] = 0;
  return row;
}

// Rows come in no order of places: what one knows is brought from memory while the ones before it bid.
template <std::size_t D>
void RayAuction<D>::fetch(std::uint32_t row) const noexcept {
  constexpr std::size_t line = 64;
  const char* const near = reinterpret_cast<const char*>(near_.data() + row);
  for (std::size_t at = 0; at < sizeof(Near); at += line) __builtin_prefetch(near + at);
}

template <std::size_t D>
RayEnd RayAuction<D>::phase(double epsilon, Mass quantum, std::uint64_t bids, double bids_before_paths,
                            const Ask& ask) {
  begin_phase(epsilon, quantum);
  const std::size_t n = queue_.size();
  const std::size_t few =
      std::max<std::size_t>(2, static_cast<std::size_t>(settings_.few * static_cast<double>(n)));
  const std::uint64_t limit = bids_ + bids;
  std::uint64_t with_few = 0;
  while (waiting_ > 0) {
    const std::uint32_t i = next_waiting();
    if (waiting_ > 1) fetch(queue_[front_ + 1 < queue_.size() ? front_ + 1 : 0]);
    while (excess_[i] > 0) {
      if (bids_ >= limit) return RayEnd::work_limit;
      bid(i);
      if (bids_ % bids_between_questions == 0 && !ask()) return RayEnd::stopped;
    }
    if (waiting_ > few || waiting_ == 0) continue;
    if (settings_.gap > 0 && with_few % (n / 8 + 1) == 0 && place_rest(place_share * settings_.gap * cost()))
      return RayEnd::settled;
    if (static_cast<double>(++with_few) > bids_before_paths * static_cast<double>(n)) {
      settle_by_paths();
      with_few = 0;
      if (!ask()) return RayEnd::stopped;
    }
  }
  return RayEnd::settled;
}

// Lists serve when epsilon is small against what lies between neighbouring columns.
template <std::size_t D>
void RayAuction<D>::choose_lists() {
  const std::size_t n = problem_.rows.size();
  const std::size_t step = std::max<std::size_t>(1, n / list_trials);
  double reach = 0;
  double count = 0;
  for (std::size_t i = 0; i < n; i += step, ++count) {
    const RayTwo best = make_list(static_cast<std::uint32_t>(i), kernels::ray_near(near_[i].hint));
    reach += std::min(near_[i].horizon - best.second, reach_of_lists() * epsilon_);
  }
  use_lists_ = reach > lists_pay * epsilon_ * count;
  for (Near& near : near_) near.list_pays = true;
}

template <std::size_t D>
RayTwo RayAuction<D>::make_list(std::uint32_t row, RayTwo known) {
  const RayTwo best = search(row, known);
  Near& near = near_[row];
  const double reach = std::max(reach_of_lists() * epsilon_, near.reach);
  take_list(row, best.second + reach);
  near.reach = near.count < short_list ? farther * reach : near.horizon - best.second;
  near.list_pays = near.horizon - best.second > list_pays * epsilon_;
  return best;
}

template <std::size_t D>
void RayAuction<D>::take_list(std::uint32_t row, double bound) {
  std::uint32_t place[2 * ray_list];
  double distance[2 * ray_list];
  const auto found = tree_.collect(problem_.rows[row], bound, place, distance);
  Near& near = near_[row];
  std::copy_n(place, found.count, near.place);
  std::copy_n(distance, found.count, near.distance);
  near.count = static_cast<std::uint32_t>(found.count);
  near.horizon = found.horizon;
}

template <std::size_t D>
RayTwo RayAuction<D>::search(std::uint32_t row, RayTwo known) {
  ++searches_;
  const RayTwo best = tree_.two_smallest(problem_.rows[row], tolerance_, known);
  near_[row].hint = best.at;
  return best;
}

template <std::size_t D>
RayTwo RayAuction<D>::nearest_of_list(std::uint32_t row) const noexcept {
  const Near& near = near_[row];
  RayTwo best{infinite, infinite, kernels::ray_nowhere, kernels::ray_nowhere};
  for (std::size_t k = 0; k < near.count; ++k) {
    const double value = near.distance[k] + tree_.price(near.place[k]);
    if (value < best.first) best = {value, best.first, near.place[k], best.at};
    else if (value < best.second) best.second = value, best.next = near.place[k];
  }
  return best;
}

// What a search begins with: the columns of a list that has become too short bound it from the first box on.
template <std::size_t D>
RayTwo RayAuction<D>::or_hint(const RayTwo& of_list, std::uint32_t row) const noexcept {
  return of_list.first < infinite ? of_list : kernels::ray_near(near_[row].hint);
}

template <std::size_t D>
RayTwo RayAuction<D>::nearest(std::uint32_t row) {
  if (use_lists_) {
    const RayTwo of_list = nearest_of_list(row);
    const RayTwo best = or_left_out(of_list);
    if (best.second <= near_[row].horizon + tolerance_) return best;
    const RayTwo known = or_hint(of_list, row);
    return or_left_out(near_[row].list_pays ? make_list(row, known) : search(row, known));
  }
  return or_left_out(search(row, kernels::ray_near(near_[row].hint)));
}

// Every row may be left out, at the same price.
template <std::size_t D>
RayTwo RayAuction<D>::or_left_out(RayTwo best) const noexcept {
  if (slack_price_ < best.first) return {slack_price_, best.first, slack_place_, best.at};
  if (slack_price_ < best.second) best.second = slack_price_, best.next = slack_place_;
  return best;
}

template <std::size_t D>
double RayAuction<D>::best_of(std::uint32_t row) {
  if (row != slack_row_) return nearest(row).first;
  double least = infinite;
  for (std::uint32_t place = 0; place < tree_.places(); ++place) least = std::min(least, tree_.price(place));
  return least;
}

template <std::size_t D>
void RayAuction<D>::wake(std::uint32_t row) {
  if (queued_[row] != 0) return;
  queued_[row] = 1;
  std::size_t back = front_ + waiting_++;
  if (back >= queue_.size()) back -= queue_.size();
  queue_[back] = row;
}

template <std::size_t D>
void RayAuction<D>::keep_what_fits() {
  const auto n = static_cast<std::uint32_t>(queue_.size());
  std::vector<double> best(n);
  for (std::uint32_t i = 0; i < n; ++i) best[i] = best_of(i);
  for (std::uint32_t place = 0; place < room_.size(); ++place) {
    held_.each(place, [&](Holdings::Holding& holding) {
      holding.price = price(place);
      if (distance(holding.row, place) + holding.price <= best[holding.row] + epsilon_) return;
      excess_[holding.row] += holding.amount;
      room_[place] += holding.amount;
      holding.amount = 0;
    });
    held_.drop_empty(place);
  }
  held_.forget_order();
  if (slack_row_ != nobody) find_level();
  front_ = waiting_ = 0;
  std::ranges::fill(queued_, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    if (excess_[i] > 0) wake(i);
}

// What has no place yet goes to the best columns with room, unless that costs more than `most` beyond what
// these rows would pay elsewhere.
template <std::size_t D>
bool RayAuction<D>::place_rest(double most) {
  std::vector<FlowEntry> open;  // by place
  for (std::uint32_t place = 0; place < room_.size(); ++place)
    if (room_[place] > 0) open.push_back({nobody, place, room_[place]});
  std::vector<FlowEntry> moves;
  for (std::size_t k = 0; k < waiting_; ++k) {
    const std::uint32_t row = queue_[(front_ + k) % queue_.size()];
    const double best = best_of(row);
    for (Mass left = excess_[row]; left > 0;) {
      FlowEntry* nearest_open = nullptr;
      double least = infinite;
      for (FlowEntry& other : open) {
        if (other.amount == 0) continue;
        const double value = distance(row, other.col) + price(other.col);
        if (value < least) least = value, nearest_open = &other;
      }
      if (nearest_open == nullptr) return false;  // all that is left over is what is left out
      const Mass amount = std::min(left, nearest_open->amount);
      most -= static_cast<double>(amount) * (least - best);
      if (most < 0) return false;
      moves.push_back({row, nearest_open->col, amount});
      nearest_open->amount -= amount;
      left -= amount;
    }
  }
  for (const FlowEntry& move : moves) {
    const std::uint32_t own = held_.own(move.row, move.col);
    held_[own].amount += move.amount;
    held_.offer(own, move.col, price(move.col));
    excess_[move.row] -= move.amount;
    room_[move.col] -= move.amount;
  }
  return true;
}

template <std::size_t D>
void RayAuction<D>::bid(std::uint32_t row) {
  ++bids_;
  if (row == slack_row_) return bid_for_cheapest();
  const RayTwo best = nearest(row);
  take(row, best.at, price(best.at) + (best.second - best.first) + epsilon_);
}

// The cheapest column that the slack row does not hold whole goes to it when its price is at most the level.
// Otherwise the level rises first, by half an epsilon at least, for all that the row holds rises with it.
template <std::size_t D>
void RayAuction<D>::bid_for_cheapest() {
  std::uint32_t place = by_price_.cheapest(tree_);
  while (place != nobody) {
    const std::uint32_t h = held_.find(slack_row_, place);
    if (h == nobody || held_[h].amount < b_[column_of_[place]]) break;
    by_price_.leave_out_cheapest();
    place = by_price_.cheapest(tree_);
  }
  assert(place != nobody);  // the slack row's mass is less than that of all columns
  if (tree_.price(place) > level_) lift_level(std::max(tree_.price(place), level_ + epsilon_ / 2));
  slack_columns_.push_back(place);
  take(slack_row_, place, std::max(level_, tree_.price(place)) + epsilon_);
}

template <std::size_t D>
void RayAuction<D>::find_level() {
  level_ = best_of(slack_row_);
  by_price_.reset(tree_);
  slack_columns_.clear();
  for (std::uint32_t place = 0; place < tree_.places(); ++place)
    if (held_.find(slack_row_, place) != nobody) slack_columns_.push_back(place);
}

template <std::size_t D>
void RayAuction<D>::lift_level(double level) {
  level_ = level;
  std::ranges::sort(slack_columns_);
  slack_columns_.erase(std::unique(slack_columns_.begin(), slack_columns_.end()), slack_columns_.end());
  std::erase_if(slack_columns_, [&](std::uint32_t place) {
    const std::uint32_t h = held_.find(slack_row_, place);
    if (h == nobody) return true;
    if (held_[h].price < level) {
      held_[h].price = level;
      if (room_[place] == 0) price_full(place, level);
    }
    return false;
  });
}

template <std::size_t D>
void RayAuction<D>::take(std::uint32_t row, std::uint32_t place, double bid) {
  const std::uint32_t own = held_.own(row, place);
  held_.offer(own, place, bid);
  const Mass taken = std::min(excess_[row], room_[place]);
  held_[own].amount += taken;
  excess_[row] -= taken;
  room_[place] -= taken;
  displace_cheaper(row, place, own);
  if (room_[place] == 0) price_full(place, bid);
}

// A full column: its price is what the cheapest holder offered. A column that has no quantum in this phase
// has no holder either: its price rises as long as somebody bids.
template <std::size_t D>
void RayAuction<D>::price_full(std::uint32_t place, double bid) {
  const std::uint32_t h = held_.cheapest(place);
  const double cheapest = h == nobody ? bid : held_[h].price;
  if (cheapest > price(place)) raise(place, cheapest);
}

template <std::size_t D>
void RayAuction<D>::raise(std::uint32_t place, double price) {
  if (place == slack_place_) {
    slack_price_ = price;
    return;
  }
  tree_.raise(place, price);
  if (++changes_ < problem_.cols.size() / 4) return;
  changes_ = 0;
  tree_.fit();
}

template <std::size_t D>
void RayAuction<D>::displace_cheaper(std::uint32_t row, std::uint32_t place, std::uint32_t own) {
  while (excess_[row] > 0) {
    const std::uint32_t h = held_.cheapest(place);
    if (h == nobody || held_[h].price >= held_[own].price) break;
    const std::uint32_t loser = held_[h].row;
    const Mass moved = std::min(excess_[row], held_[h].amount);
    held_[h].amount -= moved;
    held_[own].amount += moved;
    excess_[row] -= moved;
    excess_[loser] += moved;
    if (loser == slack_row_) by_price_.put_back(place, tree_.price(place));
    wake(loser);
  }
  held_.drop_empty(place);
}

template <std::size_t D>
double RayAuction<D>::cost() const {
  double sum = 0;
  held_.all([&](std::uint32_t place, const Holdings::Holding& holding) {
    sum += static_cast<double>(holding.amount) * distance(holding.row, place);
  });
  return sum;
}

template <std::size_t D>
std::vector<double> RayAuction<D>::prices() const {
  std::vector<double> all(b_.size());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = price(place_of(j));
  return all;
}

template <std::size_t D>
std::vector<double> RayAuction<D>::row_minima(double largest) {
  tree_.fit();
  std::vector<double> minima(a_.size());
  for (std::size_t i = 0; i < problem_.rows.size(); ++i)
    minima[i] =
        std::min(slack_price_,
                 tree_.smallest(problem_.rows[i], -1e-14 * largest, kernels::ray_near(near_[i].hint)).value);
  if (slack_row_ != nobody) minima[slack_row_] = best_of(slack_row_);
  return minima;
}

template <std::size_t D>
double RayAuction<D>::gap(double largest) {
  const std::vector<double> minima = row_minima(largest);
  double dual = 0;
  for (std::size_t i = 0; i < minima.size(); ++i) dual += static_cast<double>(a_[i]) * minima[i];
  for (std::size_t j = 0; j < b_.size(); ++j) dual -= static_cast<double>(b_[j]) * price(place_of(j));
  const double primal = cost();
  return primal > dual ? (primal - dual) / primal : 0;
}

template <std::size_t D>
std::vector<FlowEntry> RayAuction<D>::entries() const {
  std::vector<FlowEntry> all;
  held_.all([&](std::uint32_t place, const Holdings::Holding& holding) {
    all.push_back({holding.row, column_of_[place], holding.amount});
  });
  return all;
}

template <std::size_t D>
void ByPrice::reset(const RayTree<D>& tree) {
  heap_.clear();
  for (std::uint32_t place = 0; place < tree.places(); ++place)
    if (tree.price(place) < infinite) heap_.push_back({tree.price(place), place});
  std::ranges::make_heap(heap_, std::greater<>());
}

template <std::size_t D>
std::uint32_t ByPrice::cheapest(const RayTree<D>& tree) {
  while (!heap_.empty()) {
    const auto [price, place] = heap_.front();
    if (tree.price(place) <= price) return place;
    leave_out_cheapest();
    if (tree.price(place) < infinite) put_back(place, tree.price(place));
  }
  return nobody;
}

void ByPrice::leave_out_cheapest() {
  std::ranges::pop_heap(heap_, std::greater<>());
  heap_.pop_back();
}

void ByPrice::put_back(std::uint32_t place, double price) {
  heap_.push_back({price, place});
  std::ranges::push_heap(heap_, std::greater<>());
}

template void ByPrice::reset(const RayTree<2>&);
template void ByPrice::reset(const RayTree<3>&);
template std::uint32_t ByPrice::cheapest(const RayTree<2>&);
template std::uint32_t ByPrice::cheapest(const RayTree<3>&);
template class RayAuction<2>;
template class RayAuction<3>;

}  // namespace motmot::solver
