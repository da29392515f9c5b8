/// The inner loops of the search for neighbours: squared distances from a few points to blocks of rows, and
/// the sifting of values by size. In double; a sum has the same bits in the vector versions and the scalar
/// twin.
#pragma once

#include <cstddef>
#include <cstdint>

namespace motmot::kernels {

/// Rows in a block. A block holds d runs of this many numbers, coordinate after coordinate.
inline constexpr std::size_t neighbour_block = 32;

/// A few points against the blocks that are listed.
struct BlockDistances {
  const double* points;       ///< row after row
  std::size_t count;          ///< of points
  std::size_t d;              ///< coordinates, >= 1
  const double* blocks;       ///< block b starts at b * d * neighbour_block
  const std::uint32_t* list;  ///< the blocks to look at
  std::size_t listed;         ///< how many
  double* out;         ///< point r against entry l of the list: from r * stride + l * neighbour_block on
  std::size_t stride;  ///< >= listed * neighbour_block
};

/// How many values were below the low end, and how many were kept.
struct Sifted {
  std::size_t below;
  std::size_t kept;
};

struct NeighbourKernels {
  /// Squared distances, summed from the first coordinate to the last.
  void (*block_distances)(const BlockDistances& task) noexcept;
  /// Writes the values in [low, high] to out, in their order; count a multiple of neighbour_block. `out` has
  /// room for count values, and what comes after the kept ones is undefined.
  Sifted (*sift)(const double* values, std::size_t count, double low, double high, double* out) noexcept;
};

/// What this processor runs best; the scalar twin when the environment says MOTMOT_ISA=scalar.
const NeighbourKernels& neighbour_kernels() noexcept;
/// The definition.
const NeighbourKernels& scalar_neighbour_kernels() noexcept;

}  // namespace motmot::kernels
