#include "transport/assignment_auction.hpp"

#include <algorithm>
#include <cmath>

namespace motmot::transport {

// Prices are kept from phase to phase, places are not.
void AssignmentAuction::phase(std::size_t n, RowLists& lists, Prices& prices, float epsilon,
                              const AuctionSettings& settings) {
  column_of_.assign(n, nobody);
  row_of_.assign(n, nobody);
  queue_.resize(n);
  for (std::size_t i = 0; i < n; ++i) queue_[i] = static_cast<std::uint32_t>(i);
  const auto enough = static_cast<std::size_t>(settings.unsettled * static_cast<double>(n));
  std::size_t head = 0;
  std::size_t waiting = n;
  for (std::size_t left = settings.bids_per_row * n; waiting > enough && left > 0; --left) {
    const std::uint32_t i = queue_[head];
    const std::uint32_t loser = bid(i, lists, prices, epsilon);
    // The queue is a ring of n places: a loser takes the place of the row that displaced it, last.
    std::size_t tail = head + waiting;
    if (tail >= n) tail -= n;
    if (loser != nobody) {
      queue_[tail] = loser;
    } else {
      --waiting;
    }
    if (++head == n) head = 0;
  }
}

// Returns the row that lost its column, or nobody.
std::uint32_t AssignmentAuction::bid(std::uint32_t i, RowLists& lists, Prices& prices, float epsilon) {
  ++bids_;
  if (!lists.made(i)) lists.rebuild(i, prices);
  kernels::TwoSmallest best = lists.two_smallest(i, prices);
  if (best.first > lists.horizon(i)) {
    lists.rebuild(i, prices);
    best = lists.two_smallest(i, prices);
  }
  // Beyond the horizon nothing is known but that it is no better: bid up to there.
  const float second = std::max(best.first, std::min(best.second, lists.horizon(i)));
  const float price = prices[best.at];
  prices.set(best.at, std::min(price - (second - best.first) - epsilon, std::nextafter(price, -1e37f)));
  const std::uint32_t loser = row_of_[best.at];
  if (loser != nobody) column_of_[loser] = nobody;
  row_of_[best.at] = i;
  column_of_[i] = best.at;
  return loser;
}

}  // namespace motmot::transport
