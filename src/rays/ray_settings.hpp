/// The numbers of the auction in a tree that were tuned.
#pragma once

#include <cstddef>
#include <functional>

namespace motmot::solver {

/// The auction in a tree (ray_solver.hpp). Shares of epsilon, of rows, of the mean distance.
struct RaySettings {
  std::size_t fewest = 8001;            ///< rows and columns from which it is used in the plane
  std::size_t fewest_in_space = 15001;  ///< the same in three dimensions
  double tolerance = 0.5;               ///< of a search, in epsilon
  double divide = 6;                    ///< epsilon of one phase over epsilon of the next
  double divide_easy = 40;              ///< the same after a phase that took few searches
  double last_epsilon = 2e-11;          ///< of the mean distance of the plan
  double quantum = 0.5;  ///< of the mean mass: what masses are rounded to, down to a power of two
  double gap = 0;        ///< of the cost: where it may end sooner
  std::function<void(double)> on_gap{};  ///< hears of every gap on the finest level
  bool keep_settled = false;             ///< for an early end: what the last phase that settled had
  double level_epsilon = 0.25;           ///< of the spacing of clusters: where a coarse level ends
  double masses_epsilon = 1.25e-3;       ///< of the spacing of points: where the simplex goes on with masses
  std::size_t coarsest = 500;            ///< clusters that the coarsest level has at least
  double few = 1e-3;                     ///< share of the rows that is called few
  double bids_before_paths = 2;          ///< a row, with few rows left, before shortest paths are searched
  double paths_found = 0.8;              ///< share of the rows left that such a search serves
  double bids_per_row = 800;  ///< on one level (330 were the most seen); after more the others take over
};

}  // namespace motmot::solver
