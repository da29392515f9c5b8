/// Where a gap divides the largest of many scores from the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot {

/// What a gap must be to count.
struct GapRule {
  std::size_t most = 0;   ///< values above the gap, at most
  std::size_t least = 1;  ///< and at least
  double alpha = 0.05;  ///< chance of a false gap if the values' tail is exponential and they are independent
  double need = 0.1;    ///< no smaller gap counts
  double slope = 0;     ///< of the exponential tail: body_slope()
  double need_in_score = 0;  ///< no smaller gap between the scores themselves counts
  double place = 0;          ///< where the body ends: (value - place) / slope is a value in units of the body
  /// Values of another sample in units of its own body, descending. Where its tail reaches as far, what it
  /// leaves empty of a gap must suffice to count: a gap that it fills is chance.
  std::span<const double> other{};
};

/// The values in units of the body, descending: what GapRule::other of the other sample takes.
[[nodiscard]] std::vector<double> in_units(std::span<const double> values, const GapRule& rule);

/// The share of values that are the body: without twice as many of the largest as may be wrong, but without
/// 10 to 40 % of all.
[[nodiscard]] double body_end(std::size_t n, std::size_t most);

/// The slope of an exponential tail through the median and the quantile just below the largest values, of
/// which up to `most` may be wrong: beta in P(value > median + t) = exp(-t / beta) / 2.
[[nodiscard]] double body_slope(std::span<const double> values, std::size_t most);
/// The quantile where the body ends.
[[nodiscard]] double body_place(std::span<const double> values, std::size_t most);
/// body_slope() of values that ascend.
[[nodiscard]] double sorted_body_slope(std::span<const double> sorted, std::size_t most);

/// The numbers of the values above the gap, largest first; empty where there is none. Of several gaps the
/// lowest counts that is no more than 0.3 times less significant than the most significant one. If values
/// have an exponential tail, then i times the i-th gap from the top is exponential with the slope of the tail
/// (Renyi). `scores`: what need_in_score is held against, one for each value.
[[nodiscard]] std::vector<std::uint32_t> above_gap(std::span<const double> values,
                                                   std::span<const double> scores, const GapRule& rule);

}  // namespace motmot
