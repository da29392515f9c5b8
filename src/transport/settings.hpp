/// The numbers that were tuned, in one place, and the switches that tests use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "costs/scanner.hpp"
#include "rays/ray_settings.hpp"

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
  /// Last epsilon of the auction that goes on with refined costs, for points close to lines. 1e-5, 1e-6 and
  /// 1e-7 were tried at 500 to 3000 rows of eight kinds: alike within 10 % in the mean, 1e-7 better up to 1.3
  /// times on the thinnest and worse where lines are thick.
  double refined_epsilon = 1e-6;
  double list_pays_out_of_cache = 6;
  double list_pays_in_boxes = 20;
  std::size_t cache = std::size_t{5} << 20;  ///< bytes of stored costs that are quick to pass over
  std::size_t nodes_for_tour = 16000;  ///< rows and columns from which the simplex keeps a tour of its tree
  RaySettings rays{};
  Finish finish = Finish::automatic;
  Storage storage = Storage::automatic;
  bool sort_one_dimension = true;
  /// Copies of a row are put together where they leave at most this share of the rows, and always where
  /// masses differ anyway: points with masses take longer than as many with equal ones, but equal ones with
  /// many ties longest of all. Measured in 2, 3 and 10 columns, 500 to 8000 rows, shift, shape and no
  /// difference: at most 0.8 of the rows left 1.3 to 35 000 times faster, 0.84 to 0.91 0.9 to 2.4, above 0.4
  /// to 1.0. The tree, which takes ties better and masses less well, has a rule of its own for all masses.
  double copies_leave = 0.8, copies_leave_in_tree = 0.5;
  bool put_copies_together = true;
};

}  // namespace motmot::solver
