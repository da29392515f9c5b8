#include "transport/assignment_auction.hpp"

namespace motmot::solver {

// Prices are kept from phase to phase, places are not.
bool AssignmentAuction::phase(std::size_t n, Bidder& bidder, const AuctionSettings& settings,
                              const Ask& ask) {
  column_of_.assign(n, nobody);
  row_of_.assign(n, nobody);
  queue_.resize(n);
  for (std::size_t i = 0; i < n; ++i) queue_[i] = static_cast<std::uint32_t>(i);
  const auto enough = static_cast<std::size_t>(settings.unsettled * static_cast<double>(n));
  std::size_t head = 0;
  std::size_t waiting = n;
  for (std::size_t left = settings.bids_per_row * n; waiting > enough && left > 0; --left) {
    const std::uint32_t i = queue_[head];
    const std::uint32_t loser = bid(i, bidder);
    // The queue is a ring of n places: a loser takes the place of the row that displaced it, last.
    std::size_t tail = head + waiting;
    if (tail >= n) tail -= n;
    if (loser != nobody) queue_[tail] = loser;
    else --waiting;
    if (++head == n) head = 0;
    if (bids_ % bids_between_questions == 0 && !ask()) return false;
  }
  return true;
}

// Returns the row that lost its column, or nobody.
std::uint32_t AssignmentAuction::bid(std::uint32_t i, Bidder& bidder) {
  ++bids_;
  const Offer offer = bidder.offer(i);
  bidder.prices().set(offer.column, offer.price);
  const std::uint32_t loser = row_of_[offer.column];
  if (loser != nobody) column_of_[loser] = nobody;
  row_of_[offer.column] = i;
  column_of_[i] = offer.column;
  return loser;
}

}  // namespace motmot::solver
