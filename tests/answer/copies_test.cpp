// One row many times over: when it is an exception, and which of its rows are copies.
#include "answer/copies.hpp"

#include "support/support.hpp"

namespace motmot::test {
namespace {

using Rows = std::vector<std::uint32_t>;

Points rows(std::uint64_t seed, std::size_t n, std::size_t d) {
  Rng rng(seed, Purpose::test);
  return gaussian(rng, n, d);
}

void repeat(Points& points, std::uint32_t row, const Rows& at) {
  for (const std::uint32_t i : at) std::ranges::copy(points.row(row), points.row(i).begin());
}

TEST(Copies, AreTheRowsAfterTheFirst) {
  Points x = rows(1, 50, 2);
  const Points y = rows(2, 50, 2);
  EXPECT_TRUE(copies_of_a_row(x, y).empty());
  repeat(x, 7, {3, 9});
  EXPECT_TRUE(copies_of_a_row(x, y).empty()) << "three of a kind are too few";
  repeat(x, 7, {20});
  EXPECT_EQ(copies_of_a_row(x, y), (Rows{7, 9, 20}));
  repeat(x, 30, {31});
  EXPECT_EQ(copies_of_a_row(x, y), (Rows{7, 9, 20})) << "one other pair is no habit";
  repeat(x, 33, {34});
  EXPECT_TRUE(copies_of_a_row(x, y).empty()) << "where rows repeat, a row that does is no exception";
}

TEST(Copies, AreNoneWhereTheOtherSampleHasTheRowToo) {
  Points x = rows(1, 50, 2), y = rows(2, 50, 2);
  repeat(x, 0, {1, 2, 3, 4, 5});
  EXPECT_EQ(copies_of_a_row(x, y).size(), 5u);
  std::ranges::copy(x.row(0), y.row(17).begin());
  EXPECT_TRUE(copies_of_a_row(x, y).empty());
}

TEST(Copies, AreNoneInOneColumn) {
  Points x = rows(1, 50, 1);
  repeat(x, 0, {1, 2, 3, 4, 5});
  EXPECT_TRUE(copies_of_a_row(x, rows(2, 50, 1)).empty());
}

TEST(Copies, GoOutTogetherOrNotAtAll) {
  EXPECT_EQ(with_copies(Rows{1, 4}, Rows{2, 4, 6}, 4), (Rows{1, 2, 4, 6}));
  EXPECT_EQ(with_copies(Rows{1, 4}, Rows{2, 4, 6}, 3), (Rows{1, 4}));
  const Company company{.left_out = {4}, .score = {0, 1, 2, 3, 9}, .by_remoteness = {4, 3, 2, 1, 0}};
  const Company with = with_copies(company, {1, 2}, 3);
  EXPECT_EQ(with.left_out, (Rows{1, 2, 4}));
  EXPECT_EQ(with.by_remoteness, (Rows{4, 2, 1, 3, 0}));
}

}  // namespace
}  // namespace motmot::test
