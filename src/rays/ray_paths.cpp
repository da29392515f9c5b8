// The search for shortest paths by which a phase of the auction ends.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "rays/ray_auction.hpp"

namespace motmot::solver {

// Dijkstra from all rows that have something to send. Columns leave the tree when they are reached: every row
// asks for the nearest that is left. Prices of what was reached rise by how much earlier than the end it was:
// then all ways that were used are tight, and holdings stay within what they were of their rows' best.
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
  if (via == nobody) {
    reached_[row] = {at, at - nearest_in_play(row).value, via, row, excess_[row], excess_[row]};
  } else {
    const Hidden& held = hidden_[hidden_at_[via]];
    const Reached& from = reached_[held.from];
    reached_[row] = {at,
                     at - (distance(row, via) + held.price),
                     via,
                     from.start,
                     std::min(from.most, held_[held_.find(row, via)].amount),
                     0};
  }
  look_on(row);
}

template <std::size_t D>
void RayAuction<D>::hide(std::uint32_t place) {
  if (place == slack_place_) slack_price_ = infinite;
  else tree_.hide(place);
}

// The next column that the row reaches.
template <std::size_t D>
void RayAuction<D>::look_on(std::uint32_t row) {
  const auto [value, place] = nearest_in_play(row);
  if (place == kernels::ray_nowhere) return;
  heap_.push_back({std::max(reached_[row].distance, reached_[row].base + value), row, place});
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
// room.
template <std::size_t D>
double RayAuction<D>::grow_paths(std::size_t starts) {
  const auto enough =
      static_cast<std::size_t>(std::ceil(settings_.paths_found * static_cast<double>(starts)));
  std::size_t met = 0;
  double end = 0;
  for (std::size_t steps = 2 * problem_.rows.size(); !heap_.empty() && steps > 0; --steps) {
    std::ranges::pop_heap(heap_, std::greater<>());
    const Step step = heap_.back();
    heap_.pop_back();
    if (price(step.place) < infinite) {
      end = std::max(end, step.distance);
      hidden_at_[step.place] = static_cast<std::uint32_t>(hidden_.size());
      hidden_.push_back({step.place, step.row, price(step.place), end});
      hide(step.place);
      if (room_[step.place] > 0) {
        sinks_.push_back(step.place);
        Mass& wanted = reached_[reached_[step.row].start].wanted;
        const bool open = wanted > 0;
        wanted -= std::min(reached_[step.row].most, room_[step.place]);
        if (open && wanted <= 0) ++met;
        if (met >= enough) break;
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
