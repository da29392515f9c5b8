/// The inner loops of the exact transport solver: rows of float32 costs and minima over them. Costs
/// are in the gauge c(i, j) - r(i) - s(j), where r and s are the distances from a common centre.
/// All vector versions agree with the scalar twin up to rounding of the costs; minima, second minima
/// and selections of given numbers are exact.
#pragma once

#include <cstddef>
#include <cstdint>

namespace motmot::kernels {

/// Arrays over columns are padded to a multiple of this, with at least one column of padding.
inline constexpr std::size_t transport_pad = 64;

/// Columns in a box of neighbours.
inline constexpr std::size_t transport_box = 32;

/// A price that takes its column out of every minimum (padding, columns already settled).
inline constexpr float hidden_price = -1e38f;

/// One point against many: `y` holds d rows of `stride` numbers, coordinate after coordinate.
struct GaugeRow {
  const float* x;      ///< d coordinates, centred
  float r;             ///< |x|
  const float* y;      ///< centred
  std::size_t stride;  ///< from one coordinate of y to the next
  const float* s;      ///< |y_j|
  std::size_t d;
};

/// The same in double, for costs that float32 does not tell apart.
struct FineRow {
  const double* x;
  const double* y;
  std::size_t stride;
  const double* s;  ///< what is taken from the distance to each column
  std::size_t d;
};

/// The smallest value, where it is, and the second smallest.
struct TwoSmallest {
  float first;
  std::uint32_t at;
  float second;
};

struct TransportKernels {
  /// out[j] = |x - y_j| - r - s_j, j < count; count a multiple of 16. Error at most
  /// 2^-24 (d / 2 + 8) (r + s_j), the rounding of the coordinates to float32 included.
  void (*gauge_row)(const GaugeRow& row, std::size_t count, float* out) noexcept;
  /// The same by -2 (r s_j + <x, y_j>) / (|x - y_j| + r + s_j), which does not cancel when one of
  /// the points is far: error at most 2^-24 (3 d + 16) min(r, s_j).
  void (*gauge_row_far)(const GaugeRow& row, std::size_t count, float* out) noexcept;
  /// A value that about 24 (in all kinds of rows: 10 to 60) of cost[j] - price[j], j < count, do not
  /// exceed: the mean over k < 8 of the third smallest of b[k], b[k + 8], ..., b[k + 56], where b[l] is
  /// the minimum over j = l mod 64. count a multiple of 64.
  float (*near_bound)(const float* cost, const float* price, std::size_t count) noexcept;
  /// Writes the j with cost[j] - price[j] <= bound, in order; returns how many. count as in gauge_row. `out`
  /// has room for count numbers, and what comes after those is undefined.
  std::size_t (*collect)(const float* cost, const float* price, std::size_t count, float bound,
                         std::uint32_t* out) noexcept;
  /// The two smallest of cost[j] - price[j], j < count; count a multiple of 32. Equal values: any.
  TwoSmallest (*two_smallest)(const float* cost, const float* price, std::size_t count) noexcept;
  /// The two smallest of cost[k] - price[index[k]], k < count; count a multiple of 16. Equal values:
  /// any of their places.
  TwoSmallest (*list_two_smallest)(const float* cost, const std::uint32_t* index, std::size_t count,
                                   const float* price) noexcept;
  /// out[b] = distance from x to box b - top[b]; boxes as low and high coordinates, coordinate after
  /// coordinate; count a multiple of 16.
  void (*box_bounds)(const float* x, const float* low, const float* high, std::size_t stride, std::size_t d,
                     const float* top, std::size_t count, float* out) noexcept;
  /// The two smallest of (cost as gauge_row makes it) - price[j] over the columns j of the listed boxes,
  /// box b being columns 32 b .. 32 b + 31. Equal values: any of their places.
  TwoSmallest (*boxes_two_smallest)(const GaugeRow& row, const float* price, const std::uint32_t* boxes,
                                    std::size_t count) noexcept;
  /// out[j] = |x - y_j| - s_j, j < count; count a multiple of 16. Error at most
  /// 2^-53 ((d / 2 + 3) |x - y_j| + |s_j|).
  void (*fine_row)(const FineRow& row, std::size_t count, double* out) noexcept;
};

/// What this processor runs best; the scalar twin when the environment says MOTMOT_ISA=scalar.
const TransportKernels& transport_kernels() noexcept;
/// The definition.
const TransportKernels& scalar_transport_kernels() noexcept;

}  // namespace motmot::kernels
