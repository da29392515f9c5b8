/// Order statistics of values that are spread over ranks: exact, so the same bits as on one.
#pragma once

#include <cstddef>
#include <span>

#include "motmot/communicator.hpp"

namespace motmot {

/// All: how many values there are.
[[nodiscard]] std::size_t count_over_ranks(std::size_t here, Communicator& ranks);

/// All: the k-th smallest of all ranks' values, from 0. Values are finite. One pass over the values and some
/// kB of traffic for each of a few rounds.
[[nodiscard]] double kth_over_ranks(std::span<const double> here, std::size_t k, Communicator& ranks);

/// All: median_of() all of them; there is one or more.
[[nodiscard]] double median_over_ranks(std::span<const double> here, Communicator& ranks);

/// All: sorted_quantile() of all of them.
[[nodiscard]] double quantile_over_ranks(std::span<const double> here, double q, Communicator& ranks);

}  // namespace motmot
