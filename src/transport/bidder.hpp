/// Where a row bids next, and how high: shared by both auctions.
#pragma once

#include <algorithm>

#include "costs/lists.hpp"

namespace motmot::solver {

struct Offer {
  std::uint32_t column;
  float price;  ///< the column's price after the bid
};

class Bidder {
 public:
  /// `list_pays`: the reach of a list, in units of epsilon, from which lists are used.
  Bidder(const Geometry& geometry, RowLists& lists, Scanner& scanner, Prices& prices, double list_pays)
      : geometry_(geometry),
        lists_(lists),
        scanner_(scanner),
        prices_(prices),
        list_pays_(static_cast<float>(list_pays)) {}

  /// Before a phase. While epsilon is large against the reach of a list, a list would serve for one
  /// bid or none: whole rows are looked at instead.
  void set_epsilon(float epsilon, std::size_t n) {
    epsilon_ = epsilon;
    prices_.refresh_tops(geometry_);
    if (use_lists_) return;
    const std::size_t step = std::max<std::size_t>(1, n / 8);
    float reach = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i += step, ++count) {
      lists_.rebuild(i, prices_);
      reach += lists_.horizon(i) - lists_.two_smallest(i, prices_).first;
    }
    use_lists_ = reach > list_pays_ * epsilon * static_cast<float>(count);
  }

  Offer offer(std::uint32_t i) {
    kernels::TwoSmallest best{};
    if (!use_lists_) {
      best = scanner_.two_smallest(i, prices_);
    } else {
      if (!lists_.made(i)) lists_.rebuild(i, prices_);
      best = lists_.two_smallest(i, prices_);
      if (best.first > lists_.horizon(i)) {
        lists_.rebuild(i, prices_);
        best = lists_.two_smallest(i, prices_);
      }
      // Beyond the horizon nothing is known but that it is no better: bid up to there.
      best.second = std::max(best.first, std::min(best.second, lists_.horizon(i)));
    }
    const float now = prices_[best.at];
    const float least =
        now - (1e-7f * (now < 0 ? -now : now) + 1e-30f);  // some change, however small epsilon
    return {best.at, std::min(now - (best.second - best.first) - epsilon_, least)};
  }

  [[nodiscard]] Prices& prices() noexcept { return prices_; }

 private:
  const Geometry& geometry_;
  RowLists& lists_;
  Scanner& scanner_;
  Prices& prices_;
  float list_pays_;
  float epsilon_ = 0;
  bool use_lists_ = false;
};

}  // namespace motmot::solver
