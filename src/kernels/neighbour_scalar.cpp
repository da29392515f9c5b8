// The definition of the kernels of the search for neighbours. Every vector version must agree with it.
#include "kernels/neighbour_kernels.hpp"

namespace motmot::kernels {
namespace {

void block_distances(const BlockDistances& task) noexcept {
  for (std::size_t r = 0; r < task.count; ++r)
    for (std::size_t l = 0; l < task.listed; ++l) {
      const double* block = task.blocks + task.list[l] * task.d * neighbour_block;
      for (std::size_t j = 0; j < neighbour_block; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < task.d; ++k) {
          const double diff = task.points[r * task.d + k] - block[k * neighbour_block + j];
          sum += diff * diff;
        }
        task.out[r * task.stride + l * neighbour_block + j] = sum;
      }
    }
}

Sifted sift(const double* values, std::size_t count, double low, double high, double* out) noexcept {
  Sifted sifted{0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] < low) ++sifted.below;
    if (low <= values[i] && values[i] <= high) out[sifted.kept++] = values[i];
  }
  return sifted;
}

}  // namespace

const NeighbourKernels& scalar_neighbour_kernels() noexcept {
  static constexpr NeighbourKernels all{block_distances, sift};
  return all;
}

}  // namespace motmot::kernels
