/// What lies near what: clusters and a map, from a symmetric matrix of distances, row after row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "motmot/matrix.hpp"

namespace motmot {

/// Average linkage: the two nearest clusters become one until one is left; of equally near ones those that
/// come first. O(n^3).
[[nodiscard]] std::vector<Merge> average_linkage(std::span<const double> distances, std::size_t n);

/// The leaves from left to right, so that no branches cross: of each merge the tighter part first.
[[nodiscard]] std::vector<std::size_t> leaf_order(std::span<const Merge> merges, std::size_t n);

struct PlaneMap {
  std::vector<MapPoint> points{};
  double share = 0;  ///< of the absolute eigenvalues, the two that are shown
};

/// Classical scaling: the plane whose squared distances are nearest to those given. The sign of each axis is
/// that of its largest coordinate: positive.
[[nodiscard]] PlaneMap plane_map(std::span<const double> distances, std::size_t n);

/// Benjamini and Hochberg: the least share of false ones among all that are at most as large; >= p.
[[nodiscard]] std::vector<double> false_shares(std::span<const double> p_values);

}  // namespace motmot
