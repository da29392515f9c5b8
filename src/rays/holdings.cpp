#include "rays/holdings.hpp"

#include <algorithm>
#include <functional>

namespace motmot::solver {

void Holdings::reset(std::size_t rows, std::size_t places, std::uint32_t crowded) {
  crowded_ = crowded;
  rows_ = crowded == nobody ? 0 : static_cast<std::uint32_t>(rows);
  pool_.clear();
  for (std::uint32_t row = 0; row < rows_; ++row)
    pool_.push_back({.amount = 0, .price = 0, .row = row, .next = nobody});
  head_.assign(places, nobody);
  unused_.clear();
  sorted_ = false;
}

std::uint32_t Holdings::find(std::uint32_t row, std::uint32_t place) const noexcept {
  if (place == crowded_) return pool_[row].amount > 0 ? row : nobody;
  std::uint32_t h = head_[place];
  while (h != nobody && pool_[h].row != row) h = pool_[h].next;
  return h;
}

std::uint32_t Holdings::own(std::uint32_t row, std::uint32_t place) {
  if (place == crowded_) return row;
  std::uint32_t h = find(row, place);
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

void Holdings::offer(std::uint32_t h, std::uint32_t place, double price) {
  pool_[h].price = price;
  if (place != crowded_ || !sorted_) return;
  offered_.push_back({price, h});
  std::ranges::push_heap(offered_, std::greater<>());
}

std::uint32_t Holdings::cheapest(std::uint32_t place) {
  if (place != crowded_) {
    std::uint32_t best = nobody;
    for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
      if (pool_[h].amount > 0 && (best == nobody || pool_[h].price < pool_[best].price)) best = h;
    return best;
  }
  if (!sorted_) {
    offered_.clear();
    for (std::uint32_t row = 0; row < rows_; ++row) offered_.push_back({pool_[row].price, row});
    std::ranges::make_heap(offered_, std::greater<>());
    sorted_ = true;
  }
  while (!offered_.empty()) {
    const auto [price, row] = offered_.front();
    if (pool_[row].amount > 0 && pool_[row].price == price) return row;
    std::ranges::pop_heap(offered_, std::greater<>());
    offered_.pop_back();
  }
  return nobody;
}

void Holdings::drop_empty(std::uint32_t place) {
  if (place == crowded_) return;
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

}  // namespace motmot::solver
