#include "inference/kernel_bracket.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "blocks/median.hpp"

namespace motmot {
namespace {

/// The mean of k over the pairs of rows of two blocks.
double mean_kernel(PointsView a, std::span<const std::uint32_t> rows_a, PointsView b,
                   std::span<const std::uint32_t> rows_b, const RowKernel& kernel) {
  double sum = 0;
  for (const std::uint32_t i : rows_a)
    for (const std::uint32_t j : rows_b) sum += kernel(a.row(i), b.row(j));
  return sum / static_cast<double>(rows_a.size() * rows_b.size());
}

std::vector<double> own_kernels(PointsView points, const Blocks& blocks, const RowKernel& kernel,
                                Team& team) {
  std::vector<double> own(blocks.count);
  team.run(blocks.count, [&](std::size_t k, std::size_t) {
    own[k] = mean_kernel(points, blocks[k], points, blocks[k], kernel);
  });
  return own;
}

/// D, block after block of X.
std::vector<double> block_distances(PointsView x, PointsView y, const RowKernel& kernel,
                                    const Blocks& blocks_x, const Blocks& blocks_y, Team& team) {
  const std::vector<double> own_x = own_kernels(x, blocks_x, kernel, team),
                            own_y = own_kernels(y, blocks_y, kernel, team);
  std::vector<double> distances(blocks_x.count * blocks_y.count);
  team.run(blocks_x.count, [&](std::size_t k, std::size_t) {
    for (std::size_t l = 0; l < blocks_y.count; ++l) {
      const double cross = mean_kernel(x, blocks_x[k], y, blocks_y[l], kernel);
      distances[k * blocks_y.count + l] = std::sqrt(std::max(0.0, own_x[k] + own_y[l] - 2 * cross));
    }
  });
  return distances;
}

/// med_k med_l of d[k * step_k + l * step_l].
double median_of_medians(std::span<const double> d, std::size_t count_k, std::size_t step_k,
                         std::size_t count_l, std::size_t step_l) {
  std::vector<double> medians;
  for (std::size_t k = 0; k < count_k; ++k) {
    std::vector<double> row;
    for (std::size_t l = 0; l < count_l; ++l) row.push_back(d[k * step_k + l * step_l]);
    medians.push_back(median_of(std::move(row)));
  }
  return median_of(std::move(medians));
}

double upper_end(Estimator estimator, const std::vector<double>& d, std::size_t k_x, std::size_t k_y) {
  if (estimator == Estimator::mou) return median_of(d);
  if (estimator == Estimator::mom)
    return std::min(median_of_medians(d, k_x, k_y, k_y, 1), median_of_medians(d, k_y, 1, k_x, k_y));
  std::vector<double> diagonal;
  for (std::size_t k = 0; k < k_x; ++k) diagonal.push_back(d[k * k_y + k]);
  return median_of(std::move(diagonal));
}

}  // namespace

Bracket kernel_bracket(PointsView x, PointsView y, const RowKernel& kernel, const Blocks& blocks_x,
                       const Blocks& blocks_y, const Phi& phi, Estimator estimator, Team& team) {
  require(blocks_x.count % 2 == 1 && blocks_y.count % 2 == 1, Errc::invalid_argument,
          "a bracket needs odd numbers of blocks, got K_X = ", blocks_x.count, ", K_Y = ", blocks_y.count);
  const std::vector<double> d = block_distances(x, y, kernel, blocks_x, blocks_y, team);
  const double upper = upper_end(estimator, d, blocks_x.count, blocks_y.count);
  const double fixed =
      median_pair(estimator, block_means(phi.x, blocks_x), block_means(phi.y, blocks_y)).value;
  return {.lower = std::min(std::max(0.0, fixed), upper), .upper = upper, .fixed_partition_value = fixed};
}

}  // namespace motmot
