/// Several looks at the rows of one sample, each judged by the law of the rows kept, and what they say
/// together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "inference/passes.hpp"
#include "motmot/tables.hpp"

namespace motmot {

/// A cell that is not what the rest of its row lets expect.
struct Unexpected {
  std::size_t column = 0;  ///< of the coding
  double residual = 0;     ///< what the value is more than expected, in units of the points
  double usual = 0;        ///< half of the rows kept are nearer to what is expected than this
};

struct Looks {
  std::vector<double> scores{};  ///< of every row
  /// Of rows for which the look at a cell given the others is the strongest and says more than chance does.
  std::vector<std::optional<Unexpected>> unexpected{};
};

struct LookedAt {
  PointsView points;
  const Coding& coding;
  std::span<const std::uint32_t> suspects;  ///< ascending
  std::size_t still_wrong = 0;              ///< rows kept that may be wrong all the same
  std::span<const double> distances;        ///< to the k-th nearest row kept, k above still_wrong
};

/// The looks: the distance to the k-th nearest row kept; to the 5th; each number's or time's own value; each
/// number given the other columns. A row's score is the log, to base 20, of 1 + the strongest look's rows
/// seen by rows expected as far out (those at columns divided by the number of columns), times e to half the
/// mean surprise of the distances to the 5th neighbour, before and after the columns' correlations are taken
/// out. Columns of which a quarter of the values are the same have no look of their own. Throws Stopped.
[[nodiscard]] Looks look_at(const LookedAt& sample, Team& team, Passes& passes);

/// Of every row to the k-th nearest row kept, itself not counted. Throws Stopped.
[[nodiscard]] std::vector<double> distances_to_kept(PointsView points,
                                                    std::span<const std::uint32_t> suspects, std::size_t k,
                                                    Team& team, Passes& passes);

}  // namespace motmot
