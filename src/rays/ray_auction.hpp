/// The auction in two or three dimensions, in double: rows find their columns in a tree of turned boxes, so
/// that a bid costs a few boxes and not a row of the cost matrix. For any whole masses: a row bids for as
/// much of a column as it still has to send, a column gives up the cheapest of its holdings first.
///
/// Here a price is what a row pays: it looks for the smallest distance + price, and prices only rise.
/// Searches have a tolerance of half an epsilon, so at the end of a phase no row has a column that is worse
/// than its best by more than 3/2 epsilon. What the last few rows would take ever so many bids to settle is
/// found by one search for shortest paths from all of them at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rays/holdings.hpp"
#include "rays/ray_settings.hpp"
#include "rays/ray_tree.hpp"

namespace motmot::solver {

/// Rows and columns with masses of equal sums. One more mass at the end of `a` is a row without a place, one
/// more in `b` such a column: what is left out of the other side. They cost nothing, and take nothing from
/// each other.
template <std::size_t D>
struct RayProblem {
  std::span<const RayPoint<D>> rows, cols;
  std::span<const Mass> a, b;
};

/// The columns of a tree by price, the cheapest first, while prices only rise.
class ByPrice {
 public:
  /// All that are in play.
  template <std::size_t D>
  void reset(const RayTree<D>& tree);
  /// The cheapest that is in play, or nobody.
  template <std::size_t D>
  [[nodiscard]] std::uint32_t cheapest(const RayTree<D>& tree);
  void leave_out_cheapest();
  void put_back(std::uint32_t place, double price);

 private:
  struct Priced {
    double price;
    std::uint32_t place;
    bool operator>(const Priced& other) const noexcept {
      return price != other.price ? price > other.price : place > other.place;
    }
  };
  std::vector<Priced> heap_;  ///< with prices of some time before
};

enum class RayEnd { settled, stopped, work_limit };

template <std::size_t D>
class RayAuction {
  using RayTwo = kernels::RayTwo;
  using RayOne = kernels::RayOne;

 public:
  using Point = RayPoint<D>;

  /// `price` and `ray` of every column: a guess, and the direction in which it is served (RayTree::build);
  /// the price of what is left out comes last.
  void begin(const RayProblem<D>& problem, const RaySettings& settings, std::span<const double> price,
             std::span<const Point> rays);

  /// Ends with all mass placed, every holding within 3/2 epsilon of the best of its row (where a gap was
  /// asked for, all but those of the last rows, which cost a share of it). At most `bids` bids. Masses are
  /// rounded to whole quanta; runs from the first row on, and from the first column, keep their sums to half
  /// of one. A quantum divides those of the phases before.
  RayEnd phase(double epsilon, Mass quantum, std::uint64_t bids, double bids_before_paths, const Ask& ask);

  /// Sum of mass * distance over what is placed.
  [[nodiscard]] double cost() const;
  /// Of all columns, then of what is left out.
  [[nodiscard]] std::vector<double> prices() const;
  /// What a unit of mass more would cost, about: the most that anything costs.
  [[nodiscard]] double dearest() const noexcept { return slack_price_ - level_; }
  /// u_i = min_j (distance + price), exactly up to rounding (of distances of size `largest`), for every row.
  [[nodiscard]] std::vector<double> row_minima(double largest);
  /// (primal - dual) / primal of the rounded masses, over all pairs, after a phase that settled.
  [[nodiscard]] double gap(double largest);
  /// What every column holds.
  [[nodiscard]] std::vector<FlowEntry> entries() const;
  [[nodiscard]] std::uint64_t bids() const noexcept { return bids_; }
  [[nodiscard]] std::uint64_t searches() const noexcept { return searches_; }

 private:
  /// What a row knows of the columns near it, in five cache lines.
  struct alignas(64) Near {
    double distance[kernels::ray_list];  ///< of the places of its list
    std::uint32_t place[kernels::ray_list];
    double horizon = -infinite;  ///< no other column was below this when the list was made
    double reach = 0;            ///< how far beyond the second best it went
    std::uint32_t count = 0;     ///< of places
    std::uint32_t hint = kernels::ray_nowhere;
    bool list_pays = true;  ///< false when the last list of this phase was too short
  };
  /// A row that was reached by the search for paths.
  struct Reached {
    double distance;    ///< of the row
    double base;        ///< distance - what it pays now: add a column's value to get the column's distance
    std::uint32_t via;  ///< the place that it holds, by which it was reached; nobody for those we start from
    std::uint32_t start;  ///< the row that we started from
    Mass most;            ///< that may come this way
    Mass wanted;          ///< where we started: room that is still to be met
  };
  /// Columns that a reached row may go to next, the nearest first. What others reach in the meantime is
  /// passed over when its turn comes.
  struct Ahead {
    static constexpr std::uint32_t most = 12;
    double value[most];
    std::uint32_t place[most];
    std::uint32_t count, at;
    double horizon;  ///< no other column in play is below
    double reach;    ///< how far beyond that the next look goes
  };
  /// A row may go on to a place, or has to look for one: then that is nobody.
  struct Step {
    double distance;
    std::uint32_t row, place;
    bool operator>(const Step& other) const noexcept {
      return distance != other.distance ? distance > other.distance : row > other.row;
    }
  };
  struct Hidden {
    std::uint32_t place, from;
    double price, distance;
  };

  [[nodiscard]] std::uint32_t place_of(std::size_t column) const noexcept {
    return column < problem_.cols.size() ? tree_.place(column) : slack_place_;
  }
  [[nodiscard]] double price(std::uint32_t place) const noexcept {
    return place == slack_place_ ? slack_price_ : tree_.price(place);
  }
  void raise(std::uint32_t place, double price);
  void hide(std::uint32_t place);
  [[nodiscard]] double distance(std::uint32_t row, std::uint32_t place) const noexcept;
  [[nodiscard]] double best_of(std::uint32_t row);
  [[nodiscard]] double reach_of_lists() const noexcept;
  RayTwo or_left_out(RayTwo best) const noexcept;
  RayTwo nearest(std::uint32_t row);
  RayTwo nearest_of_list(std::uint32_t row) const noexcept;
  RayTwo or_hint(const RayTwo& of_list, std::uint32_t row) const noexcept;
  RayTwo search(std::uint32_t row, RayTwo known);
  RayTwo make_list(std::uint32_t row, RayTwo known);
  void take_list(std::uint32_t row, double bound);
  RayOne nearest_in_play(std::uint32_t row);
  static std::vector<Mass> rounded(std::span<const Mass> masses, Mass quantum);
  void set_quantum(Mass quantum);
  void begin_phase(double epsilon, Mass quantum);
  std::uint32_t next_waiting() noexcept;
  void fetch(std::uint32_t row) const noexcept;
  void choose_lists();
  void keep_what_fits();
  bool place_rest(double most);
  void wake(std::uint32_t row);
  void bid(std::uint32_t row);
  void bid_for_cheapest();
  void find_level();
  void lift_level(double level);
  void take(std::uint32_t row, std::uint32_t place, double bid);
  void displace_cheaper(std::uint32_t row, std::uint32_t place, std::uint32_t own);
  void price_full(std::uint32_t place, double bid);

  void settle_by_paths();
  void reach(std::uint32_t row, double distance, std::uint32_t via);
  void look_on(std::uint32_t row);
  void look_around(std::uint32_t row, double from);
  void keep_ahead(std::uint32_t row, std::span<const std::uint32_t> place, std::span<const double> distance,
                  double horizon);
  double grow_paths(std::size_t enough);
  void raise_reached(double end);
  void send_along(std::uint32_t sink);
  Mass bottleneck(std::uint32_t sink) const;

  RayProblem<D> problem_;
  RaySettings settings_;
  RayTree<D> tree_;
  double epsilon_ = 0, tolerance_ = 0;
  std::uint32_t slack_row_ = nobody, slack_place_ = nobody;  ///< of what is left out, if there is such
  double slack_price_ = 0;
  double level_ = 0;                          ///< at which the slack row holds
  std::vector<std::uint32_t> slack_columns_;  ///< that it holds, and some that it held
  ByPrice by_price_;                          ///< for the slack row: without what it holds whole
  std::vector<std::uint32_t> column_of_;      ///< of places
  std::vector<Mass> a_, b_;                   ///< masses of rows and columns in whole quanta
  std::vector<Mass> excess_, room_;           ///< of rows, of places
  Holdings held_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> queued_;
  std::size_t front_ = 0, waiting_ = 0;
  std::uint64_t bids_ = 0, searches_ = 0, changes_ = 0;

  bool use_lists_ = false;
  std::vector<Near> near_;  ///< of rows

  std::vector<Reached> reached_;          ///< of rows
  std::vector<Ahead> ahead_;              ///< of rows that were reached
  double first_reach_ = 0;                ///< of a row that is reached, in epsilon
  std::vector<std::uint32_t> stamp_;      ///< of rows: the search by which it was reached last
  std::vector<std::uint32_t> hidden_at_;  ///< of places: where in hidden_
  std::uint32_t now_ = 0;
  std::vector<Step> heap_;
  ByPrice left_by_price_;  ///< what the slack row has not reached yet, once it is reached
  std::vector<Hidden> hidden_;
  std::vector<std::uint32_t> sinks_;
};

}  // namespace motmot::solver
