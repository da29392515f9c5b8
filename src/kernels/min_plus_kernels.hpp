/// The inner loops of the min-plus critic phi_g(x) = min_j (|x - y_j| - g_j): minima over anchors, either
/// of costs that are stored (float32) or of distances computed on the way (double). A minimum is exact and
/// does not depend on the order, so neither do its bits on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace motmot::kernels {

/// Arrays over anchors are padded to a multiple of this.
inline constexpr std::size_t min_plus_pad = 32;
constexpr std::size_t min_plus_padded(std::size_t count) {
  return (count + min_plus_pad - 1) / min_plus_pad * min_plus_pad;
}
/// A cost or an offset that takes its anchor out of every minimum (padding). Finite: it may be subtracted.
inline constexpr float no_anchor = 1e38f;
inline constexpr double no_anchor_double = 1e300;

/// The smallest value and the first place where it is.
struct MinAt {
  float value;
  std::uint32_t at;
};

/// Rows against anchors: `anchors` holds d runs of `stride` numbers, coordinate after coordinate.
struct DistanceScan {
  const double* rows;  ///< row after row
  std::size_t count;   ///< of rows
  std::size_t d;
  const double* anchors;
  std::size_t stride;    ///< a multiple of min_plus_pad
  const double* offset;  ///< one for each anchor, added to the distance
  double* out;           ///< one for each row
};

struct MinPlusKernels {
  /// min_j cost[j] - g[j] and where, j < count; count a multiple of min_plus_pad. Exact.
  MinAt (*min_plus)(const float* cost, const float* g, std::size_t count) noexcept;
  /// best[j] = min(best[j], cost[j] - phi), j < count; count as above. Exact.
  void (*lower)(const float* cost, float phi, std::size_t count, float* best) noexcept;
  /// out[r] = min_j |row_r - anchor_j| + offset[j]. Relative error of each distance about 2^-53 (d / 2 + 2).
  void (*scan)(const DistanceScan& scan) noexcept;
};

/// What this processor runs best; the scalar twin when the environment says MOTMOT_ISA=scalar.
const MinPlusKernels& min_plus_kernels() noexcept;
/// The definition.
const MinPlusKernels& scalar_min_plus_kernels() noexcept;

}  // namespace motmot::kernels
