#include "critics/feature_major.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace motmot {
namespace {

void copy_rows(PointsView points, const char* name, std::size_t first_row, FeatureMajor& to) {
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t j = 0; j < points.cols(); ++j) {
      const auto value = static_cast<float>(points(i, j));
      require(std::isfinite(value), Errc::numeric, "row ", i + 1, ", column ", j + 1, " of ", name, " is ",
              points(i, j), ", which float32 cannot hold; the network takes the data as they are");
      to(first_row + i, j) = value;
    }
  }
}

/// Tells the processor that the row will be looked at soon: rows of large samples are far from its caches.
void prefetch(std::span<const double> row) noexcept {
  constexpr std::size_t line = 64 / sizeof(double);
  for (std::size_t j = 0; j < row.size(); j += line) __builtin_prefetch(row.data() + j);
}

}  // namespace

FeatureMajor::FeatureMajor(std::size_t rows, std::size_t features)
    : rows_(rows), features_(features), ld_(kernels::padded_rows(rows)), values_(features * ld_) {}

FeatureMajor::FeatureMajor(StandardRows source)
    : rows_(source.size()),
      features_(source.x.cols()),
      ld_(kernels::padded_rows(rows_)),
      source_(std::move(source)) {}

void FeatureMajor::gather(std::span<const std::uint32_t> rows, float* tile) const noexcept {
  source_ ? gather_from_source(rows, tile) : gather_copied(rows, tile);
}

void FeatureMajor::gather_copied(std::span<const std::uint32_t> rows, float* tile) const noexcept {
  for (std::size_t f = 0; f < features_; ++f) {
    const float* from = values_.data() + f * ld_;
    float* to = tile + f * kernels::tile_rows;
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = from[rows[r]];
    std::fill(to + rows.size(), to + kernels::tile_rows, 0.0f);
  }
}

void FeatureMajor::gather_from_source(std::span<const std::uint32_t> rows, float* tile) const noexcept {
  for (const std::uint32_t row : rows) prefetch((*source_)[row]);
  std::vector<double> scratch(features_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    source_->standard.apply((*source_)[rows[r]], scratch);
    for (std::size_t f = 0; f < features_; ++f)
      tile[f * kernels::tile_rows + r] = static_cast<float>(scratch[f]);
  }
  for (std::size_t f = 0; f < features_; ++f)
    std::fill(tile + f * kernels::tile_rows + rows.size(), tile + (f + 1) * kernels::tile_rows, 0.0f);
}

FeatureMajor to_feature_major(PointsView x, PointsView y, const char* name) {
  FeatureMajor result(x.rows() + y.rows(), x.cols());
  copy_rows(x, name, 0, result);
  copy_rows(y, "Y", x.rows(), result);
  return result;
}

void Standard::apply(std::span<const double> row, std::span<double> to) const noexcept {
  assert(centre.empty() || centre.size() == row.size());
  double squares = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double origin = centre.empty() ? 0 : centre[j];
    // Halves cannot overflow where the difference might; what overflows the quotient is far beyond the ball.
    to[j] = std::clamp((row[j] / 2 - origin / 2) / scale * 2, -1e150, 1e150);
    squares += to[j] * to[j];
  }
  const double norm = std::sqrt(squares);
  if (norm <= radius) return;
  for (double& value : to) value *= radius / norm;
}

FeatureMajor standardised(const StandardRows& source, Team& team) {
  FeatureMajor data(source.size(), source.x.cols());
  std::vector<std::vector<double>> scratch(team.size(), std::vector<double>(data.features()));
  team.run(data.tiles(), [&](std::size_t t, std::size_t worker) {
    const std::size_t last = std::min(data.rows(), (t + 1) * kernels::tile_rows);
    for (std::size_t i = t * kernels::tile_rows; i < last; ++i) {
      source.standard.apply(source[i], scratch[worker]);
      for (std::size_t j = 0; j < data.features(); ++j) data(i, j) = static_cast<float>(scratch[worker][j]);
    }
  });
  return data;
}

}  // namespace motmot
