/// The numbers that were tuned, in one place, and the switches that tests use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "transport/scanner.hpp"

namespace motmot::solver {

enum class Finish { automatic, augment, simplex };

/// How far the auction goes. Shares are of the typical distance.
struct AuctionSettings {
  double last_epsilon;       ///< of the last phase
  double divide;             ///< epsilon of one phase over epsilon of the next
  double unsettled;          ///< a phase ends when at most this share of the mass has no place
  std::size_t bids_per_row;  ///< in one phase, at most
  double list_pays;          ///< reach of a list over epsilon from which lists are used, costs in cache
};

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
  double bids_before_paths = 4;          ///< a row, with few rows left, before shortest paths are searched
  double paths_found = 0.8;              ///< share of the rows left that such a search serves
  std::size_t paths_from = 30000;  ///< rows and columns from which masses go by paths before the simplex
  double steps_per_row = 60;       ///< columns that paths from single rows reach at most
  double bids_per_row = 800;       ///< on one level (330 were the most seen); after more the others take over
};

struct Settings {
  double first_epsilon = 0.1;
  double warm_epsilon = 1e-3;  ///< first epsilon when good prices are known
  /// Bids a row after which known prices are given up: a first phase that takes more is fighting over mass
  /// that has to go elsewhere, and prices from scratch are found sooner.
  std::size_t warm_patience = 12;
  AuctionSettings assignment{
      .last_epsilon = 1e-5, .divide = 5, .unsettled = 5e-4, .bids_per_row = 60, .list_pays = 60};
  AuctionSettings flow{
      .last_epsilon = 5e-3, .divide = 5, .unsettled = 3e-3, .bids_per_row = 60, .list_pays = 10};
  /// The flow auction stops at `last_epsilon`, earlier where pivots are cheap, later where they cost much.
  std::size_t few_rows = 600;
  AuctionSettings few{
      .last_epsilon = 1e-2, .divide = 5, .unsettled = 1e-2, .bids_per_row = 60, .list_pays = 10};
  std::size_t many_rows = 1000;   ///< beyond, every further row makes pivots cost more
  double finer_with_many = 1.75;  ///< power of many_rows / rows that the last epsilon is multiplied by
  double list_pays_out_of_cache = 6;
  double list_pays_in_boxes = 20;
  std::size_t cache = std::size_t{5} << 20;  ///< bytes of stored costs that are quick to pass over
  RaySettings rays{};
  Finish finish = Finish::automatic;
  Storage storage = Storage::automatic;
  bool sort_one_dimension = true;
};

}  // namespace motmot::solver
