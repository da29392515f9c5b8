#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

/// The rows of x, then those of y. Refuses a value that float32 cannot hold, naming sample, row and column.
FeatureMajor to_feature_major(PointsView x, PointsView y);

/// The same for one sample, which complaints call `name`.
FeatureMajor to_feature_major(PointsView x, const char* name);

}  // namespace motmot
