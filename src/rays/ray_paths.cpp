// The search for shortest paths by which a phase of the auction ends.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "rays/ray_auction.hpp"

namespace motmot::solver {
namespace {

constexpr std::uint64_t paths_between_questions = 256;
constexpr double last_rows = 0.05;  // of all rows: fewer are served by searches from all of them at once
constexpr int searches_before_look = 10;  // of these
constexpr double left_after_some = 0.8;   // of the rows, at most; or the simplex takes over

}  // namespace

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
  lacking_.clear();
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
RayEnd RayAuction<D>::place_by_paths(double epsilon, const Ask& ask) {
  begin_phase(epsilon, 1);
  spread_waiting();
  const auto n = static_cast<double>(queue_.size());
  const auto last = static_cast<std::size_t>(last_rows * n);
  auto steps = static_cast<std::size_t>(settings_.steps_per_row * n);
  for (std::uint64_t paths = 1; waiting_ > last; ++paths) {
    const std::uint32_t row = next_waiting();
    send_from(row);
    if (excess_[row] > 0) wake(row);
    if (hidden_.size() > steps || sinks_.empty()) break;
    steps -= hidden_.size();
    if (paths % paths_between_questions == 0 && !ask()) return RayEnd::stopped;
  }
  return place_last(ask);
}

// The last rows have a long way to go: all at once, as long as that pays.
template <std::size_t D>
RayEnd RayAuction<D>::place_last(const Ask& ask) {
  while (waiting_ > 0) {
    const auto enough = static_cast<std::size_t>(left_after_some * static_cast<double>(waiting_));
    for (int k = 0; k < searches_before_look && waiting_ > 0; ++k) {
      settle_by_paths();
      if (!ask()) return RayEnd::stopped;
    }
    if (waiting_ > enough) return RayEnd::work_limit;
  }
  return RayEnd::settled;
}

// Rows far from each other come one after another: neighbours would take each other's columns and leave the
// last of them a long way.
template <std::size_t D>
void RayAuction<D>::spread_waiting() {
  std::vector<std::uint32_t> rows(waiting_);
  for (std::uint32_t& row : rows) row = next_waiting();
  front_ = 0;
  const std::size_t count = rows.size();
  auto stride = static_cast<std::size_t>(0.618 * static_cast<double>(count)) | 1;
  while (std::gcd(stride, count) > 1) stride += 2;
  for (std::size_t k = 0; k < count; ++k) wake(rows[k * stride % count]);
}

// To the nearest columns with room. What was reached on the way is little, and all that is touched.
template <std::size_t D>
void RayAuction<D>::send_from(std::uint32_t row) {
  ++now_;
  heap_.clear();
  hidden_.clear();
  sinks_.clear();
  lacking_.clear();
  reach(row, 0, nobody);
  raise_reached(grow_paths(1));
  show_reached();
  renew_lists();
  for (const std::uint32_t sink : sinks_) send_along(sink);
}

template <std::size_t D>
void RayAuction<D>::renew_lists() {
  std::ranges::sort(lacking_);
  lacking_.erase(std::unique(lacking_.begin(), lacking_.end()), lacking_.end());
  // What was hidden is back: a list that has enough of it need not be made anew.
  for (const std::uint32_t lacking : lacking_)
    if (nearest_of_list(lacking).first > horizon_[lacking]) take_list(lacking, infinite);
}

template <std::size_t D>
void RayAuction<D>::show_reached() {
  for (const Hidden& hidden : hidden_) tree_.show(hidden.place);
  changes_ += hidden_.size();
  if (changes_ < problem_.cols.size()) return;
  changes_ = 0;
  tree_.fit();
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
  if (use_lists_) {
    const RayTwo best = or_left_out(nearest_of_list(row));
    if (best.first <= horizon_[row] + epsilon_ + tolerance_) return {best.first, best.at};
    lacking_.push_back(row);
  }
  ++searches_;
  const RayOne best = tree_.smallest(problem_.rows[row], epsilon_ + tolerance_, hint_[row]);
  hint_[row] = best.at;
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
template RayEnd RayAuction<2>::place_by_paths(double, const Ask&);
template RayEnd RayAuction<3>::place_by_paths(double, const Ask&);

}  // namespace motmot::solver
