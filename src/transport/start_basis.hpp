/// A spanning tree with feasible flows that follows the auction's as closely as a tree can.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "transport/flow_auction.hpp"

namespace motmot::solver {

class StartBasis {
 public:
  /// n + m - 1 edges that span; their flows meet the masses exactly (zeros among them).
  std::span<const FlowEntry> make(const Geometry& geometry, std::span<const FlowEntry> wishes,
                                  const RowLists& lists, std::span<const double> v, std::span<const Mass> a,
                                  std::span<const Mass> b);

 private:
  struct Choice {
    double reduced;
    std::uint32_t row, col;
  };

  void peel(std::span<const FlowEntry> wishes);
  void drop_edges_of(std::uint32_t node);
  void take(std::uint32_t row, std::uint32_t col);
  void place_rest_by_lists();
  void place_rest_anywhere();
  void connect_by_lists();
  void connect_anywhere();
  void number_parts();
  void settle_potentials();
  [[nodiscard]] std::uint32_t largest_part() const;
  template <class Visit>
  void for_each_choice(std::uint32_t i, Visit visit) const;
  void join(std::uint32_t row, std::uint32_t col);
  std::uint32_t part(std::uint32_t node);
  [[nodiscard]] double price(std::uint32_t i, std::uint32_t j) const noexcept {
    return geometry_->cost(i, j) - v_[j];
  }

  const Geometry* geometry_ = nullptr;
  const RowLists* lists_ = nullptr;
  std::span<const double> v_;
  std::size_t n_ = 0, m_ = 0;
  std::vector<Mass> left_;  ///< of rows, then columns
  Incidence incident_;
  std::vector<std::uint8_t> gone_;  ///< flows or nodes dealt with
  std::vector<std::uint32_t> degree_, leaves_;
  std::vector<std::uint32_t> parent_;  ///< union-find
  std::span<const FlowEntry> wishes_;
  std::vector<FlowEntry> tree_;
  std::vector<Choice> choices_;
  struct Entry {
    std::uint32_t row, col;
  };
  std::vector<double> u_, own_v_;            ///< tight on the flows
  std::vector<std::uint32_t> part_of_;       ///< rows, then columns
  std::vector<std::uint32_t> rows_of_part_;  ///< first of each part in row_of_part_
  std::vector<std::uint32_t> row_of_part_;
  std::vector<double> distance_;  ///< of parts
  std::vector<Entry> entry_;      ///< the pair by which a part is reached
  std::vector<std::uint8_t> settled_;
  std::vector<Choice> heap_;  ///< (distance, part)
  std::vector<std::uint32_t> scratch_;
};

}  // namespace motmot::solver
