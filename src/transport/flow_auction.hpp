/// The auction for arbitrary masses: a row bids for as much of a column as it still has to send, a
/// column holds what it got in entries of one row and one price each and gives up the cheapest
/// first. Float32 prices, whole masses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/assignment_auction.hpp"
#include "transport/masses.hpp"

namespace motmot::solver {

/// Which flows are at each node, in their order. Nodes are the rows, then the columns.
class Incidence {
 public:
  void build(std::size_t n, std::size_t m, std::span<const FlowEntry> flows);
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t node) const noexcept {
    return std::span(flow_).subspan(start_[node], start_[node + 1] - start_[node]);
  }

 private:
  std::vector<std::uint32_t> start_, flow_, next_;
};

class FlowAuction {
 public:
  /// `patience`: bids a row after which a first phase that has not settled is given up; 0 for any number.
  /// False when it was given up.
  bool run(std::span<const Mass> a, std::span<const Mass> b, Bidder bidder, double first_epsilon,
           double last_epsilon, const AuctionSettings& settings, std::size_t patience, const Ask& ask) {
    bids_ = 0;
    for (double epsilon = first_epsilon;; epsilon /= settings.divide) {
      bidder.set_epsilon(static_cast<float>(epsilon), a.size());
      const bool trial = patience > 0 && epsilon == first_epsilon;
      const bool go_on = phase(a, b, bidder, settings, trial ? patience : settings.bids_per_row, ask);
      if (trial && go_on && !settled_) return false;
      if (epsilon <= last_epsilon || !go_on || !ask()) return true;
    }
  }
  [[nodiscard]] std::uint64_t bids() const noexcept { return bids_; }

  /// What every column holds at the end.
  void entries(std::vector<FlowEntry>& out) const;

 private:
  struct Holding {
    Mass amount;
    std::uint32_t row;
    float price;  ///< what the row offered: minus a price
    std::uint32_t next;
  };

  bool phase(std::span<const Mass> a, std::span<const Mass> b, Bidder& bidder,
             const AuctionSettings& settings, std::size_t bids_per_row, const Ask& ask);
  void bid(std::uint32_t i, Bidder& bidder);
  std::uint32_t own_holding(std::uint32_t i, std::uint32_t j);
  /// Returns the least that a holder of column j has offered then.
  float displace_cheaper(std::uint32_t i, std::uint32_t j, std::uint32_t own);
  /// The link to the holding of column j that offered least; of equal ones to the first.
  std::uint32_t* cheapest_in(std::uint32_t j);
  void drop(std::uint32_t holding, std::uint32_t j);
  void wake(std::uint32_t i);
  [[nodiscard]] Mass small_change(std::uint32_t i) const noexcept {
    return std::min(a_[i] >> 5, most_change_);
  }

  std::span<const Mass> a_;
  std::vector<Mass> excess_, room_;
  std::vector<Holding> pool_;
  std::vector<std::uint32_t> head_, unused_;  ///< of the pool: first holding of each column, free places
  std::vector<std::uint32_t> queue_;          ///< a ring of rows with something to send
  std::vector<std::uint8_t> queued_;
  std::size_t front_ = 0, waiting_ = 0;
  Mass most_change_ = 0;  ///< what a row of average mass may leave unsent; a heavy row may not leave more
  Mass active_ = 0;       ///< excess of the rows in the queue
  bool settled_ = false;  ///< the last phase ended before its limit
  std::uint64_t bids_ = 0;
};

}  // namespace motmot::solver
