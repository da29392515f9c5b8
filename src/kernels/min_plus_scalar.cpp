// The definition of the min-plus kernels. Every vector version must agree with it.
#include <algorithm>
#include <cmath>

#include "kernels/min_plus_kernels.hpp"

namespace motmot::kernels {
namespace {

MinAt min_plus(const float* cost, const float* g, std::size_t count) noexcept {
  MinAt best{no_anchor, 0};
  for (std::size_t j = 0; j < count; ++j)
    if (const float value = cost[j] - g[j]; value < best.value) best = {value, static_cast<std::uint32_t>(j)};
  return best;
}

void lower(const float* cost, float phi, std::size_t count, float* best) noexcept {
  for (std::size_t j = 0; j < count; ++j) best[j] = std::min(best[j], cost[j] - phi);
}

double distance(const DistanceScan& scan, const double* row, std::size_t j) noexcept {
  double sum = 0;
  for (std::size_t k = 0; k < scan.d; ++k) {
    const double diff = row[k] - scan.anchors[k * scan.stride + j];
    sum += diff * diff;
  }
  return std::sqrt(sum);
}

void scan(const DistanceScan& scan) noexcept {
  for (std::size_t r = 0; r < scan.count; ++r) {
    double best = no_anchor_double;
    for (std::size_t j = 0; j < scan.stride; ++j)
      best = std::min(best, distance(scan, scan.rows + r * scan.d, j) + scan.offset[j]);
    scan.out[r] = best;
  }
}

}  // namespace

const MinPlusKernels& scalar_min_plus_kernels() noexcept {
  static constexpr MinPlusKernels all{min_plus, lower, scan};
  return all;
}

}  // namespace motmot::kernels
