/// Looking along whole rows of the cost matrix, in float32, without always touching every column:
/// the matrix is stored, or its rows are made as needed, or (few dimensions, many points) columns lie
/// in boxes of neighbours and boxes that cannot matter are passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "costs/geometry.hpp"

namespace motmot::solver {

enum class Storage { automatic, stored, rows, boxes };

/// Prices of the columns in float32, in the gauge: a row looks for small cost - price. Padding and
/// settled columns are hidden.
class Prices {
 public:
  void reset(const Geometry& geometry, std::span<const double> v);
  [[nodiscard]] float operator[](std::size_t j) const noexcept { return value_[j]; }
  [[nodiscard]] const float* data() const noexcept { return value_.data(); }
  /// Prices may fall at any time. Raising one, other than by unhiding, asks for refresh_tops().
  void set(std::size_t j, float price) noexcept { value_[j] = price; }
  /// An upper bound of price + s over each box, for Scanner.
  void refresh_tops(const Geometry& geometry);
  void refresh_top(const Geometry& geometry, std::size_t box);
  [[nodiscard]] const float* tops() const noexcept { return top_.data(); }

 private:
  std::vector<float> value_;
  std::vector<float> top_;
};

/// Float32 prices that are too high by the errors of their columns, so that float32 cost - price,
/// less the row's margin, never exceeds the true one: a filter that misses nothing.
class RaisedPrices : public Prices {
 public:
  void reset(const Geometry& geometry, std::span<const double> v);
  void lower(const Geometry& geometry, std::size_t j, double v) noexcept { set(j, raise(geometry, j, v)); }
  void hide(std::size_t j) noexcept { set(j, kernels::hidden_price); }

 private:
  static float raise(const Geometry& geometry, std::size_t j, double v) noexcept;
};

/// bound + margin as a float32 that is not below it, and that no hidden column passes.
float raised_bound(double bound, double margin) noexcept;

class Scanner {
 public:
  static constexpr std::size_t box_size = kernels::transport_box;

  void bind(const Geometry& geometry, Storage storage, std::size_t stored_costs);
  [[nodiscard]] Storage storage() const noexcept { return storage_; }
  [[nodiscard]] std::uint64_t scans() const noexcept { return scans_; }

  /// The two smallest cost - price of all columns.
  kernels::TwoSmallest two_smallest(std::size_t i, Prices& prices);

  /// A bound that some twenty columns, but usually not many more, stay below.
  float near_bound(std::size_t i, const Prices& prices);

  /// All columns with cost - price <= bound, their costs beside them. Valid until the next call.
  std::size_t collect(std::size_t i, const Prices& prices, float bound);
  [[nodiscard]] std::uint32_t column(std::size_t k) const noexcept { return found_[k]; }
  std::span<const std::uint32_t> collect_columns(std::size_t i, const Prices& prices, float bound) {
    return std::span(found_).first(collect(i, prices, bound));
  }
  [[nodiscard]] float cost(std::size_t k) const noexcept { return found_cost_[k]; }

 private:
  void store_matrix();
  void make_boxes();
  const float* row(std::size_t i);
  void bound_boxes(std::size_t i, const Prices& prices);
  kernels::TwoSmallest two_smallest_of_boxes(std::size_t i, Prices& prices);
  kernels::TwoSmallest look_into_boxes(std::size_t i, const Prices& prices, std::size_t count) const;
  [[nodiscard]] float box_limit(std::size_t i, float bound) const noexcept;
  float near_bound_of_boxes(std::size_t i, const Prices& prices);
  std::size_t collect_boxes(std::size_t i, const Prices& prices, float bound);

  const Geometry* geometry_ = nullptr;
  Storage storage_ = Storage::stored;
  std::vector<float> matrix_, buffer_;
  std::size_t buffered_ = 0;  ///< row in buffer_, or the number of rows when none
  std::size_t boxes_ = 0, padded_boxes_ = 0;
  std::vector<float> low_, high_, bound_, zeros_;  ///< of boxes
  std::vector<std::uint32_t> near_boxes_, found_;
  std::vector<float> found_cost_;
  std::uint64_t scans_ = 0;
};

/// An order of the points in which runs of box_size are close together.
std::vector<std::uint32_t> neighbour_order(PointsView points, std::span<const std::uint32_t> kept);

/// The representation to use; boxes pay when there are few dimensions and many columns.
Storage choose_storage(std::size_t n, std::size_t m, std::size_t d, std::size_t stored_costs);
/// Bytes of the costs that are stored, 0 where none are; at most, where a solve may be of some rows alone, of
/// this share of either sample at least.
double stored_bytes(std::size_t n, std::size_t m, std::size_t d, std::size_t stored_costs,
                    double least_share = 1);

}  // namespace motmot::solver
