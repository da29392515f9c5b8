/// One sample's tail of scores held against the other's.
#pragma once

#include <cstddef>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

struct Tail {
  std::vector<double> logs{};  ///< logarithms of the scores, in any order
  std::size_t most = 0;        ///< how many may be left out
};

/// How many of the largest scores of each sample have to go so that what is left has no heavier tail than the
/// other sample allows; 0 where no number up to `most` does it. The other sample says what a tail may look
/// like: wrong rows at graded distances look like a heavy tail, in one sample only.
///
/// Scores are put into units of the body, u = (log score - end of the body) / slope of the body, recomputed
/// without the rows that go; a law's tail is then about log(share of the body's end / share). The i-th
/// largest u may exceed the other sample's u of the same share by two standard errors, 2 sqrt(1/i + 1/j).
[[nodiscard]] PerSample<std::size_t> rows_beyond_the_other_tail(PerSample<Tail> tails);

}  // namespace motmot
