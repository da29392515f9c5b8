#include "inference/interval.hpp"

#include <algorithm>

#include "data/without.hpp"
#include "inference/beside.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

/// All subsets of `count` out of n rows, ascending.
std::vector<std::vector<std::uint32_t>> subsets(std::uint32_t n, std::uint32_t count) {
  std::vector<bool> taken(n, false);
  std::fill(taken.begin(), taken.begin() + count, true);
  std::vector<std::vector<std::uint32_t>> all;
  do {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < n; ++i)
      if (taken[i]) rows.push_back(i);
    all.push_back(std::move(rows));
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return all;
}

// The plain twin tries every choice of rows. 30 problems: the upper end is never above the largest, and in at
// least 27 of 30 it is the largest.
TEST(Interval, LiesWithinWhatEveryChoiceOfRowsGives) {
  int attained = 0;
  for_each_seed(30, [&](Rng& rng) {
    const Points x = gaussian(rng, 9, 2), y = gaussian(rng, 10, 2, 0.5);
    const Transport solved = transport(x, y);
    double least = solved.cost, most = 0;
    for (const auto& out_x : subsets(9, 2))
      for (const auto& out_y : subsets(10, 1)) {
        const double cost = transport(without(x, out_x), without(y, out_y)).cost;
        least = std::min(least, cost);
        most = std::max(most, cost);
      }
    const double lower = certified_lower(x, y, {2, 1}, potential(solved), {});
    const double upper = attained_upper(x, y, {2, 1}, solved, 8, 1, {});
    EXPECT_LE(lower, least * (1 + 1e-9));
    EXPECT_LE(upper, std::max(most, solved.cost) * (1 + 1e-9));
    EXPECT_GE(upper, 0.97 * most);
    attained += upper >= most * (1 - 1e-9) ? 1 : 0;
  });
  EXPECT_GE(attained, 25);
}

TEST(Interval, IsAPointWhereNothingIsSpare) {
  Rng rng(1, Purpose::test);
  const Points x = gaussian(rng, 30, 3), y = gaussian(rng, 25, 3, 1);
  const Transport solved = transport(x, y);
  EXPECT_NEAR(certified_lower(x, y, {0, 0}, potential(solved), {}), solved.cost, 1e-9 * solved.cost);
  EXPECT_NEAR(attained_upper(x, y, {0, 0}, solved, 8, 1, {}), solved.cost, 1e-9 * solved.cost);
}

// What the potential proves for nothing is below what partial transport proves.
TEST(Interval, LowerEndOfAPotentialIsBelowTheSolvedOne) {
  Rng rng(2, Purpose::test);
  const Points x = gaussian(rng, 200, 2), y = gaussian(rng, 180, 2, 1);
  const Transport solved = transport(x, y);
  const Phi phi = potential(solved);
  const double free = partial_bound_from(phi.x, phi.y, 0.1, 0.1);
  EXPECT_LE(free, certified_lower(x, y, {20, 18}, phi, {}) * (1 + 1e-9));
  EXPECT_GT(free, 0.5 * solved.cost);
}

}  // namespace
}  // namespace motmot::test
