/// The exact finish for n rows and n columns of mass one: starting from nearly optimal prices, keep
/// what fits exactly, let rows without a place bid without epsilon, then settle the rest one by one
/// along shortest augmenting paths (Jonker and Volgenant's scheme). In double throughout; float32
/// lists only tell which pairs need not be looked at.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "costs/lists.hpp"
#include "transport/assignment_auction.hpp"

namespace motmot::solver {

class Augmenter {
 public:
  /// `v` are prices in the gauge, improved in place; `hint[i]` is the column of row i so far, or nobody.
  /// At most `bids` bids without epsilon, which need not end; searches, which do, take the rows that are
  /// left. Not done when they pass `budget` or `ask` says no: searches wander over large problems, and even
  /// more where points lie on lines, so that most ways cost the same; the simplex does better there. row_of()
  /// is then a partial assignment that fits v.
  enum class End { done, stopped, many_scans, many_ties };
  struct Budget {
    std::uint64_t scans = 0;    ///< of rows
    std::uint64_t columns = 0;  ///< looked at in them
  };
  End run(const Geometry& geometry, Scanner& scanner, RowLists& lists, std::span<const std::uint32_t> hint,
          std::vector<double>& v, std::uint64_t bids, const Budget& budget, const Ask& ask);

  [[nodiscard]] std::uint32_t column_of(std::size_t i) const noexcept { return column_of_[i]; }
  [[nodiscard]] std::uint64_t searches() const noexcept { return searches_; }

 private:
  /// The two smallest values so far and their columns.
  struct Two {
    double first = std::numeric_limits<double>::infinity(), second = first;
    std::uint32_t at = nobody, next = nobody;
    void add(double value, std::uint32_t j) {
      if (value < first) *this = {value, first, j, at};
      else if (value < second) second = value, next = j;
    }
  };

  void keep_what_fits(std::span<const std::uint32_t> hint);
  void bid_without_epsilon(std::uint64_t bids, std::uint64_t most_columns);
  void search(std::uint32_t start);
  void scan(std::uint32_t i, double distance);
  void reach(std::uint32_t i, std::uint32_t j, float cost, double distance);
  void settle(std::uint32_t start);
  void place(std::uint32_t i, std::uint32_t j);
  Two two_smallest(std::uint32_t i);
  Two two_smallest_of_list(std::uint32_t i) const;
  Two two_smallest_of_all(std::uint32_t i, double second);
  void lower_price(std::uint32_t j, double v);
  /// What columns outside the list of row i certainly exceed, in double.
  [[nodiscard]] double horizon(std::uint32_t i) const noexcept {
    return static_cast<double>(lists_->horizon(i)) - geometry_->row_margin(i) - horizon_slack_;
  }

  const Geometry* geometry_ = nullptr;
  Scanner* scanner_ = nullptr;
  RowLists* lists_ = nullptr;
  std::vector<double>* v_ = nullptr;
  std::vector<double> u_;
  RaisedPrices raised_;
  double horizon_slack_ = 0;
  std::vector<std::uint32_t> column_of_, row_of_, free_rows_, free_columns_;
  std::vector<double> distance_;         ///< of columns
  std::vector<std::uint32_t> previous_;  ///< row from which a column was reached
  std::vector<std::uint32_t> reached_, scanned_;
  std::vector<std::pair<double, std::uint32_t>> heap_;
  double best_ = 0;
  std::uint32_t best_column_ = nobody;
  std::uint64_t searches_ = 0, steps_ = 0, columns_seen_ = 0;
};

}  // namespace motmot::solver
