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

template <class Row>
FeatureMajor fill(const Standard& standard, std::size_t rows, std::size_t d, Team& team, Row row_at) {
  FeatureMajor data(rows, d);
  std::vector<std::vector<double>> scratch(team.size(), std::vector<double>(d));
  team.run(data.tiles(), [&](std::size_t t, std::size_t worker) {
    const std::size_t last = std::min(rows, (t + 1) * kernels::tile_rows);
    for (std::size_t i = t * kernels::tile_rows; i < last; ++i) {
      standard.apply(row_at(i), scratch[worker]);
      for (std::size_t j = 0; j < d; ++j) data(i, j) = static_cast<float>(scratch[worker][j]);
    }
  });
  return data;
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

FeatureMajor standardised(const Standard& standard, PointsView x, std::span<const std::uint32_t> rows_x,
                          PointsView y, std::span<const std::uint32_t> rows_y, Team& team) {
  return fill(standard, rows_x.size() + rows_y.size(), x.cols(), team, [&](std::size_t i) {
    return i < rows_x.size() ? x.row(rows_x[i]) : y.row(rows_y[i - rows_x.size()]);
  });
}

FeatureMajor standardised(const Standard& standard, PointsView x, PointsView y, Team& team) {
  return fill(standard, x.rows() + y.rows(), x.cols(), team,
              [&](std::size_t i) { return i < x.rows() ? x.row(i) : y.row(i - x.rows()); });
}

}  // namespace motmot
