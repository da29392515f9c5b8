// One coding for many tables, and samples made of one table.
#include <gtest/gtest.h>

#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;

Column numbers(std::string name, std::vector<double> values) {
  return {.name = std::move(name), .numbers = std::move(values)};
}
Column words(std::string name, std::vector<std::uint32_t> codes, std::vector<std::string> levels) {
  return {.name = std::move(name),
          .kind = Kind::category,
          .codes = std::move(codes),
          .levels = std::move(levels)};
}

TEST(CodingOfMany, OfTwoIsThatOfTheTwo) {
  const Frame x{.columns = {numbers("a", {1, 2, NAN, 9}), words("w", {0, 1, 1, 0}, {"p", "q"})}},
      y{.columns = {numbers("a", {3, 5, 4, 4}), words("w", {0, 0, 1, 2}, {"q", "r", "s"})}};
  const CodingOptions options{.missing = Missing::level};
  const std::vector<NamedFrame> both{{"one", &x}, {"two", &y}}, turned{{"two", &y}, {"one", &x}};
  EXPECT_EQ(learn_coding(both, options), learn_coding(x, y, options));
  EXPECT_EQ(learn_coding(both, options), learn_coding(turned, options));
}

TEST(CodingOfMany, KnowsTheLevelsOfEachTable) {
  const Frame a{.columns = {words("w", {0, 0}, {"p"})}}, b{.columns = {words("w", {0, 1}, {"p", "q"})}},
      c{.columns = {words("w", {0, 0}, {"r"})}};
  const Coding coding = learn_coding(std::vector<NamedFrame>{{"a", &a}, {"b", &b}, {"c", &c}});
  EXPECT_EQ(coding.columns.front().levels, (std::vector<std::string>{"p", "r", "q"}));  // 1 and 1/2, then 1
  for (const Frame* frame : {&a, &b, &c}) EXPECT_EQ(encode(*frame, coding).cols(), 3u);
}

TEST(CodingOfMany, LeavesOutWhatIsTheSameEverywhereAndNamesTablesThatDoNotFit) {
  const Frame a{.columns = {words("k", {0, 0}, {"one"}), numbers("v", {1, 2})}},
      b{.columns = {words("k", {0, 0}, {"one"}), numbers("v", {3, 4})}},
      c{.columns = {words("k", {0, 0}, {"two"}), numbers("v", {3, 4})}},
      wrong{.columns = {words("k", {0, 0}, {"one"}), words("v", {0, 0}, {"x"})}};
  EXPECT_EQ(learn_coding(std::vector<NamedFrame>{{"a", &a}, {"b", &b}}).left_out.front().name, "k");
  EXPECT_TRUE(learn_coding(std::vector<NamedFrame>{{"a", &a}, {"b", &b}, {"c", &c}}).left_out.empty());
  EXPECT_EQ(error_of([&] {
              (void)learn_coding(std::vector<NamedFrame>{{"a", &a}, {"b", &b}, {"c", &wrong}});
            }),
            "column 'v' is a number in a and a category in c: --kinds v=category takes both as words");
}

TEST(GroupsBy, AreRowsThatShareAValueInTheOrderOfTheirFirst) {
  const Frame frame{
      .columns = {numbers("v", {1, 2, 3, 4, 5}), words("g", {1, 0, 1, Column::no_level, 0}, {"a", "b"})}};
  const std::vector<FrameGroup> groups = groups_by(frame, "g", "t");
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].name, "b");
  EXPECT_EQ(groups[0].frame.columns.front().numbers, (std::vector<double>{1, 3}));
  EXPECT_EQ(groups[0].frame.rows, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(groups[1].frame.columns.front().numbers, (std::vector<double>{2, 5}));
  EXPECT_EQ(groups[2].name, "(missing)");
  EXPECT_EQ(error_of([&] { (void)groups_by(frame, "x", "t"); }),
            "t has no column 'x'; its columns are 'v', 'g'");
}

}  // namespace
}  // namespace motmot
