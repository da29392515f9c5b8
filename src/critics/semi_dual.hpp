/// Adam on the semi-dual: phi(Y) is replaced by its bound -g during ascent, so that a step costs one minimum
/// over D_XY and needs no distances within Y.
#pragma once

#include <span>
#include <vector>

#include "base/threads.hpp"
#include "blocks/partition_passes.hpp"
#include "motmot/base.hpp"
#include "motmot/data.hpp"

namespace motmot {

class SemiDual {
 public:
  /// Costs are float32 in the gauge |x - y| - |x| - |y|, in which far rows and anchors cost no precision
  /// nearby; stored if 4 n m bytes are within the limit, else recomputed at every step.
  SemiDual(PointsView x, PointsView y, std::size_t stored_costs, Team& team);

  /// From g upwards; returns the last g. `steps_done` counts; false from progress ends it early.
  std::vector<double> ascend(std::span<const double> g, PartitionPasses& draws, std::size_t steps,
                             const Progress& progress, std::size_t& steps_done);

 private:
  template <class Visit>
  void for_each_row(Visit visit);
  void store_costs();
  void store_points();
  const float* cost_row(std::size_t i, std::span<float> scratch) const;
  void evaluate();
  void lift();
  void set_gradient(const RowWeights& w);

  PointsView x_, y_;
  Team& team_;
  std::size_t stride_;
  std::vector<double> r_, s_;     ///< norms of the rows and of the anchors
  bool far_ = false;              ///< some norm is so large that the plain formula would cancel
  std::vector<float> x32_, y32_;  ///< on the way only: rows, and anchors coordinate after coordinate
  std::vector<float> s32_;
  std::vector<float> cost_;        ///< n x stride, empty on the way
  double distance_ = 1;            ///< median of |x_i - y_j|
  std::vector<double> g_;          ///< in the gauge: g_j - |y_j|
  std::vector<float> g32_;         ///< the same, padded
  std::vector<float> value_;       ///< phi(x_i) - |x_i|
  std::vector<std::uint32_t> at_;  ///< the anchor where the minimum is
  Phi phi_;
  std::vector<double> gradient_;
  std::vector<std::vector<float>> scratch_, lowest_;  ///< of each worker
};

}  // namespace motmot
