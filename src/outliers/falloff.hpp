/// How the right rows' share falls off towards large values of a look, and what that makes of a row far out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot {

/// The law of log-values of the rows kept: exponential beyond the median, as their body is.
struct Falloff {
  double median = 0, slope = 0;
  std::size_t rows = 0;

  /// How far out, in e-folds: P(value > this) = exp(-surprise) / 2.
  [[nodiscard]] double surprise(double log) const { return (log - median) / slope; }
  /// Rows expected beyond: by a heavier tail than that of surprise(), as the slope is estimated and the tails
  /// of real tables are heavier than their bodies.
  [[nodiscard]] double expected_beyond(double log) const;
  /// Where surprise() leaves so many rows.
  [[nodiscard]] double where_expected(double count) const;
};

/// `suspects` ascend; `most` of the other values may be wrong all the same.
[[nodiscard]] Falloff falloff_of(std::span<const double> logs, std::span<const std::uint32_t> suspects,
                                 std::size_t most);

/// For each row the log of how many rows lie as far out as it by how many are expected to, by the law of
/// surprises; the best such cut at or below the row counts (Benjamini and Hochberg, 1995).
[[nodiscard]] std::vector<double> evidence(std::span<const double> surprises);

}  // namespace motmot
