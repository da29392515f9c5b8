/// Columns in two or three dimensions with prices, in a tree of boxes turned along the rays of transport, so
/// that a row finds its best columns without looking at the others (kernels/ray_kernels.hpp has the bound and
/// the walk).
///
/// Prices may rise at any time: bounds from before stay valid, and fit() makes them sharp again. Columns have
/// places in the tree, place() tells which; all else here speaks of places.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/ray_kernels.hpp"
#include "rays/flow.hpp"

namespace motmot::solver {

using kernels::RayPoint;

template <std::size_t D>
[[nodiscard]] double dot(const RayPoint<D>& p, const RayPoint<D>& q) noexcept {
  double sum = 0;
  for (std::size_t t = 0; t < D; ++t) sum += p[t] * q[t];
  return sum;
}

template <std::size_t D>
[[nodiscard]] RayPoint<D> difference(const RayPoint<D>& p, const RayPoint<D>& q) noexcept {
  RayPoint<D> away;
  for (std::size_t t = 0; t < D; ++t) away[t] = p[t] - q[t];
  return away;
}

template <std::size_t D>
[[nodiscard]] double length(const RayPoint<D>& p) noexcept {
  return std::sqrt(dot(p, p));
}

template <std::size_t D>
class RayTree {
 public:
  using Point = RayPoint<D>;

  /// `ray[j]`: the direction (of any length, zero if unknown) in which column j is served.
  void build(std::span<const Point> columns, std::span<const Point> rays);

  [[nodiscard]] std::size_t places() const noexcept { return price_.size(); }
  [[nodiscard]] std::uint32_t place(std::size_t column) const noexcept { return place_[column]; }
  [[nodiscard]] Point at(std::size_t place) const noexcept {
    Point point;
    for (std::size_t t = 0; t < D; ++t) point[t] = at_[t][place];
    return point;
  }

  /// Any prices, then fit().
  void set_price(std::size_t place, double price) noexcept { price_[place] = price; }
  [[nodiscard]] double price(std::size_t place) const noexcept { return price_[place]; }
  /// The planes below all prices, from scratch.
  void fit();

  void raise(std::size_t place, double price) noexcept {
    price_[place] = price;
    lift(0, place / kernels::ray_leaf);
  }
  /// Out of play: price infinity. Boxes without a column in play are passed over.
  void hide(std::size_t place) noexcept {
    price_[place] = std::numeric_limits<double>::infinity();
    hide_empty(place / kernels::ray_leaf);
  }

  [[nodiscard]] kernels::RayTwo two_smallest(const Point& q, double tolerance,
                                             kernels::RayTwo known) const noexcept {
    return kernels_->two_smallest(view_, q, tolerance, known);
  }
  [[nodiscard]] kernels::RayOne smallest(const Point& q, double tolerance,
                                         kernels::RayTwo known) const noexcept {
    return kernels_->smallest(view_, q, tolerance, known);
  }
  kernels::RayFound collect(const Point& q, double bound, std::uint32_t* place,
                            double* distance) const noexcept {
    return kernels_->collect(view_, q, bound, place, distance);
  }

  /// What the kernels see.
  [[nodiscard]] const kernels::RayView<D>& view() const noexcept { return view_; }

 private:
  using Block = kernels::RayBlock<D>;
  /// What a least squares plane needs of the columns below a node: how many, means, and second moments about
  /// these.
  struct Moments {
    double count = 0, price = 0;
    Point at{}, with_price{};
    std::array<Point, D> square{};
    void add(const Moments& other) noexcept;
  };
  struct Frame {
    std::array<Point, D> axis;  ///< unit vectors, the first along the rays
    Point weight;               ///< what a box loses by its size, axis by axis
  };

  /// The columns of a run of leaves.
  [[nodiscard]] std::size_t first_column(std::size_t leaf) const noexcept {
    return leaf * columns_.size() / leaves_;
  }
  [[nodiscard]] Block& block_of(std::size_t level, std::size_t node) noexcept {
    return levels_[level][node / kernels::ray_children];
  }
  void arrange(std::size_t first_leaf, std::size_t last_leaf);
  void halve(std::span<std::uint32_t> order, std::size_t middle);
  [[nodiscard]] Frame turned(std::span<const std::uint32_t> order) const;
  struct Extent {
    Point low, high;
  };
  [[nodiscard]] Extent extent(std::span<const std::uint32_t> order, const Frame& frame) const;
  void make_boxes();
  void box(std::size_t level, std::size_t node, std::span<const std::uint32_t> order);
  Moments fit_node(std::size_t level, std::size_t node);
  void lift(std::size_t level, std::size_t node) noexcept;
  void hide_empty(std::size_t leaf) noexcept;

  const kernels::RayKernels<D>* kernels_ = nullptr;
  std::span<const Point> columns_, rays_;
  std::size_t leaves_ = 0;
  std::vector<std::vector<Block>> levels_;  ///< level 0: boxes of leaves
  std::vector<std::size_t> leaves_below_;   ///< of a node on each level
  std::vector<std::uint32_t> order_;
  std::array<std::vector<double>, D> at_;
  std::vector<double> price_;
  std::vector<std::uint32_t> place_;
  kernels::RayView<D> view_{};
};

}  // namespace motmot::solver
