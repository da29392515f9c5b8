/// Order statistics of one array after another, all alike.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "base/bucket_select.hpp"

namespace motmot {

/// Looks first in a window around the last answer: one pass that compares, then a selection among a third of
/// the values. The answer is the order statistic itself; the window only decides how long it takes.
class RankWindow {
 public:
  using Values = BucketSelect::Two;
  /// The values of ranks first <= last (from 0). No NaN.
  Values select(std::span<const double> values, std::size_t first, std::size_t last);

 private:
  std::size_t fill(std::span<const double> values, double low, double high);
  void widen(std::size_t first, std::size_t last);

  double low_ = 1, high_ = 0;     ///< the window; empty at first
  double below_ = 0, above_ = 0;  ///< how far it reaches beyond the answer
  std::size_t inside_count_ = 0;
  std::vector<double> inside_;
  BucketSelect nth_;
};

}  // namespace motmot
