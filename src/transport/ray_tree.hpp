/// Columns in the plane with prices, in a tree of boxes turned along the rays of transport, so that a row
/// finds its best columns without looking at the others (kernels/ray_kernels.hpp has the bound and the walk).
///
/// Prices may rise at any time: bounds from before stay valid, and fit() makes them sharp again. Columns have
/// places in the tree, place() tells which; all else here speaks of places.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/ray_kernels.hpp"
#include "transport/geometry.hpp"

namespace motmot::solver {

struct PlanePoint {
  double x, y;
};

class RayTree {
 public:
  /// `ray[j]`: the direction (of any length, zero if unknown) in which column j is served.
  void build(std::span<const PlanePoint> columns, std::span<const PlanePoint> rays);

  [[nodiscard]] std::size_t places() const noexcept { return x_.size(); }
  [[nodiscard]] std::uint32_t place(std::size_t column) const noexcept { return place_[column]; }
  [[nodiscard]] PlanePoint at(std::size_t place) const noexcept { return {x_[place], y_[place]}; }

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

  [[nodiscard]] kernels::RayTwo two_smallest(PlanePoint q, double tolerance,
                                             std::uint32_t hint) const noexcept {
    return kernels_->two_smallest(view_, q.x, q.y, tolerance, hint);
  }
  [[nodiscard]] kernels::RayOne smallest(PlanePoint q, double tolerance, std::uint32_t hint) const noexcept {
    return kernels_->smallest(view_, q.x, q.y, tolerance, hint);
  }
  kernels::RayFound collect(PlanePoint q, double bound, std::uint32_t* place,
                            double* distance) const noexcept {
    return kernels_->collect(view_, q.x, q.y, bound, place, distance);
  }

  /// What the kernels see.
  [[nodiscard]] const kernels::RayView& view() const noexcept { return view_; }

 private:
  /// What a least squares plane needs of the columns below a node.
  struct Moments {
    double count = 0, x = 0, y = 0;    ///< how many, where on average
    double xx = 0, xy = 0, yy = 0;     ///< second moments about that
    double price = 0, xp = 0, yp = 0;  ///< of the prices
    void add(const Moments& other) noexcept;
  };
  struct Turned {
    PlanePoint axis;  ///< unit, along the rays
    double stretch;   ///< how much longer than wide a box should be
  };

  /// The columns of a run of leaves.
  [[nodiscard]] std::size_t first_column(std::size_t leaf) const noexcept {
    return leaf * columns_.size() / leaves_;
  }
  [[nodiscard]] kernels::RayBlock& block_of(std::size_t level, std::size_t node) noexcept {
    return levels_[level][node / kernels::ray_children];
  }
  void arrange(std::size_t first_leaf, std::size_t last_leaf);
  void halve(std::span<std::uint32_t> order, std::size_t middle);
  [[nodiscard]] Turned turned(std::span<const std::uint32_t> order) const;
  void make_boxes();
  void box(std::size_t level, std::size_t node, std::span<const std::uint32_t> order);
  Moments fit_node(std::size_t level, std::size_t node);
  void lift(std::size_t level, std::size_t node) noexcept;
  void hide_empty(std::size_t leaf) noexcept;

  const kernels::RayKernels* kernels_ = nullptr;
  std::span<const PlanePoint> columns_, rays_;
  std::size_t leaves_ = 0;
  std::vector<std::vector<kernels::RayBlock>> levels_;  ///< level 0: boxes of leaves
  std::vector<std::size_t> leaves_below_;               ///< of a node on each level
  std::vector<std::uint32_t> order_;
  std::vector<double> x_, y_, price_;
  std::vector<std::uint32_t> place_;
  kernels::RayView view_{};
};

}  // namespace motmot::solver
