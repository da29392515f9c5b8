/// For a row, the columns that lie below a bound at given potentials: by passes over all columns, or in
/// two or three dimensions by the tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "costs/scanner.hpp"
#include "rays/flow.hpp"
#include "rays/ray_tree.hpp"

namespace motmot::solver {

class ColumnSearch {
 public:
  ColumnSearch() = default;
  ColumnSearch(const ColumnSearch&) = delete;
  ColumnSearch& operator=(const ColumnSearch&) = delete;
  virtual ~ColumnSearch() = default;

  /// The potentials of the columns, for what is asked next.
  virtual void set(std::span<const double> v) = 0;
  /// All columns with cost - v <= bound, or at least kernels::ray_list with the smallest of these; there may
  /// be others that are above it. Valid until the next call.
  virtual std::span<const std::uint32_t> below(std::size_t i, double bound) = 0;
};

class FlatSearch final : public ColumnSearch {
 public:
  FlatSearch(const Geometry& geometry, Scanner& scanner) : geometry_(geometry), scanner_(scanner) {}
  void set(std::span<const double> v) override;
  std::span<const std::uint32_t> below(std::size_t i, double bound) override;

 private:
  const Geometry& geometry_;
  Scanner& scanner_;
  RaisedPrices raised_;
  std::vector<double> in_gauge_;  ///< of float32 costs, which know no lifted points
};

/// The points of one side of a geometry of D dimensions.
template <std::size_t D>
std::vector<RayPoint<D>> ray_points(const Side& side);

template <std::size_t D>
class TreeSearch final : public ColumnSearch {
 public:
  explicit TreeSearch(const Geometry& geometry) : geometry_(geometry) {}
  /// No point far out. Boxes lie along `flows`.
  void build(std::span<const FlowEntry> flows);
  void set(std::span<const double> v) override;
  std::span<const std::uint32_t> below(std::size_t i, double bound) override;

 private:
  const Geometry& geometry_;
  double margin_ = 0;  ///< for the rounding of distances
  std::vector<RayPoint<D>> columns_, rays_;
  RayTree<D> tree_;
  std::vector<std::uint32_t> column_of_, found_;  ///< column_of_: of places
  std::vector<double> v_, distance_;
};

}  // namespace motmot::solver
