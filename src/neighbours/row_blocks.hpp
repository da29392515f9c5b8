/// Rows in the order of a kd-tree, cut into blocks of neighbours that the kernels read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/neighbour_kernels.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Blocks first .. last - 1: a branch of the tree.
struct Branch {
  std::size_t first, last;
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  [[nodiscard]] Branch left() const noexcept { return {first, first + size() / 2}; }
  [[nodiscard]] Branch right() const noexcept { return {first + size() / 2, last}; }
};

/// A point and the distance from it to the farthest row of a branch.
struct Centre {
  std::vector<double> at{};
  double radius = 0;
};

class RowBlocks {
 public:
  static constexpr std::size_t width = kernels::neighbour_block;

  /// Coordinates whose squared differences neither overflow nor vanish.
  explicit RowBlocks(PointsView points);

  [[nodiscard]] std::size_t rows() const noexcept { return order_.size(); }
  [[nodiscard]] std::size_t cols() const noexcept { return d_; }
  [[nodiscard]] std::size_t blocks() const noexcept { return (rows() + width - 1) / width; }
  /// Rows of a block: `width`, fewer in the last one.
  [[nodiscard]] std::size_t rows_of(std::size_t block) const noexcept;
  /// The number in the sample of the row at this place.
  [[nodiscard]] std::uint32_t row_at(std::size_t place) const noexcept { return order_[place]; }
  [[nodiscard]] const double* point_at(std::size_t place) const noexcept {
    return points_.data() + place * d_;
  }

  /// Squared distances from `count` points, row after row, to the rows of the blocks listed: point r against
  /// entry l of the list from (r list.size() + l) width on. Where the last block has no row they are
  /// infinite.
  void distances(const double* points, std::size_t count, std::span<const std::uint32_t> list,
                 double* out) const;

  /// The middle of the box around the rows of a branch.
  [[nodiscard]] Centre centre_of(Branch branch) const;

 private:
  void split(PointsView points, Branch branch);

  std::size_t d_;
  std::vector<std::uint32_t> order_;
  std::vector<double> points_;  ///< row after row, in the new order
  std::vector<double> blocks_;  ///< as the kernels read them
};

}  // namespace motmot
