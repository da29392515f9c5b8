/// How the columns of the tables moved, from points that may have several coordinates for one of them.
#pragma once

#include "data/robust_scale.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"

namespace motmot {

/// The rows that were kept, scaled; their plan; and what chance gives each coordinate (empty: not known).
struct KeptRows {
  PointsView x, y;
  std::span<const PlanEntry> plan;
  std::span<const double> floor;
  const RobustScale& by;
};

/// A sample, coded, and all rows that were left out of it.
struct WithLeftOut {
  PointsView points;
  std::span<const std::uint32_t> left_out;
};

/// See SharedValue; of a group of rows of `own`. A value that kept rows of `other` have is no code.
[[nodiscard]] std::optional<SharedValue> shared_value(const WithLeftOut& own,
                                                      std::span<const std::uint32_t> group,
                                                      const WithLeftOut& other, const Coding& coding);

/// Shares are set if the samples differ. Costs and floors of a column's coordinates are added up before they
/// are compared: a category of many levels has no advantage.
[[nodiscard]] std::vector<ColumnMove> column_moves(const KeptRows& kept, const Coding& coding, bool differ);

}  // namespace motmot
