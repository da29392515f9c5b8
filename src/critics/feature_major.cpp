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

}  // namespace

FeatureMajor::FeatureMajor(std::size_t rows, std::size_t features)
    : rows_(rows), features_(features), ld_(kernels::padded_rows(rows)), values_(features * ld_) {}

void FeatureMajor::gather(std::span<const std::uint32_t> rows, float* tile) const noexcept {
  for (std::size_t f = 0; f < features_; ++f) {
    const float* from = values_.data() + f * ld_;
    float* to = tile + f * kernels::tile_rows;
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = from[rows[r]];
    std::fill(to + rows.size(), to + kernels::tile_rows, 0.0f);
  }
}

FeatureMajor to_feature_major(PointsView x, PointsView y) {
  FeatureMajor result(x.rows() + y.rows(), x.cols());
  copy_rows(x, "X", 0, result);
  copy_rows(y, "Y", x.rows(), result);
  return result;
}

FeatureMajor to_feature_major(PointsView x, const char* name) {
  FeatureMajor result(x.rows(), x.cols());
  copy_rows(x, name, 0, result);
  return result;
}

}  // namespace motmot
