/// The permutations behind a p-value, one by one: for those who spread them over processes of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// What one permutation tells.
struct PermutedW1 {
  double w1 = 0;                  ///< after the rows of both samples were mixed and dealt out again
  std::vector<double> columns{};  ///< what each column carries of it; the first nine permutations alone
};

/// Permutation number `number`, from 0: a function of the rows, the seed and the number.
[[nodiscard]] PermutedW1 permuted_w1(PointsView x, PointsView y, std::uint64_t seed, std::size_t number);

/// permuted_w1() of the numbers first .. first + count - 1, in this order, by whoever does it.
using PermutationSolver = std::function<std::vector<PermutedW1>(
    PointsView x, PointsView y, std::uint64_t seed, std::size_t first, std::size_t count)>;

}  // namespace motmot
