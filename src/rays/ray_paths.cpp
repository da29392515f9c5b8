// The search for shortest paths by which a phase of the auction ends.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "rays/ray_auction.hpp"

namespace motmot::solver {
namespace {

constexpr double reach_grows = 10;    // from look to look of one row
constexpr double reach_learns = 1.1;  // of rows that are reached, from row to row
// In epsilon: many columns in one place, or few in play at all, would take it to zero or to infinity.
constexpr double least_reach = 1e-2, most_reach = 1e12;
constexpr std::size_t most_steps = 16;  // a row: what takes more is left to bids

}  // namespace

// Dijkstra from all rows that have something to send. Columns leave the tree when they are reached: every row
// goes on to the nearest that is left. Prices of what was reached rise by how much earlier than the end it
// was: then all ways that were used are tight, and holdings stay within what they were of their rows' best.
template <std::size_t D>
void RayAuction<D>::settle_by_paths() {
  ++now_;
  if (slack_row_ != nobody) left_by_price_.reset(tree_);
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
  for (std::uint32_t i = 0; i < excess_.size(); ++i)
    if (excess_[i] > 0) wake(i);
  held_.forget_order();
  if (slack_row_ != nobody) find_level();
}

template <std::size_t D>
void RayAuction<D>::reach(std::uint32_t row, double at, std::uint32_t via) {
  stamp_[row] = now_;
  double pays = 0;
  if (via == nobody) {
    pays = nearest_in_play(row).value;
    reached_[row] = {at, at - pays, via, row, excess_[row], excess_[row]};
  } else {
    const Hidden& held = hidden_[hidden_at_[via]];
    const Reached& from = reached_[held.from];
    pays = distance(row, via) + held.price;
    const Mass holds = held_[held_.find(row, via)].amount;
    reached_[row] = {at, at - pays, via, from.start, std::min(from.most, holds), 0};
  }
  if (row != slack_row_) {
    const Near& near = near_[row];
    ahead_[row].reach = first_reach_ * epsilon_;
    if (use_lists_ && near.horizon > pays)
      keep_ahead(row, {near.place, near.count}, {near.distance, near.count}, near.horizon);
    else look_around(row, pays);
  }
  look_on(row);
}

// The columns in play from where it knows all; farther and farther, for what is behind many that are out of
// play is far away.
template <std::size_t D>
void RayAuction<D>::look_around(std::uint32_t row, double from) {
  ++searches_;
  std::uint32_t place[2 * kernels::ray_list];
  double distance[2 * kernels::ray_list];
  Ahead& ahead = ahead_[row];
  const auto found = tree_.collect(problem_.rows[row], from + ahead.reach, place, distance);
  keep_ahead(row, {place, found.count}, {distance, found.count}, found.horizon);
  const bool first = ahead.reach == first_reach_ * epsilon_;
  if (found.count < kernels::ray_list) ahead.reach *= reach_grows;
  // Rows that are reached later learn from it.
  if (first && found.count == kernels::ray_list)
    first_reach_ = std::max(first_reach_ / reach_learns, least_reach);
  if (first && found.count < kernels::ray_list / 4)
    first_reach_ = std::min(first_reach_ * reach_learns, most_reach);
}

template <std::size_t D>
void RayAuction<D>::keep_ahead(std::uint32_t row, std::span<const std::uint32_t> place,
                               std::span<const double> distance, double horizon) {
  Ahead& ahead = ahead_[row];
  ahead.count = ahead.at = 0;
  ahead.horizon = horizon;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const double value = distance[k] + tree_.price(place[k]);
    if (value > ahead.horizon || value == infinite) continue;
    if (ahead.count == Ahead::most) {
      ahead.horizon = std::max(value, ahead.value[ahead.count - 1]);
      if (value >= ahead.value[ahead.count - 1]) continue;
      --ahead.count;
    }
    std::uint32_t to = ahead.count++;
    for (; to > 0 && ahead.value[to - 1] > value; --to) {
      ahead.value[to] = ahead.value[to - 1];
      ahead.place[to] = ahead.place[to - 1];
    }
    ahead.value[to] = value;
    ahead.place[to] = place[k];
  }
}

template <std::size_t D>
void RayAuction<D>::hide(std::uint32_t place) {
  if (place == slack_place_) slack_price_ = infinite;
  else tree_.hide(place);
}

// The next column that the row reaches. Where it knows none it looks around, as late as a path may be longer
// than the shortest.
template <std::size_t D>
void RayAuction<D>::look_on(std::uint32_t row) {
  RayOne next{infinite, nobody};
  if (row == slack_row_) {
    next.at = left_by_price_.cheapest(tree_);
    if (next.at != nobody) next.value = tree_.price(next.at);
  } else {
    Ahead& ahead = ahead_[row];
    while (ahead.at < ahead.count && tree_.price(ahead.place[ahead.at]) == infinite) ++ahead.at;
    if (ahead.at < ahead.count) next = {ahead.value[ahead.at], ahead.place[ahead.at]};
    else next.value = ahead.horizon + epsilon_ + tolerance_;
    if (slack_price_ <= next.value && slack_price_ < infinite) next = {slack_price_, slack_place_};
  }
  if (next.value == infinite) return;
  heap_.push_back({std::max(reached_[row].distance, reached_[row].base + next.value), row, next.at});
  std::ranges::push_heap(heap_, std::greater<>());
}

// A phase lets holdings be worse than the best by epsilon and a tolerance; so may paths. Lists are not made
// anew here: they would lack what is hidden.
template <std::size_t D>
auto RayAuction<D>::nearest_in_play(std::uint32_t row) -> RayOne {
  if (row == slack_row_) {
    const std::uint32_t place = left_by_price_.cheapest(tree_);
    return {place == nobody ? infinite : tree_.price(place), place};
  }
  RayTwo known = kernels::ray_near(near_[row].hint);
  if (use_lists_) {
    const RayTwo of_list = nearest_of_list(row);
    const RayTwo best = or_left_out(of_list);
    if (best.first <= near_[row].horizon + epsilon_ + tolerance_) return {best.first, best.at};
    known = or_hint(of_list, row);
  }
  ++searches_;
  const RayOne best = tree_.smallest(problem_.rows[row], epsilon_ + tolerance_, known);
  near_[row].hint = best.at;
  return best.value <= slack_price_ ? best : RayOne{slack_price_, slack_place_};
}

// Returns the distance at which it ends: when most rows that we started from have met columns with enough
// room, or no more room is left than was met.
template <std::size_t D>
double RayAuction<D>::grow_paths(std::size_t starts) {
  const auto enough =
      static_cast<std::size_t>(std::ceil(settings_.paths_found * static_cast<double>(starts)));
  std::size_t met = 0;
  Mass missing = std::accumulate(excess_.begin(), excess_.end(), Mass{0});
  double end = 0;
  for (std::size_t steps = most_steps * problem_.rows.size(); !heap_.empty() && steps > 0; --steps) {
    std::ranges::pop_heap(heap_, std::greater<>());
    const Step step = heap_.back();
    heap_.pop_back();
    if (step.place == nobody) {
      look_around(step.row, ahead_[step.row].horizon);
    } else if (price(step.place) < infinite) {
      end = std::max(end, step.distance);
      hidden_at_[step.place] = static_cast<std::uint32_t>(hidden_.size());
      hidden_.push_back({step.place, step.row, price(step.place), end});
      hide(step.place);
      if (room_[step.place] > 0) {
        sinks_.push_back(step.place);
        Mass& wanted = reached_[reached_[step.row].start].wanted;
        const bool waited = wanted > 0;
        wanted -= std::min(reached_[step.row].most, room_[step.place]);
        if (waited && wanted <= 0) ++met;
        missing -= room_[step.place];
        if (met >= enough || missing <= 0) break;
      }
      held_.each(step.place, [&](const Holdings::Holding& holding) {
        if (stamp_[holding.row] != now_) reach(holding.row, end, step.place);
      });
    }
    look_on(step.row);
  }
  return end;
}

template <std::size_t D>
void RayAuction<D>::raise_reached(double end) {
  for (const Hidden& hidden : hidden_) {
    const double price = hidden.price + (end - hidden.distance);
    if (hidden.place == slack_place_) slack_price_ = price;
    else tree_.set_price(hidden.place, price);
    held_.each(hidden.place,
               [&](Holdings::Holding& holding) { holding.price = std::max(holding.price, price); });
  }
}

template <std::size_t D>
Mass RayAuction<D>::bottleneck(std::uint32_t sink) const {
  Mass amount = room_[sink];
  for (std::uint32_t place = sink;;) {
    const std::uint32_t row = hidden_[hidden_at_[place]].from;
    const std::uint32_t via = reached_[row].via;
    if (via == nobody) return std::min(amount, excess_[row]);
    const std::uint32_t h = held_.find(row, via);
    if (h == nobody) return 0;
    amount = std::min(amount, held_[h].amount);
    place = via;
  }
}

template <std::size_t D>
void RayAuction<D>::send_along(std::uint32_t sink) {
  const Mass amount = bottleneck(sink);
  if (amount == 0) return;
  room_[sink] -= amount;
  for (std::uint32_t place = sink;;) {
    const std::uint32_t row = hidden_[hidden_at_[place]].from;
    const std::uint32_t own = held_.own(row, place);
    if (held_[own].amount == 0) held_[own].price = price(place);
    held_[own].amount += amount;
    const std::uint32_t via = reached_[row].via;
    if (via == nobody) {
      excess_[row] -= amount;
      return;
    }
    held_[held_.find(row, via)].amount -= amount;
    held_.drop_empty(via);
    place = via;
  }
}

template void RayAuction<2>::settle_by_paths();
template void RayAuction<3>::settle_by_paths();

}  // namespace motmot::solver
