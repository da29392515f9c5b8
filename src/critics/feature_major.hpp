#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "kernels/kernels.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Rows in float32, feature-major and padded to whole tiles: what a network's kernels read.
class FeatureMajor {
 public:
  FeatureMajor(std::size_t rows, std::size_t features);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t features() const noexcept { return features_; }
  [[nodiscard]] std::size_t tiles() const noexcept { return ld_ / kernels::tile_rows; }
  [[nodiscard]] std::size_t ld() const noexcept { return ld_; }
  [[nodiscard]] const float* tile(std::size_t t) const noexcept {
    return values_.data() + t * kernels::tile_rows;
  }
  float& operator()(std::size_t row, std::size_t feature) noexcept { return values_[feature * ld_ + row]; }
  float operator()(std::size_t row, std::size_t feature) const noexcept {
    return values_[feature * ld_ + row];
  }

  /// Copies up to tile_rows listed rows into a tile (features x tile_rows); the rest of it is zero.
  void gather(std::span<const std::uint32_t> rows, float* tile) const noexcept;

 private:
  std::size_t rows_, features_, ld_;
  std::vector<float> values_;
};

/// The rows of x, which complaints call `name`, then those of y. Refuses a value that float32 cannot hold,
/// naming sample, row and column.
FeatureMajor to_feature_major(PointsView x, PointsView y = {}, const char* name = "X");

/// Where the data lie and how wide they spread. Rows come in as (row - centre) / scale, and those farther
/// than `radius` from the origin are drawn back to the sphere of that radius. The projection on a ball is
/// 1-Lipschitz (and so is that on the cube of half-width 1e150 before it, without which squares overflow), so
/// a critic of the projected rows is as certified as one of the rows, and float32 never overflows; an outlier
/// at a million times the scale is as far from every median as one at 1e300.
struct Standard {
  std::vector<double> centre{};  ///< d numbers; none means the origin
  double scale = 1;

  static constexpr double radius = 1e6;

  /// The row as the network sees it; `to` has as many places.
  void apply(std::span<const double> row, std::span<double> to) const noexcept;
};

/// The listed rows of x, then those of y, in float32.
FeatureMajor standardised(const Standard& standard, PointsView x, std::span<const std::uint32_t> rows_x,
                          PointsView y, std::span<const std::uint32_t> rows_y, Team& team);

/// All rows of x, then all of y.
FeatureMajor standardised(const Standard& standard, PointsView x, PointsView y, Team& team);

}  // namespace motmot
