#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "kernels/kernels.hpp"
#include "motmot/data.hpp"

namespace motmot {

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

/// Rows of x, then rows of y, standardised when they are looked at. An empty list stands for all rows.
struct StandardRows {
  Standard standard{};
  PointsView x{}, y{};
  std::span<const std::uint32_t> rows_x{}, rows_y{};

  [[nodiscard]] std::size_t n() const noexcept { return rows_x.empty() ? x.n : rows_x.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return n() + (rows_y.empty() ? y.n : rows_y.size()); }
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const noexcept {
    if (i < n()) return x.row(rows_x.empty() ? i : rows_x[i]);
    return y.row(rows_y.empty() ? i - n() : rows_y[i - n()]);
  }
};

/// Rows in float32, as a network's kernels read them: feature-major and padded to whole tiles; or, of samples
/// too large for a copy, made from the data whenever they are asked for, with the same bits.
class FeatureMajor {
 public:
  FeatureMajor(std::size_t rows, std::size_t features);
  /// Rows that stay where they are.
  explicit FeatureMajor(StandardRows source);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t features() const noexcept { return features_; }
  [[nodiscard]] std::size_t tiles() const noexcept { return ld_ / kernels::tile_rows; }
  [[nodiscard]] std::size_t ld() const noexcept { return ld_; }
  /// Whether there is a copy in memory, which the next three functions are about.
  [[nodiscard]] bool is_copy() const noexcept { return !source_; }
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
  void gather_copied(std::span<const std::uint32_t> rows, float* tile) const noexcept;
  void gather_from_source(std::span<const std::uint32_t> rows, float* tile) const noexcept;

  std::size_t rows_, features_, ld_;
  std::vector<float> values_;
  std::optional<StandardRows> source_;
};

/// The rows of x, which complaints call `name`, then those of y. Refuses a value that float32 cannot hold,
/// naming sample, row and column.
FeatureMajor to_feature_major(PointsView x, PointsView y = {}, const char* name = "X");

/// The rows in float32.
FeatureMajor standardised(const StandardRows& source, Team& team);

}  // namespace motmot
