/// The auction of Bertsekas for n rows and n columns of mass one, in float32: rows bid for columns,
/// a column goes to the highest bidder, prices fall (a price here is what the column pays) until
/// every row has a column that is within epsilon of its best.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "rays/flow.hpp"
#include "transport/bidder.hpp"
#include "transport/settings.hpp"

namespace motmot::solver {

class AssignmentAuction {
 public:
  /// Ends with every row but a few in a column; the bidder's prices are the auction's result. Returns the
  /// bids. When `ask` says no, the auction ends where it is; when `after_phase` does, with that phase.
  std::uint64_t run(std::size_t n, Bidder bidder, double first_epsilon, double last_epsilon,
                    const AuctionSettings& settings, const Ask& ask, const Ask& after_phase) {
    bids_ = 0;
    for (double epsilon = first_epsilon;; epsilon /= settings.divide) {
      bidder.set_epsilon(static_cast<float>(epsilon), n);
      const bool go_on = phase(n, bidder, settings, ask);
      if (epsilon <= last_epsilon || !go_on || !ask() || !after_phase()) return bids_;
    }
  }

  /// Of every row: its column, or nobody.
  [[nodiscard]] const std::vector<std::uint32_t>& columns() const noexcept { return column_of_; }

 private:
  bool phase(std::size_t n, Bidder& bidder, const AuctionSettings& settings, const Ask& ask);
  std::uint32_t bid(std::uint32_t i, Bidder& bidder);

  std::vector<std::uint32_t> column_of_, row_of_, queue_;
  std::uint64_t bids_ = 0;
};

}  // namespace motmot::solver
