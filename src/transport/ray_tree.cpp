#include "transport/ray_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace motmot::solver {
namespace {

using kernels::ray_children;
using kernels::ray_leaf;
using kernels::RayBlock;

// Rounding of the centre, the half axes and the plane to float32, as a share of their sizes.
constexpr double float_error = 4e-7;
constexpr double longest_stretch = 32;

}  // namespace

void RayTree::build(std::span<const PlanePoint> columns, std::span<const PlanePoint> rays) {
  kernels_ = &kernels::ray_kernels();
  columns_ = columns;
  rays_ = rays;
  leaves_ = (columns.size() + ray_leaf - 1) / ray_leaf;
  x_.assign(leaves_ * ray_leaf, 0);
  y_.assign(leaves_ * ray_leaf, 0);
  price_.assign(leaves_ * ray_leaf, infinite);
  order_.resize(columns.size());
  std::iota(order_.begin(), order_.end(), 0u);
  arrange(0, leaves_);
  place_.resize(columns.size());
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
    for (std::size_t k = first_column(leaf); k < first_column(leaf + 1); ++k) {
      const std::size_t place = leaf * ray_leaf + k - first_column(leaf);
      place_[order_[k]] = static_cast<std::uint32_t>(place);
      x_[place] = columns[order_[k]].x;
      y_[place] = columns[order_[k]].y;
    }
  make_boxes();
}

// Halves a run of leaves, at a whole number of nodes of the highest level that it reaches.
void RayTree::arrange(std::size_t first_leaf, std::size_t last_leaf) {
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

void RayTree::make_boxes() {
  levels_.clear();
  leaves_below_.clear();
  std::size_t below = 1;
  for (std::size_t nodes = leaves_; levels_.empty() || nodes > 1; below *= ray_children) {
    const std::size_t blocks = (nodes + ray_children - 1) / ray_children;
    levels_.emplace_back(blocks, RayBlock{});
    for (RayBlock& block : levels_.back()) std::ranges::fill(block.a, static_cast<float>(infinite));
    leaves_below_.push_back(below);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t first = first_column(node * below);
      const std::size_t last = first_column(std::min((node + 1) * below, leaves_));
      box(levels_.size() - 1, node, std::span(order_).subspan(first, last - first));
    }
    nodes = blocks;
  }
  view_ = {.level = {},
           .levels = levels_.size(),
           .leaves = leaves_,
           .x = x_.data(),
           .y = y_.data(),
           .price = price_.data()};
  for (std::size_t level = 0; level < levels_.size(); ++level) view_.level[level] = levels_[level].data();
}

// The mean of doubled angles has the direction of the rays up to sign; its length says how much they agree.
// Across a box a bound loses (angle x size), along it only (angle^2 x size): the box should be 1 / angle
// times longer than wide.
RayTree::Turned RayTree::turned(std::span<const std::uint32_t> order) const {
  double cosine = 0;
  double sine = 0;
  double count = 0;
  for (const std::uint32_t j : order) {
    const double square = rays_[j].x * rays_[j].x + rays_[j].y * rays_[j].y;
    if (!(square > 0)) continue;
    cosine += (rays_[j].x * rays_[j].x - rays_[j].y * rays_[j].y) / square;
    sine += 2 * rays_[j].x * rays_[j].y / square;
    ++count;
  }
  const double length = std::hypot(cosine, sine);
  if (!(length > 0)) return {{1, 0}, 1};
  const double half = std::atan2(sine, cosine) / 2;
  const double angle = std::sqrt(std::max(0.0, 1 - length / count) / 2);
  return {{std::cos(half), std::sin(half)}, std::clamp(1 / std::max(angle, 1e-9), 1.0, longest_stretch)};
}

void RayTree::halve(std::span<std::uint32_t> order, std::size_t middle) {
  if (middle == 0 || middle >= order.size()) return;
  const auto [axis, stretch] = turned(order);
  const auto along = [this, &axis = axis](std::uint32_t j) {
    return columns_[j].x * axis.x + columns_[j].y * axis.y;
  };
  const auto across = [this, &axis = axis](std::uint32_t j) {
    return columns_[j].y * axis.x - columns_[j].x * axis.y;
  };
  const auto extent = [&](const auto& coordinate) {
    double low = infinite;
    double high = -infinite;
    for (const std::uint32_t j : order) {
      low = std::min(low, coordinate(j));
      high = std::max(high, coordinate(j));
    }
    return high - low;
  };
  const auto split_by = [&](const auto& coordinate) {
    std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(middle),
                             [&](std::uint32_t p, std::uint32_t q) {
                               const double a = coordinate(p);
                               const double b = coordinate(q);
                               return a != b ? a < b : p < q;
                             });
  };
  if (extent(along) > stretch * extent(across)) split_by(along);
  else split_by(across);
}

void RayTree::box(std::size_t level, std::size_t node, std::span<const std::uint32_t> order) {
  const PlanePoint axis = turned(order).axis;
  double low[2] = {infinite, infinite};
  double high[2] = {-infinite, -infinite};
  for (const std::uint32_t j : order) {
    const double at[2] = {columns_[j].x * axis.x + columns_[j].y * axis.y,
                          columns_[j].y * axis.x - columns_[j].x * axis.y};
    for (std::size_t t = 0; t < 2; ++t) {
      low[t] = std::min(low[t], at[t]);
      high[t] = std::max(high[t], at[t]);
    }
  }
  const double along = (low[0] + high[0]) / 2;
  const double across = (low[1] + high[1]) / 2;
  const double half_along = (high[0] - low[0]) / 2;
  const double half_across = (high[1] - low[1]) / 2;
  RayBlock& block = block_of(level, node);
  const std::size_t k = node % ray_children;
  block.cx[k] = static_cast<float>(along * axis.x - across * axis.y);
  block.cy[k] = static_cast<float>(along * axis.y + across * axis.x);
  block.along_x[k] = static_cast<float>(half_along * axis.x);
  block.along_y[k] = static_cast<float>(half_along * axis.y);
  block.across_x[k] = static_cast<float>(-half_across * axis.y);
  block.across_y[k] = static_cast<float>(half_across * axis.x);
}

void RayTree::Moments::add(const Moments& other) noexcept {
  if (other.count == 0) return;
  const double all = count + other.count;
  const double weight = count * other.count / all;
  const double dx = other.x - x;
  const double dy = other.y - y;
  const double dp = other.price - price;
  xx += other.xx + weight * dx * dx;
  xy += other.xy + weight * dx * dy;
  yy += other.yy + weight * dy * dy;
  xp += other.xp + weight * dx * dp;
  yp += other.yp + weight * dy * dp;
  x += dx * other.count / all;
  y += dy * other.count / all;
  price += dp * other.count / all;
  count = all;
}

void RayTree::fit() {
  const std::size_t top = levels_.size() - 1;
  const std::size_t nodes = (leaves_ + leaves_below_[top] - 1) / leaves_below_[top];
  for (std::size_t node = 0; node < nodes; ++node) fit_node(top, node);
}

RayTree::Moments RayTree::fit_node(std::size_t level, std::size_t node) {
  Moments sum;
  if (level > 0) {
    const std::size_t nodes = (leaves_ + leaves_below_[level - 1] - 1) / leaves_below_[level - 1];
    for (std::size_t k = node * ray_children; k < std::min((node + 1) * ray_children, nodes); ++k)
      sum.add(fit_node(level - 1, k));
  } else {
    for (std::size_t place = node * ray_leaf; place < (node + 1) * ray_leaf; ++place)
      if (price_[place] < infinite)
        sum.add({.count = 1, .x = x_[place], .y = y_[place], .price = price_[place]});
  }
  // A little weight on slope zero: points on a line, or one point, leave it open.
  const double ridge = 1e-6 * (sum.xx + sum.yy) + std::numeric_limits<double>::min();
  const double xx = sum.xx + ridge;
  const double yy = sum.yy + ridge;
  const double determinant = xx * yy - sum.xy * sum.xy;
  const double gx = determinant > 0 ? (yy * sum.xp - sum.xy * sum.yp) / determinant : 0;
  const double gy = determinant > 0 ? (xx * sum.yp - sum.xy * sum.xp) / determinant : 0;
  // Prices of transport have no slope beyond one; noise on points that nearly coincide has.
  const double steepness = std::max(1.0, std::hypot(gx, gy));
  RayBlock& block = block_of(level, node);
  const std::size_t k = node % ray_children;
  block.gx[k] = static_cast<float>(gx / steepness);
  block.gy[k] = static_cast<float>(gy / steepness);
  lift(level, node);
  return sum;
}

// The plane goes up as far as the prices let it.
void RayTree::lift(std::size_t level, std::size_t node) noexcept {
  RayBlock& block = block_of(level, node);
  const std::size_t k = node % ray_children;
  const double gx = block.gx[k];
  const double gy = block.gy[k];
  const double cx = block.cx[k];
  const double cy = block.cy[k];
  const std::size_t first = node * leaves_below_[level] * ray_leaf;
  const std::size_t last = std::min((node + 1) * leaves_below_[level], leaves_) * ray_leaf;
  double least[2] = {infinite, infinite};
  for (std::size_t place = first; place < last; place += 2)
    for (std::size_t t = 0; t < 2; ++t)
      least[t] =
          std::min(least[t], price_[place + t] - (gx * (x_[place + t] - cx) + gy * (y_[place + t] - cy)));
  const double a = std::min(least[0], least[1]);
  const double size = std::abs(cx) + std::abs(cy) +
                      (2 + std::abs(gx) + std::abs(gy)) *
                          static_cast<double>(std::abs(block.along_x[k]) + std::abs(block.along_y[k]) +
                                              std::abs(block.across_x[k]) + std::abs(block.across_y[k]));
  block.a[k] = static_cast<float>(a - float_error * (std::abs(a) + size));
}

void RayTree::hide_empty(std::size_t leaf) noexcept {
  lift(0, leaf);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    const RayBlock& block = block_of(level, leaf);
    if (std::ranges::any_of(block.a, [](float a) { return a < static_cast<float>(infinite); })) return;
    leaf /= ray_children;
    block_of(level + 1, leaf).a[leaf % ray_children] = static_cast<float>(infinite);
  }
}

}  // namespace motmot::solver
