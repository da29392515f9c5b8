#include "neighbours/row_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/euclidean.hpp"

namespace motmot {
namespace {

struct Side {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
};

/// The box around rows: `row(i)` for i < count.
template <class Row>
std::vector<Side> box_of(std::size_t count, std::size_t d, const Row& row) {
  std::vector<Side> box(d);
  for (std::size_t i = 0; i < count; ++i) {
    const double* at = row(i);
    for (std::size_t k = 0; k < d; ++k) {
      box[k].low = std::min(box[k].low, at[k]);
      box[k].high = std::max(box[k].high, at[k]);
    }
  }
  return box;
}

}  // namespace

RowBlocks::RowBlocks(PointsView points) : d_(points.d), order_(points.n), points_(points.n * points.d) {
  std::iota(order_.begin(), order_.end(), 0u);
  split(points, {0, blocks()});
  blocks_.assign(blocks() * width * d_, std::numeric_limits<double>::infinity());
  for (std::size_t place = 0; place < rows(); ++place) {
    std::ranges::copy(points.row(order_[place]), points_.begin() + static_cast<std::ptrdiff_t>(place * d_));
    double* block = blocks_.data() + place / width * width * d_;
    for (std::size_t k = 0; k < d_; ++k) block[k * width + place % width] = points(order_[place], k);
  }
}

// Halves a branch across the longest side of its box. Rows with equal coordinates keep to their numbers, so
// that the order is a function of the data.
void RowBlocks::split(PointsView points, Branch branch) {
  if (branch.size() <= 1) return;
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(branch.first * width);
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(std::min(branch.last * width, rows()));
  const auto box = box_of(static_cast<std::size_t>(end - begin), d_, [&](std::size_t i) {
    return points.row(begin[static_cast<std::ptrdiff_t>(i)]).data();
  });
  const auto longest =
      std::ranges::max_element(box, {}, [](const Side& side) { return side.high - side.low; });
  const auto k = static_cast<std::size_t>(longest - box.begin());
  const auto before = [&](std::uint32_t i, std::uint32_t j) {
    return points(i, k) != points(j, k) ? points(i, k) < points(j, k) : i < j;
  };
  std::nth_element(begin, order_.begin() + static_cast<std::ptrdiff_t>(branch.right().first * width), end,
                   before);
  split(points, branch.left());
  split(points, branch.right());
}

std::size_t RowBlocks::rows_of(std::size_t block) const noexcept {
  return std::min(width, rows() - block * width);
}

void RowBlocks::distances(const double* points, std::size_t count, std::span<const std::uint32_t> list,
                          double* out) const {
  kernels::neighbour_kernels().block_distances(
      {points, count, d_, blocks_.data(), list.data(), list.size(), out, list.size() * width});
}

Centre RowBlocks::centre_of(Branch branch) const {
  const std::size_t first = branch.first * width;
  const std::size_t count = std::min(branch.last * width, rows()) - first;
  const auto box = box_of(count, d_, [&](std::size_t i) { return point_at(first + i); });
  Centre centre{.at = std::vector<double>(d_)};
  std::ranges::transform(box, centre.at.begin(),
                         [](const Side& side) { return std::midpoint(side.low, side.high); });
  double farthest = 0;
  for (std::size_t i = 0; i < count; ++i)
    farthest = std::max(farthest, squared_distance(centre.at.data(), point_at(first + i), d_));
  centre.radius = std::sqrt(farthest);
  return centre;
}

}  // namespace motmot
