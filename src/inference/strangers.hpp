/// Rows that lie where the other sample has none, more of them than chance and honest tails explain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "inference/passes.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Distances from each row of a sample to the other sample. Of samples of different size the larger one is
/// thinned to the size of the smaller, in expectation, for otherwise its rows would be nearer.
struct Apart {
  std::vector<std::vector<double>> distance{};  ///< to the first, second, ... nearest row there: [which][row]
  std::vector<double> weight{};  ///< the chance that this is the nearest one of those that thinning leaves
};

/// From x to y and from y to x. Empty where one sample has more than eight times as many rows as the other.
/// Throws Stopped.
[[nodiscard]] PerSample<Apart> distances_apart(PointsView x, PointsView y, Team& team, Passes& passes);

/// How sure the rule below must be.
struct StrangerRule {
  double standard_errors = 3;
  double purity = 0;  ///< the least share of excess among the own rows beyond the peak
};

/// The rows of each sample that are strangers to the other, ascending, at most `most` of each.
///
/// A row is the stranger the farther it is from the nearest row of the other sample. If both samples come
/// from one law, rows of X are as far from Y as rows of Y are from X; if a share of the rows of X is wrong,
/// that share is farther. The excess of X over Y beyond a distance t is the share of rows of X that are
/// farther than t from Y, less the share of rows of Y that are farther than t from X. Its largest value, over
/// distances that at most twice `most` rows of X exceed, estimates how many rows of X are wrong, and so many
/// of the farthest are left out, if
///   - it is more than chance gives: so many standard errors,
///   - it is no larger than the budget, but for one standard error: a larger one is a difference between the
///   laws,
///   - it is sharp: where three tenths of it have been reached, 19 of 20 of those rows are excess. Tails of
///   different
///     weight and modes of different shares have an excess too, but rows of both samples in the same places.
[[nodiscard]] PerSample<std::vector<std::uint32_t>> strangers(const PerSample<Apart>& apart,
                                                              const PerSample<std::size_t>& most,
                                                              const StrangerRule& rule = {});

/// How many of the rows farthest from the other sample are strangers: the rule above.
[[nodiscard]] std::size_t count_strangers(const Apart& own, const Apart& other, std::size_t most,
                                          const StrangerRule& rule = {});

}  // namespace motmot
