#include "rays/ray_tree.hpp"

#include <algorithm>
#include <numeric>

#include "base/symmetric_eigen.hpp"

namespace motmot::solver {
namespace {

using kernels::ray_children;
using kernels::ray_leaf;

// Rounding of the centre, the half axes and the plane to float32, as a share of their sizes.
constexpr double float_error = 4e-7;
constexpr double longest_stretch = 32;

/// g with square g = right, where `square` is symmetric and positive definite; zero when it is not.
template <std::size_t D>
RayPoint<D> solved(std::array<RayPoint<D>, D> square, RayPoint<D> right) {
  for (std::size_t p = 0; p < D; ++p) {
    if (!(square[p][p] > 0)) return {};
    for (std::size_t q = p + 1; q < D; ++q) {
      const double factor = square[q][p] / square[p][p];
      for (std::size_t t = p; t < D; ++t) square[q][t] -= factor * square[p][t];
      right[q] -= factor * right[p];
    }
  }
  for (std::size_t p = D; p-- > 0;) {
    for (std::size_t t = p + 1; t < D; ++t) right[p] -= square[p][t] * right[t];
    right[p] /= square[p][p];
  }
  return right;
}

}  // namespace

template <std::size_t D>
void RayTree<D>::build(std::span<const Point> columns, std::span<const Point> rays) {
  kernels_ = &kernels::ray_kernels<D>();
  columns_ = columns;
  rays_ = rays;
  leaves_ = (columns.size() + ray_leaf - 1) / ray_leaf;
  for (std::vector<double>& coordinate : at_) coordinate.assign(leaves_ * ray_leaf, 0);
  price_.assign(leaves_ * ray_leaf, infinite);
  order_.resize(columns.size());
  std::iota(order_.begin(), order_.end(), 0u);
  arrange(0, leaves_);
  place_.resize(columns.size());
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
    for (std::size_t k = first_column(leaf); k < first_column(leaf + 1); ++k) {
      const std::size_t place = leaf * ray_leaf + k - first_column(leaf);
      place_[order_[k]] = static_cast<std::uint32_t>(place);
      for (std::size_t t = 0; t < D; ++t) at_[t][place] = columns[order_[k]][t];
    }
  make_boxes();
}

// Halves a run of leaves, at a whole number of nodes of the highest level that it reaches.
template <std::size_t D>
void RayTree<D>::arrange(std::size_t first_leaf, std::size_t last_leaf) {
  const std::size_t count = last_leaf - first_leaf;
  if (count <= 1) return;
  std::size_t unit = 1;
  while (unit * ray_children < count) unit *= ray_children;
  const std::size_t half = first_leaf + (count / 2 + unit - 1) / unit * unit;
  const std::size_t begin = first_column(first_leaf);
  const std::span<std::uint32_t> order = std::span(order_).subspan(begin, first_column(last_leaf) - begin);
  halve(order, first_column(half) - begin);
  arrange(first_leaf, half);
  arrange(half, last_leaf);
}

template <std::size_t D>
void RayTree<D>::make_boxes() {
  levels_.clear();
  leaves_below_.clear();
  std::size_t below = 1;
  for (std::size_t nodes = leaves_; levels_.empty() || nodes > 1; below *= ray_children) {
    const std::size_t blocks = (nodes + ray_children - 1) / ray_children;
    levels_.emplace_back(blocks, Block{});
    for (Block& block : levels_.back()) std::ranges::fill(block.a, static_cast<float>(infinite));
    leaves_below_.push_back(below);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t first = first_column(node * below);
      const std::size_t last = first_column(std::min((node + 1) * below, leaves_));
      box(levels_.size() - 1, node, std::span(order_).subspan(first, last - first));
    }
    nodes = blocks;
  }
  view_ = {};
  view_.levels = levels_.size();
  view_.leaves = leaves_;
  view_.price = price_.data();
  for (std::size_t t = 0; t < D; ++t) view_.at[t] = at_[t].data();
  for (std::size_t level = 0; level < levels_.size(); ++level) view_.level[level] = levels_[level].data();
}

// The mean of t t' over unit rays t has their direction as its first axis; what is left for the others says
// by which angle rays stray from it. Across a box a bound loses (angle x size), along it only (angle^2 x
// size): the box should be 1 / angle times longer than wide.
template <std::size_t D>
auto RayTree<D>::turned(std::span<const std::uint32_t> order) const -> Frame {
  std::vector<double> mean(D * D);
  double count = 0;
  for (const std::uint32_t j : order) {
    const double square = dot(rays_[j], rays_[j]);
    if (!(square > 0)) continue;
    for (std::size_t p = 0; p < D; ++p)
      for (std::size_t q = 0; q < D; ++q) mean[p * D + q] += rays_[j][p] * rays_[j][q] / square;
    ++count;
  }
  Frame frame{};
  frame.weight.fill(1);
  if (count == 0) {
    for (std::size_t p = 0; p < D; ++p) frame.axis[p][p] = 1;
    return frame;
  }
  const EigenPairs eigen = symmetric_eigen(std::move(mean), D);
  for (std::size_t p = 0; p < D; ++p) std::copy_n(eigen.vectors.data() + p * D, D, frame.axis[p].begin());
  const double angle = std::sqrt(std::max(0.0, 1 - eigen.values[0] / count));
  frame.weight[0] = std::clamp(angle, 1 / longest_stretch, 1.0);
  return frame;
}

template <std::size_t D>
auto RayTree<D>::extent(std::span<const std::uint32_t> order, const Frame& frame) const -> Extent {
  Extent all;
  all.low.fill(infinite);
  all.high.fill(-infinite);
  for (const std::uint32_t j : order)
    for (std::size_t t = 0; t < D; ++t) {
      const double at = dot(columns_[j], frame.axis[t]);
      all.low[t] = std::min(all.low[t], at);
      all.high[t] = std::max(all.high[t], at);
    }
  return all;
}

template <std::size_t D>
void RayTree<D>::halve(std::span<std::uint32_t> order, std::size_t middle) {
  if (middle == 0 || middle >= order.size()) return;
  const Frame frame = turned(order);
  const Extent all = extent(order, frame);
  std::size_t widest = D - 1;
  const auto loss = [&](std::size_t t) { return frame.weight[t] * (all.high[t] - all.low[t]); };
  for (std::size_t t = D - 1; t-- > 0;)
    if (loss(t) > loss(widest)) widest = t;
  const Point axis = frame.axis[widest];
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(middle),
                           [&](std::uint32_t p, std::uint32_t q) {
                             const double a = dot(columns_[p], axis);
                             const double b = dot(columns_[q], axis);
                             return a != b ? a < b : p < q;
                           });
}

template <std::size_t D>
void RayTree<D>::box(std::size_t level, std::size_t node, std::span<const std::uint32_t> order) {
  const Frame frame = turned(order);
  const Extent all = extent(order, frame);
  Block& block = block_of(level, node);
  const std::size_t k = node % ray_children;
  Point centre{};
  for (std::size_t axis = 0; axis < D; ++axis)
    for (std::size_t t = 0; t < D; ++t) {
      centre[t] += (all.low[axis] + all.high[axis]) / 2 * frame.axis[axis][t];
      block.half[axis][t][k] = static_cast<float>((all.high[axis] - all.low[axis]) / 2 * frame.axis[axis][t]);
    }
  for (std::size_t t = 0; t < D; ++t) block.centre[t][k] = static_cast<float>(centre[t]);
}

template <std::size_t D>
void RayTree<D>::Moments::add(const Moments& other) noexcept {
  if (other.count == 0) return;
  const double all = count + other.count;
  const double weight = count * other.count / all;
  const Point away = difference(other.at, at);
  const double dearer = other.price - price;
  for (std::size_t p = 0; p < D; ++p) {
    for (std::size_t q = 0; q < D; ++q) square[p][q] += other.square[p][q] + weight * away[p] * away[q];
    with_price[p] += other.with_price[p] + weight * away[p] * dearer;
    at[p] += away[p] * other.count / all;
  }
  price += dearer * other.count / all;
  count = all;
}

template <std::size_t D>
void RayTree<D>::fit() {
  const std::size_t top = levels_.size() - 1;
  const std::size_t nodes = (leaves_ + leaves_below_[top] - 1) / leaves_below_[top];
  for (std::size_t node = 0; node < nodes; ++node) fit_node(top, node);
}

template <std::size_t D>
auto RayTree<D>::fit_node(std::size_t level, std::size_t node) -> Moments {
  Moments sum;
  if (level > 0) {
    const std::size_t nodes = (leaves_ + leaves_below_[level - 1] - 1) / leaves_below_[level - 1];
    for (std::size_t k = node * ray_children; k < std::min((node + 1) * ray_children, nodes); ++k)
      sum.add(fit_node(level - 1, k));
  } else {
    for (std::size_t place = node * ray_leaf; place < (node + 1) * ray_leaf; ++place)
      if (price_[place] < infinite) sum.add({.count = 1, .price = price_[place], .at = at(place)});
  }
  // A little weight on slope zero: points on a line, or one point, leave it open.
  std::array<Point, D> square = sum.square;
  double trace = 0;
  for (std::size_t t = 0; t < D; ++t) trace += square[t][t];
  for (std::size_t t = 0; t < D; ++t) square[t][t] += 1e-6 * trace + std::numeric_limits<double>::min();
  const Point slope = solved<D>(square, sum.with_price);
  // Prices of transport have no slope beyond one; noise on points that nearly coincide has.
  const double steepness = std::max(1.0, length(slope));
  Block& block = block_of(level, node);
  for (std::size_t t = 0; t < D; ++t)
    block.slope[t][node % ray_children] = static_cast<float>(slope[t] / steepness);
  lift(level, node);
  return sum;
}

// The plane goes up as far as the prices let it.
template <std::size_t D>
void RayTree<D>::lift(std::size_t level, std::size_t node) noexcept {
  Block& block = block_of(level, node);
  const std::size_t k = node % ray_children;
  Point slope;
  Point centre;
  double steep = 2;
  double far = 0;
  double wide = 0;
  for (std::size_t t = 0; t < D; ++t) {
    slope[t] = block.slope[t][k];
    centre[t] = block.centre[t][k];
    steep += std::abs(slope[t]);
    far += std::abs(centre[t]);
    for (std::size_t axis = 0; axis < D; ++axis)
      wide += static_cast<double>(std::abs(block.half[axis][t][k]));
  }
  const std::size_t first = node * leaves_below_[level] * ray_leaf;
  const std::size_t last = std::min((node + 1) * leaves_below_[level], leaves_) * ray_leaf;
  constexpr std::size_t lanes = 2;
  double least[lanes] = {infinite, infinite};
  for (std::size_t place = first; place < last; place += lanes)
    for (std::size_t s = 0; s < lanes; ++s) {
      double plane = 0;
      for (std::size_t t = 0; t < D; ++t) plane += slope[t] * (at_[t][place + s] - centre[t]);
      least[s] = std::min(least[s], price_[place + s] - plane);
    }
  const double a = std::min(least[0], least[1]);
  block.a[k] = static_cast<float>(a - float_error * (std::abs(a) + far + steep * wide));
}

template <std::size_t D>
void RayTree<D>::hide_empty(std::size_t leaf) noexcept {
  lift(0, leaf);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    const Block& block = block_of(level, leaf);
    if (std::ranges::any_of(block.a, [](float a) { return a < static_cast<float>(infinite); })) return;
    leaf /= ray_children;
    block_of(level + 1, leaf).a[leaf % ray_children] = static_cast<float>(infinite);
  }
}

template class RayTree<2>;
template class RayTree<3>;

}  // namespace motmot::solver
