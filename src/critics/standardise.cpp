#include "critics/standardise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace motmot {
namespace {

using kernels::tile_rows;

template <class Row>
FeatureMajor fill(const Standard& standard, std::size_t rows, std::size_t d, Team& team, Row row_at) {
  FeatureMajor data(rows, d);
  std::vector<std::vector<double>> scratch(team.size(), std::vector<double>(d));
  team.run(data.tiles(), [&](std::size_t t, std::size_t worker) {
    const std::size_t last = std::min(rows, (t + 1) * tile_rows);
    for (std::size_t i = t * tile_rows; i < last; ++i) {
      standard.apply(row_at(i), scratch[worker]);
      for (std::size_t j = 0; j < d; ++j) data(i, j) = static_cast<float>(scratch[worker][j]);
    }
  });
  return data;
}

}  // namespace

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
