/// Who holds how much of which place of an auction, and at what price.
#pragma once

#include <cstdint>
#include <vector>

#include "rays/flow.hpp"

namespace motmot::solver {

/// Most places have a few holders. One may have very many (that of what is left out): these are found by
/// their row, and the cheapest by a heap.
class Holdings {
 public:
  struct Holding {
    Mass amount;
    double price;  ///< changed by offer() alone, or for all at once before forget_order()
    std::uint32_t row, next;
  };

  /// `crowded`: the place that may have many holders, or nobody.
  void reset(std::size_t rows, std::size_t places, std::uint32_t crowded);

  [[nodiscard]] Holding& operator[](std::uint32_t h) noexcept { return pool_[h]; }
  [[nodiscard]] const Holding& operator[](std::uint32_t h) const noexcept { return pool_[h]; }
  /// What the row holds of the place; nobody when that is nothing.
  [[nodiscard]] std::uint32_t find(std::uint32_t row, std::uint32_t place) const noexcept;
  /// The same, with an amount of 0 when it held nothing.
  std::uint32_t own(std::uint32_t row, std::uint32_t place);
  void offer(std::uint32_t h, std::uint32_t place, double price);
  /// The holding with the least price, the first of equal ones; nobody when there is none.
  [[nodiscard]] std::uint32_t cheapest(std::uint32_t place);
  void drop_empty(std::uint32_t place);
  void forget_order() noexcept { sorted_ = false; }

  /// visit(Holding&) for all holdings of a place.
  template <class Visit>
  void each(std::uint32_t place, Visit visit) {
    if (place == crowded_) {
      for (std::uint32_t row = 0; row < rows_; ++row)
        if (pool_[row].amount > 0) visit(pool_[row]);
    } else {
      for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next) visit(pool_[h]);
    }
  }
  /// visit(place, const Holding&) for all there are.
  template <class Visit>
  void all(Visit visit) const {
    for (std::uint32_t place = 0; place < head_.size(); ++place)
      for (std::uint32_t h = head_[place]; h != nobody; h = pool_[h].next)
        if (pool_[h].amount > 0) visit(place, pool_[h]);
    for (std::uint32_t row = 0; row < rows_; ++row)
      if (pool_[row].amount > 0) visit(crowded_, pool_[row]);
  }

 private:
  struct Offered {
    double price;
    std::uint32_t row;
    bool operator>(const Offered& other) const noexcept {
      return price != other.price ? price > other.price : row > other.row;
    }
  };

  std::uint32_t crowded_ = nobody;
  std::uint32_t rows_ = 0;  ///< that may hold the crowded place: theirs come first in the pool
  std::vector<Holding> pool_;
  std::vector<std::uint32_t> head_, unused_;
  std::vector<Offered> offered_;  ///< of the crowded place, a heap; some have been outdated by higher offers
  bool sorted_ = false;
};

}  // namespace motmot::solver
