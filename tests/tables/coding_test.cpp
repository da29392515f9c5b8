#include <cmath>

#include "base/euclidean.hpp"
#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using Strings = std::vector<std::string>;

Column words(const std::string& name, const Strings& values) {
  Column column{.name = name, .kind = Kind::category};
  for (const std::string& value : values) {
    const auto found = std::ranges::find(column.levels, value);
    const auto code = static_cast<std::uint32_t>(found - column.levels.begin());
    column.codes.push_back(value.empty() ? Column::no_level : code);
    if (found == column.levels.end() && !value.empty()) column.levels.push_back(value);
  }
  return column;
}

Column numbers(const std::string& name, std::vector<double> values, Kind kind = Kind::number) {
  const bool whole = std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
  return {.name = name, .kind = kind, .numbers = std::move(values), .is_whole = whole};
}

double apart(const Points& points, std::size_t i, std::size_t j) {
  return euclidean(points.row(i), points.row(j));
}

// The definition: differences of numbers in units, lambda for each column whose levels differ, lambda where
// one of two numbers is missing.
TEST(Encode, KeepsTheDistanceOfTwoRows) {
  for_each_seed(50, [](Rng& rng) {
    const double lambda = 0.5 + 2 * rng.uniform();
    const auto table = [&](std::size_t n) {
      Strings city, plan;
      std::vector<double> age;
      for (std::size_t i = 0; i < n; ++i) {
        city.push_back(std::string(1, static_cast<char>('a' + rng.below(5))));
        plan.push_back(rng.below(4) == 0 ? "" : std::string(1, static_cast<char>('p' + rng.below(2))));
        age.push_back(rng.below(3) == 0 ? NAN : 100 * rng.uniform());
      }
      return Frame{.columns = {words("city", city), words("plan", plan), numbers("age", age)}};
    };
    const Frame x = table(12), y = table(15);
    const Coding coding = learn_coding(x, y, {.category_weight = lambda, .missing = Missing::level});
    ASSERT_EQ(coding.columns.size(), 3u);
    EXPECT_EQ(coding.scale, "robust");
    const double fill = coding.columns[2].fill, unit = coding.columns[2].unit;
    const Points points = encode(x, coding);
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j) {
        double square = 0;
        for (std::size_t k = 0; k < 2; ++k)
          if (x.columns[k].codes[i] != x.columns[k].codes[j]) square += lambda * lambda;
        const double a = x.columns[2].numbers[i], b = x.columns[2].numbers[j];
        if (std::isnan(a) != std::isnan(b)) square += lambda * lambda;
        const double step = ((std::isnan(a) ? fill : a) - (std::isnan(b) ? fill : b)) / unit;
        EXPECT_NEAR(apart(points, i, j), std::sqrt(square + step * step), 1e-12);
      }
  });
}

TEST(Encode, PutsTwoLevelsExactlyOneUnitApart) {
  const Frame x{.columns = {words("city", {"Paris", "Rome", ""})}}, y{.columns = {words("city", {"Oslo"})}};
  const Coding coding = learn_coding(x, y);
  const Points points = encode(x, coding);
  EXPECT_EQ(points.cols(), 4u) << "a level that x has not is a level";
  EXPECT_EQ(apart(points, 0, 1), 1);
  EXPECT_EQ(apart(points, 0, 2), 1);
  EXPECT_EQ(euclidean(points.row(0), encode(y, coding).row(0)), 1);
}

TEST(Encode, RefusesWhatTheCodingDoesNotKnow) {
  const Frame x{.columns = {words("city", {"Paris", "Rome"}), numbers("n", {1, 2})}};
  const Coding coding = learn_coding(x, x);
  EXPECT_EQ(error_of([&] {
              (void)encode({.columns = {words("city", {"Bern"}), numbers("n", {1})}}, coding);
            }),
            "row 1, column 'city': 'Bern', which the coding does not know");
  EXPECT_EQ(error_of([&] {
              (void)encode({.columns = {words("city", {"Rome"}), numbers("n", {NAN})}}, coding);
            }),
            "row 1, column 'n': a missing value, which the coding does not know");
  EXPECT_EQ(error_of([&] {
              (void)encode({.columns = {numbers("city", {1}), numbers("n", {1})}}, coding);
            }),
            "column 'city' is a number where the coding has a category");
}

TEST(LearnCoding, PoolsRareLevelsByItsRule) {
  Strings many;
  for (std::size_t i = 0; i < 5000; ++i) many.push_back(i % 2 == 0 ? "often" : "w" + std::to_string(i / 4));
  const Frame thousands{.columns = {words("w", many)}};
  const CodedColumn coded = learn_coding(thousands, thousands).columns[0];
  EXPECT_EQ(coded.levels, Strings{"often"});
  EXPECT_EQ(coded.pooled, 1250u);
  EXPECT_EQ(coded.width(), 2u);
  const Points points = encode(thousands, learn_coding(thousands, thousands));
  EXPECT_EQ(apart(points, 1, 5), 0) << "two rare levels are one";
  EXPECT_EQ(apart(points, 0, 1), 1);

  Strings equal, some;
  for (std::size_t i = 0; i < 6000; ++i) equal.push_back("w" + std::to_string(i % 60));
  for (std::size_t i = 0; i < 6000; ++i)
    some.push_back("w" + std::to_string(i < 4800 ? i % 40 : 40 + i % 40));
  const Frame level{.columns = {words("w", equal)}};
  EXPECT_EQ(learn_coding(level, level).columns[0].levels.size(), 60u) << "those as common as the 30th stay";
  const Frame mixed{.columns = {words("w", some)}};
  EXPECT_EQ(learn_coding(mixed, mixed).columns[0].levels.size(), 40u);
  EXPECT_EQ(learn_coding(mixed, mixed).columns[0].pooled, 40u);

  Strings one = {"rare"};
  for (std::size_t i = 0; i < 999; ++i) one.push_back(i % 2 == 0 ? "a" : "b");
  const Frame single{.columns = {words("w", one)}};
  EXPECT_EQ(learn_coding(single, single).columns[0].levels, (Strings{"a", "b", "rare"}))
      << "a pool of one is none";
}

TEST(LearnCoding, AsksNeitherWhichTableIsFirstNorWhatLevelsAreCalled) {
  for_each_seed(30, [](Rng& rng) {
    const auto column = [&] {
      Strings values;
      for (std::size_t i = 0; i < 300; ++i)
        values.push_back("w" + std::to_string(rng.below(1 + rng.below(400))));
      return words("w", values);
    };
    const Frame x{.columns = {column()}}, y{.columns = {column()}};
    EXPECT_EQ(learn_coding(x, y), learn_coding(y, x));
    const auto renamed = [](Frame frame) {
      for (std::string& level : frame.columns[0].levels)
        level = std::to_string(std::hash<std::string>{}(level));
      return frame;
    };
    const CodedColumn a = learn_coding(x, y).columns[0], b = learn_coding(renamed(x), renamed(y)).columns[0];
    EXPECT_EQ(a.levels.size(), b.levels.size());
    EXPECT_EQ(a.pooled, b.pooled);
  });
}

TEST(LearnCoding, MeasuresTimesByTheirSpread) {
  const auto unit = [](double step) {
    const Frame x{.columns = {numbers("t", {1e9, 1e9 + step, 1e9 + 2 * step, 1e9 + 3 * step}, Kind::time)}};
    return learn_coding(x, x).columns[0].time_unit;
  };
  EXPECT_EQ(unit(1), TimeUnit::seconds);
  EXPECT_EQ(unit(7200), TimeUnit::hours);
  EXPECT_EQ(unit(30 * 86400), TimeUnit::days);
  const Frame x{.columns = {numbers("t", {0, 86400, 10 * 86400}, Kind::time)}};
  const Coding coding = learn_coding(x, x);
  EXPECT_EQ(coding.scale, "none");
  EXPECT_EQ(encode(x, coding).values(), (std::vector<double>{0, 1, 10}));
}

std::string why(const Column& x, const Column& y) {
  const Column beside = words("z", {"a", "b"});
  const auto table = [&](const Column& column) {
    Column other = beside;
    other.codes.resize(column.rows(), 0);
    return Frame{.columns = {column, other}};
  };
  const Coding coding = learn_coding(table(x), table(y), {.missing = Missing::level});
  return coding.left_out.empty() ? "" : coding.left_out[0].name + " " + coding.left_out[0].why;
}

TEST(LearnCoding, LeavesColumnsOutWithASentence) {
  EXPECT_EQ(why(words("c", {"FR", "FR"}), words("c", {"FR", "FR", "FR"})),
            "c has one and the same value, 'FR'");
  EXPECT_EQ(why(words("c", {"FR", "FR"}), words("c", {"DE", "DE"})), "") << "it tells the tables apart";
  EXPECT_EQ(why(words("c", {"FR", ""}), words("c", {"FR", "FR"})), "") << "missing or not is a difference";
  EXPECT_EQ(why(numbers("c", {3, 3}), numbers("c", {3, 3})), "c has one and the same value, '3'");
  EXPECT_EQ(why(numbers("c", {NAN, NAN}), numbers("c", {NAN, NAN})), "c has only missing values");
  EXPECT_EQ(why(numbers("c", {NAN, NAN}), words("c", {"a", "b"})), "")
      << "a column without values is of any kind";
  EXPECT_EQ(why(numbers("id", {5, 6, 7}), numbers("id", {1, 2, 3, 4})),
            "id is an identifier: it counts the rows; --kinds id=number keeps it");
  EXPECT_EQ(why(numbers("id", {5, 6, 8}), numbers("id", {1, 2, 3, 4})), "");
  std::vector<double> orders(40);  // one is gone, one is there twice
  for (std::size_t i = 0; i < 40; ++i) orders[i] = static_cast<double>(1000 + (i < 9 ? i : i + 1));
  orders[20] = orders[3];
  EXPECT_NE(why(numbers("id", orders), numbers("id", orders)), "");
  orders[21] = orders[22] = orders[3];
  EXPECT_EQ(why(numbers("id", orders), numbers("id", orders)), "");
  Strings ids, cities;
  for (std::size_t i = 0; i < 50; ++i) {
    ids.push_back("u" + std::to_string(i));
    cities.push_back(i % 3 == 0 ? "Paris" : "Rome");
  }
  EXPECT_EQ(why(words("u", ids), words("u", ids)),
            "u is an identifier: nearly every row has a word of its own; --kinds u=category keeps it");
  EXPECT_EQ(why(words("u", ids), words("u", cities)), "") << "in both tables";
  EXPECT_NE(why(words("u", ids), words("u", {"u7", "v1"})), "") << "two rows cannot show it";
  EXPECT_EQ(why(words("u", ids), words("u", {"u7", "u7"})), "") << "one is there twice";
  orders[20] = 1020, orders[21] = 1021, orders[22] = 1022;
  EXPECT_NE(why(numbers("id", orders), numbers("id", {1007, 31})), "");
  EXPECT_EQ(why(numbers("id", orders), numbers("id", {1007, 31, 1007})), "");
  Column given = words("u", ids);
  given.is_given = true;
  EXPECT_EQ(why(given, given), "");
}

TEST(LearnCoding, TakesNumbersAloneAsTheyAre) {
  const Frame x{.columns = {numbers("id", {1, 2, 3}), numbers("c", {7, 7, 7})}};
  const Coding coding = learn_coding(x, x);
  EXPECT_TRUE(coding.is_plain() && coding.left_out.empty() && coding.scale == "none");
  EXPECT_EQ(encode(x, coding).values(), (std::vector<double>{1, 7, 2, 7, 3, 7}));
}

TEST(LearnCoding, ComplainsInOneSentence) {
  const Frame number{.columns = {numbers("zip", {1, 2})}}, word{.columns = {words("zip", {"a", "b"})}};
  EXPECT_EQ(error_of([&] { (void)learn_coding(number, word); }),
            "column 'zip' is a number in X and a category in Y: --kinds zip=category takes both as words");
  EXPECT_EQ(error_of([&] { (void)learn_coding(word, word, {.scale = "zip=2"}); }),
            "scale names the column 'zip', which is a category; --category-weight says how far apart its "
            "levels are");
  EXPECT_EQ(error_of([&] { (void)learn_coding(word, word, {.category_weight = 0}); }),
            "the weight of categories must be a positive number, got 0");
  const Frame gap{.columns = {numbers("zip", {1, NAN})}};
  EXPECT_EQ(error_of([&] { (void)learn_coding(gap, gap); }),
            "column 'zip' has missing values; --missing level makes them something to compare");
  const Frame same{.columns = {words("a", {"u", "u"}), words("b", {"v", "v"})}};
  EXPECT_EQ(error_of([&] { (void)learn_coding(same, same); }),
            "no column is left to compare: 'a' has one and the same value, 'u'; 'b' has one and the same "
            "value, 'v'");
}

}  // namespace
}  // namespace motmot
