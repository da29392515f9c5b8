/// For every row, the columns that are nearest at the current prices. While prices only fall, a
/// column outside the list never comes below the horizon that the row had when its list was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "costs/scanner.hpp"

namespace motmot::solver {

class RowLists {
 public:
  static constexpr std::size_t capacity = 48;  ///< a multiple of 16

  void reset(const Geometry& geometry, Scanner& scanner);
  void rebuild(std::size_t i, const Prices& prices);
  /// These columns (at most `capacity`), for those who do not ask for the horizon.
  void take(std::size_t i, std::span<const std::uint32_t> columns);

  /// Two smallest cost - price on the list; `at` is the column. Not limited by the horizon.
  [[nodiscard]] kernels::TwoSmallest two_smallest(std::size_t i, const Prices& prices) const noexcept {
    kernels::TwoSmallest best = kernels::transport_kernels().list_two_smallest(
        cost_.data() + i * capacity, column_.data() + i * capacity, padded_length(i), prices.data());
    best.at = column_[i * capacity + best.at];
    return best;
  }

  [[nodiscard]] float horizon(std::size_t i) const noexcept { return horizon_[i]; }
  [[nodiscard]] std::size_t length(std::size_t i) const noexcept { return length_[i]; }
  [[nodiscard]] const std::uint32_t* columns(std::size_t i) const noexcept {
    return column_.data() + i * capacity;
  }
  [[nodiscard]] const float* costs(std::size_t i) const noexcept { return cost_.data() + i * capacity; }
  [[nodiscard]] bool made(std::size_t i) const noexcept { return length_[i] != 0; }

 private:
  [[nodiscard]] std::size_t padded_length(std::size_t i) const noexcept {
    return (std::size_t{length_[i]} + 15) / 16 * 16;
  }
  void thin_out(std::size_t i);
  void end_at(std::size_t i, std::size_t count);
  void keep_smallest(std::size_t i, std::size_t count, const Prices& prices);

  const Geometry* geometry_ = nullptr;
  Scanner* scanner_ = nullptr;
  std::vector<std::uint32_t> column_, length_;
  std::vector<float> cost_, horizon_;
  std::vector<std::pair<float, std::uint32_t>> order_;
  std::vector<float> values_, zeros_;
};

}  // namespace motmot::solver
