/// W1 between two blocks of a few rows, many times over.
#pragma once

#include <vector>

#include "blocks/sampler.hpp"
#include "motmot/data.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// Exact W1 with equal weights. Blocks of equal size up to max_assigned are an assignment, solved here in
/// about a microsecond: a general solver spends more on setting up. One object per thread.
class BlockW1 {
 public:
  static constexpr std::size_t max_assigned = 24;

  double operator()(PointsView x, PointsView y);

 private:
  double assign(std::size_t b);

  std::vector<double> cost_;
  TransportWorkspace workspace_;
};

}  // namespace motmot
