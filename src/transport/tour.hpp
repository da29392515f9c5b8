/// The closed walk around a tree that passes every edge once in each direction, in blocks of some hundred
/// steps: what hangs below an edge is a stretch of it, so that a number is added to all of its potentials
/// in some sqrt(nodes) steps, however large it is, and a part is hung elsewhere by turning its stretch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace motmot::solver {

/// Steps of the walk are nodes (0 .. nodes - 1, each once, at one of the times that the walk passes it) and
/// arcs: edge e has nodes + 2 e in one direction and the number after it in the other.
class Tour {
 public:
  /// `potentials` are kept by the caller, less the offsets here; rows (nodes below `rows`) gain what is added
  /// to a part, columns lose it.
  void build(std::span<const std::uint32_t> walk, std::size_t nodes, std::size_t rows);

  [[nodiscard]] std::uint32_t arc(std::size_t edge) const noexcept {
    return static_cast<std::uint32_t>(nodes_ + 2 * edge);
  }
  [[nodiscard]] std::uint32_t back(std::uint32_t arc) const noexcept {
    return static_cast<std::uint32_t>(((arc - nodes_) ^ 1) + nodes_);
  }
  /// What is to be added to the potential of a row, and taken from that of a column.
  [[nodiscard]] double offset(std::uint32_t node) const noexcept { return offset_[block_of_[node]]; }
  /// Puts the offsets into the potentials.
  void settle(std::span<double> potentials) noexcept;

  /// The part below the edge whose arc `down` leads into it is cut off and hung by the same edge, from
  /// `outer` in the rest to `inner` in the part; `down` then leads from outer to inner. Adds to the part, or
  /// to the rest.
  void move(std::uint32_t down, std::uint32_t inner, std::uint32_t outer, bool to_part, double add,
            std::span<double> potentials);

 private:
  struct Block {
    std::vector<std::uint32_t> steps;
    std::uint32_t prev, next;
  };

  std::uint32_t new_block(double offset);
  void link(std::uint32_t first, std::uint32_t second) noexcept;
  void split(std::uint32_t step, bool after);
  void split_at(std::uint32_t block, std::size_t at);
  void take_out_if_empty(std::uint32_t block);
  void append(std::uint32_t step, std::uint32_t block);
  void merge_with_next(std::uint32_t block, std::span<double> potentials);

  std::size_t nodes_ = 0, rows_ = 0, longest_ = 0;
  std::vector<std::uint32_t> block_of_;  ///< of steps
  std::vector<Block> blocks_;
  std::vector<double> offset_;  ///< of blocks
  std::vector<std::uint32_t> unused_;
};

}  // namespace motmot::solver
