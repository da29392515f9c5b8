#include "transport/flow_auction.hpp"

#include <algorithm>

namespace motmot::solver {

void Incidence::build(std::size_t n, std::size_t m, std::span<const FlowEntry> flows) {
  start_.assign(n + m + 1, 0);
  for (const FlowEntry& flow : flows) {
    ++start_[flow.row + 1];
    ++start_[n + flow.col + 1];
  }
  for (std::size_t k = 0; k < n + m; ++k) start_[k + 1] += start_[k];
  next_ = start_;
  flow_.resize(2 * flows.size());
  for (std::uint32_t e = 0; e < flows.size(); ++e) {
    flow_[next_[flows[e].row]++] = e;
    flow_[next_[n + flows[e].col]++] = e;
  }
}

bool FlowAuction::phase(std::span<const Mass> a, std::span<const Mass> b, Bidder& bidder,
                        const AuctionSettings& settings, std::size_t bids_per_row, const Ask& ask) {
  const std::size_t n = a.size();
  a_ = a;
  excess_.assign(a.begin(), a.end());
  room_.assign(b.begin(), b.end());
  head_.assign(b.size(), nobody);
  pool_.clear();
  unused_.clear();
  queue_.resize(n);
  queued_.assign(n, 0);
  front_ = waiting_ = 0;
  active_ = 0;
  Mass total = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    total += a[i];
    if (a[i] > 0) wake(i);
  }
  most_change_ = n == 0 ? 0 : (total / static_cast<Mass>(n)) >> 5;
  const auto enough = static_cast<Mass>(settings.unsettled * static_cast<double>(total));
  const std::uint64_t limit = bids_ + bids_per_row * n;
  while (waiting_ > 0 && active_ > enough && bids_ < limit) {
    const std::uint32_t i = queue_[front_];
    if (++front_ == n) front_ = 0;
    --waiting_;
    queued_[i] = 0;
    active_ -= excess_[i];
    while (excess_[i] > small_change(i) && bids_ < limit) {
      bid(i, bidder);
      if (bids_ % bids_between_questions == 0 && !ask()) return false;
    }
  }
  settled_ = bids_ < limit;
  return true;
}

void FlowAuction::wake(std::uint32_t i) {
  queued_[i] = 1;
  std::size_t back = front_ + waiting_++;
  if (back >= queue_.size()) back -= queue_.size();
  queue_[back] = i;
  active_ += excess_[i];
}

void FlowAuction::bid(std::uint32_t i, Bidder& bidder) {
  ++bids_;
  const Offer offer = bidder.offer(i);
  const std::uint32_t j = offer.column;
  const std::uint32_t own = own_holding(i, j);
  pool_[own].price = -offer.price;
  const Mass taken = std::min(excess_[i], room_[j]);
  pool_[own].amount += taken;
  excess_[i] -= taken;
  room_[j] -= taken;
  if (room_[j] > 0) return;
  float cheapest = displace_cheaper(i, j, own);
  if (pool_[own].amount == 0) {
    drop(own, j);
    cheapest = pool_[*cheapest_in(j)].price;
  }
  // A full column: its price is what the cheapest holder offered. Prices only fall.
  bidder.prices().set(j, std::min(bidder.prices()[j], -cheapest));
}

std::uint32_t FlowAuction::own_holding(std::uint32_t i, std::uint32_t j) {
  for (std::uint32_t h = head_[j]; h != nobody; h = pool_[h].next)
    if (pool_[h].row == i) return h;
  std::uint32_t h = static_cast<std::uint32_t>(pool_.size());
  if (unused_.empty()) {
    pool_.emplace_back();
  } else {
    h = unused_.back();
    unused_.pop_back();
  }
  pool_[h] = {.amount = 0, .row = i, .price = 0, .next = head_[j]};
  head_[j] = h;
  return h;
}

std::uint32_t* FlowAuction::cheapest_in(std::uint32_t j) {
  std::uint32_t* cheapest = &head_[j];
  for (std::uint32_t* link = &pool_[*cheapest].next; *link != nobody; link = &pool_[*link].next)
    if (pool_[*link].price < pool_[*cheapest].price) cheapest = link;
  return cheapest;
}

float FlowAuction::displace_cheaper(std::uint32_t i, std::uint32_t j, std::uint32_t own) {
  for (;;) {
    std::uint32_t* link = cheapest_in(j);
    Holding& cheapest = pool_[*link];
    if (excess_[i] == 0 || cheapest.price >= pool_[own].price) return cheapest.price;
    const std::uint32_t loser = cheapest.row;
    const Mass moved = std::min(excess_[i], cheapest.amount);
    cheapest.amount -= moved;
    pool_[own].amount += moved;
    excess_[i] -= moved;
    excess_[loser] += moved;
    if (queued_[loser] != 0) {
      active_ += moved;
    } else if (excess_[loser] > small_change(loser)) {
      wake(loser);
    }
    if (cheapest.amount > 0) return cheapest.price;
    unused_.push_back(*link);
    *link = cheapest.next;
  }
}

void FlowAuction::drop(std::uint32_t holding, std::uint32_t j) {
  std::uint32_t* link = &head_[j];
  while (*link != holding) link = &pool_[*link].next;
  *link = pool_[holding].next;
  unused_.push_back(holding);
}

void FlowAuction::entries(std::vector<FlowEntry>& out) const {
  out.clear();
  for (std::uint32_t j = 0; j < head_.size(); ++j)
    for (std::uint32_t h = head_[j]; h != nobody; h = pool_[h].next)
      if (pool_[h].amount > 0) out.push_back({pool_[h].row, j, pool_[h].amount});
}

}  // namespace motmot::solver
