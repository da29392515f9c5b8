// distance() of tables whose columns are of several kinds.
#include <cmath>

#include "motmot/answer.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;
using Strings = std::vector<std::string>;

/// As many rows of each level as `counts` says.
Column category(const std::string& name, const Strings& levels, const std::vector<std::size_t>& counts) {
  Column column{.name = name, .kind = Kind::category, .levels = levels};
  for (std::size_t k = 0; k < levels.size(); ++k)
    column.codes.insert(column.codes.end(), counts[k], static_cast<std::uint32_t>(k));
  return column;
}

Column gaussian(const std::string& name, Rng& rng, std::size_t n, double shift = 0) {
  Column column{.name = name, .numbers = test::normals(rng, n)};
  for (double& value : column.numbers) value += shift;
  return column;
}

const DistanceOptions all_rows{.tau = {0, 0}, .missing = Missing::level, .permutations = 0};

TEST(DistanceOfTables, IsTheShareThatChangesItsLevelTimesTheWeight) {
  for_each_seed(20, [](Rng& rng) {
    std::vector<std::size_t> a(4), b(4);
    for (std::size_t k = 0; k < 4; ++k) a[k] = 1 + rng.below(30), b[k] = rng.below(30);
    const Frame x{.columns = {category("c", {"p", "q", "r", "s"}, a)}},
        y{.columns = {category("c", {"p", "q", "r", "s"}, b)}};
    if (y.n() == 0) return;
    double changed = 0;
    for (std::size_t k = 0; k < 4; ++k)
      changed += std::abs(static_cast<double>(a[k]) / static_cast<double>(x.n()) -
                          static_cast<double>(b[k]) / static_cast<double>(y.n())) /
                 2;
    DistanceOptions options = all_rows;
    options.category_weight = 1 + 2 * rng.uniform();
    const Distance w = distance(x, y, options);
    EXPECT_NEAR(w.value, options.category_weight * changed, 1e-9);
    ASSERT_EQ(w.columns.size(), 1u);
    EXPECT_NEAR(w.columns[0].moved, changed, 1e-9);
    EXPECT_EQ(w.asked.category_weight, options.category_weight);
  });
}

TEST(DistanceOfTables, DoesNotAskWhatLevelsAreCalled) {
  Rng rng(1, Purpose::test);
  const auto table = [&](const Strings& names) {
    Rng own(2, Purpose::test);
    return PerSample<Frame>{{.columns = {category("c", names, {30, 20, 10}), gaussian("g", own, 60)}},
                            {.columns = {category("c", names, {15, 20, 25}), gaussian("g", own, 60)}}};
  };
  const PerSample<Frame> one = table({"a", "b", "c"}), other = table({"zz", "m", "k"});
  EXPECT_NEAR(distance(one.x, one.y, all_rows).value, distance(other.x, other.y, all_rows).value, 1e-12);
  EXPECT_EQ(distance(one.x, one.y, all_rows).value, distance(one.y, one.x, all_rows).value)
      << "nor which comes first";
}

TEST(DistanceOfTables, IsTheChangedShareOfMissingValues) {
  const auto table = [](std::size_t missing) {
    Frame frame{.columns = {{.name = "n", .numbers = std::vector<double>(100, 3.5)}}};
    for (std::size_t i = 0; i < missing; ++i) frame.columns[0].numbers[i] = NAN;
    return frame;
  };
  for (const double lambda : {1.0, 2.5}) {
    DistanceOptions options = all_rows;
    options.category_weight = lambda;
    const Distance w = distance(table(10), table(35), options);
    EXPECT_NEAR(w.value, lambda * 0.25, 1e-9);
    EXPECT_EQ(w.asked.scale, "robust");
    ASSERT_EQ(w.columns[0].levels.size(), 1u);
    EXPECT_EQ(w.columns[0].levels[0].level, "(missing)");
    EXPECT_NEAR(w.columns[0].levels[0].moved, 0.25, 1e-9);
    EXPECT_NEAR(w.columns[0].moved, 0, 1e-9);
    EXPECT_NE(text(w).find(lambda == 1 ? "A missing value is 1 from one that is there."
                                       : "A missing value is 2.5 from one that is there."),
              std::string::npos)
        << text(w);
  }
}

TEST(DistanceOfTables, SaysOfItsOwnColumnsHowTheyMoved) {
  Rng rng(3, Purpose::test);
  Frame x{.columns = {category("city", {"Paris", "Rome", "Oslo"}, {40, 80, 80}), gaussian("age", rng, 200),
                      gaussian("when", rng, 200), category("land", {"FR"}, {200})}};
  Frame y{.columns = {category("city", {"Paris", "Rome", "Oslo"}, {120, 20, 60}),
                      gaussian("age", rng, 200, 2), gaussian("when", rng, 200),
                      category("land", {"FR"}, {200})}};
  for (Frame* frame : {&x, &y}) {
    frame->columns[2].kind = Kind::time;
    for (double& t : frame->columns[2].numbers) t = 1e9 + 5 * 86400 * t;
  }
  for (std::size_t i = 0; i < 60; ++i) y.columns[1].numbers[i] = NAN;
  const Distance w = distance(x, y, {.missing = Missing::level});
  EXPECT_EQ(w.verdict, Verdict::differ);
  EXPECT_EQ(w.asked.columns, (Strings{"city", "age", "when"}));
  EXPECT_EQ(w.asked.kinds, (std::vector<Kind>{Kind::category, Kind::number, Kind::time}));
  EXPECT_EQ(w.asked.d, 3u);
  ASSERT_EQ(w.columns.size(), 3u);
  double total = 0;
  for (const ColumnMove& column : w.columns) total += column.share.value_or(-1);
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_LT(*w.columns[2].share, 0.05) << "nothing moved there";
  EXPECT_EQ(w.columns[0].levels[0].level, "Paris");
  EXPECT_NEAR(w.columns[0].levels[0].moved, 0.4, 0.03);
  EXPECT_NEAR(w.columns[1].moved, 2, 0.4) << "of the values that are there";
  EXPECT_EQ(w.columns[1].levels[0].level, "(missing)");
  EXPECT_EQ(w.columns[2].time_unit, TimeUnit::days);
  const std::string words = text(w);
  for (const char* part : {"city is a category", "when (in days) is a time", "age is a number",
                           "Left out: land has one and the "
                           "same value, 'FR'.",
                           " % Paris, ", " % (missing)", " days"})
    EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
  const Distance back = distance(y, x, {.missing = Missing::level});
  EXPECT_EQ(back.value, w.value);
  EXPECT_EQ(back.columns[0].levels[0].moved, -w.columns[0].levels[0].moved);
  EXPECT_EQ(back.columns[0].moved, w.columns[0].moved);
  EXPECT_EQ(back.columns[1].moved, -w.columns[1].moved);
}

TEST(DistanceOfTables, IsThatOfPointsWhereAllIsNumbers) {
  for_each_seed(10, [](Rng& rng) {
    const Points x = test::gaussian(rng, 60, 3), y = test::gaussian(rng, 50, 3, 1);
    const auto frame = [](const Points& points) {
      Frame table;
      for (std::size_t j = 0; j < 3; ++j) {
        table.columns.push_back({.name = "c" + std::to_string(j + 1)});
        for (std::size_t i = 0; i < points.rows(); ++i) table.columns[j].numbers.push_back(points(i, j));
      }
      return table;
    };
    for (const char* scale : {"auto", "robust", "c2=3"}) {
      const Distance of_points = distance(x, y, {.scale = scale}),
                     of_tables = distance(frame(x), frame(y), {.scale = scale});
      EXPECT_EQ(of_tables.value, of_points.value);
      EXPECT_EQ(text(of_tables), text(of_points));
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(of_tables.columns[k].moved, of_points.columns[k].moved);
      EXPECT_EQ((*of_tables.phi)(x), (*of_points.phi)(x));
    }
  });
}

TEST(DistanceOfTables, ShowsARowThatComesManyTimesAsTheTableHasIt) {
  Rng rng(6, Purpose::test);
  Frame x{.columns = {category("c", {"a", "b"}, {60, 40}), gaussian("g", rng, 100)}};
  for (std::size_t i = 0; i < 30; ++i) x.columns[1].numbers[i] = -9;
  const auto about_copies = [](const Distance& w) {
    std::string found;
    for (const Warning& warning : w.warnings)
      if (warning.code == WarningCode::identical_rows) found = warning.text;
    return found;
  };
  const Frame y{.columns = {category("c", {"a", "b"}, {50, 50}), gaussian("g", rng, 100)}};
  EXPECT_EQ(about_copies(distance(x, y)),
            "30 rows of X are (a, -9), other rows do not repeat: a default value, or copies?");
  const Frame p{.columns = {category("c", {"a", "b"}, {96, 4})}},
      q{.columns = {category("c", {"a", "b"}, {90, 10})}};
  EXPECT_EQ(about_copies(distance(p, q)), "") << "levels repeat";
}

TEST(DistanceOfTables, GoesThroughEveryEstimator) {
  Rng rng(5, Purpose::test);
  const Frame x{.columns = {category("c", {"a", "b"}, {40, 40}), gaussian("g", rng, 80)}},
      y{.columns = {category("c", {"a", "b"}, {10, 70}), gaussian("g", rng, 80, 1)}};
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou}) {
    const Distance w = distance(x, y, {.estimator = estimator});
    EXPECT_GT(w.value, 0.3) << name(estimator);
    EXPECT_NE(text(w).find("c is a category; g is a number"), std::string::npos) << text(w);
  }
}

/// Every 25th row has `value` in the column.
Column with_code(Column column, double value) {
  for (std::size_t i = 0; i < column.numbers.size(); i += 25) column.numbers[i] = value;
  return column;
}

// 30 seeds; a group that happens to share a value far outside would be a false name, none is seen.
TEST(DistanceOfTables, NamesTheCodeThatRowsLeftOutOfBothShare) {
  for_each_seed(30, [](Rng& rng) {
    const auto table = [&](double code) {
      return Frame{.columns = {with_code(gaussian("age", rng, 250, 40), code)}};
    };
    const Frame x = table(-999), y = table(-999);
    const Distance w = distance(x, y, {.scale = "robust", .permutations = 0});
    ASSERT_EQ(w.readings.size(), 2u);
    for (const Reading& reading : w.readings) {
      EXPECT_TRUE(reading.in_both);
      EXPECT_EQ(reading.if_real, *w.plain);  // nobody else was left out: with the rows of both, all are there
      ASSERT_TRUE(reading.shared);
      EXPECT_EQ(reading.shared->column, "age");
      EXPECT_EQ(reading.shared->value, "-999");
      EXPECT_EQ(reading.shared->rows, 10u);
    }
    Frame scattered = table(-999);  // a group of measured values has none
    for (std::size_t i = 0; i < 250; i += 25) scattered.columns[0].numbers[i] = 140 + rng.normal();
    for (const Reading& reading :
         distance(scattered, table(40), {.scale = "robust", .permutations = 0}).readings)
      EXPECT_FALSE(reading.shared);
  });
}

// --na takes the value from every column.
TEST(DistanceOfTables, KnowsWhenAnotherColumnHasTheSharedValueForItsOwn) {
  for_each_seed(10, [](Rng& rng) {
    Column visits{.name = "visits"};
    for (std::size_t i = 0; i < 250; ++i) visits.numbers.push_back(static_cast<double>(i % 3));
    visits = with_code(visits, 0);  // so that the rows with the code are one and the same
    Frame x{.columns = {with_code(gaussian("bmi", rng, 250, 40), 0), visits}},
        y{.columns = {gaussian("bmi", rng, 250, 40), visits}};
    const auto found = [&] { return distance(x, y, {.scale = "robust", .permutations = 0}); };
    const Distance w = found();
    ASSERT_EQ(w.readings.size(), 1u);
    ASSERT_TRUE(w.readings[0].shared);
    EXPECT_EQ(w.readings[0].shared->value, "0");
    EXPECT_TRUE(w.readings[0].shared->elsewhere);
    EXPECT_EQ(text(w).find("--na"), std::string::npos) << text(w);
    for (Frame* table : {&x, &y})
      for (double& count : table->columns[1].numbers) count += 10;
    const Distance other = found();
    ASSERT_TRUE(other.readings[0].shared);
    EXPECT_FALSE(other.readings[0].shared->elsewhere);
    EXPECT_NE(text(other).find("--na 0 (with"), std::string::npos) << text(other);
  });
}

TEST(DistanceOfTables, WritesWholePercentsAndWholeNumbersOut) {
  Rng rng(3, Purpose::test);
  const Frame x{.columns = {category("c", {"EUR", "USD"}, {100, 0}), gaussian("g", rng, 100)}},
      y{.columns = {category("c", {"EUR", "USD"}, {0, 100}), gaussian("g", rng, 100)}};
  const std::string said = text(distance(x, y));
  EXPECT_NE(said.find("-100 % EUR, +100 % USD"), std::string::npos) << said;
}

TEST(DistanceOfTables, CodesConstantsThatDifferBesideMissingOnes) {
  Rng rng(3, Purpose::test);
  const auto table = [&](double value) {
    Column rate{.name = "rate", .numbers = std::vector<double>(60, value)};
    rate.numbers[5] = NAN;
    return Frame{.columns = {gaussian("g", rng, 60), std::move(rate)}};
  };
  const Distance w = distance(table(0.19), table(0.2), {.missing = Missing::level});
  EXPECT_EQ(w.verdict, Verdict::differ);
  EXPECT_NEAR(w.columns[1].moved, 0.01, 1e-12);
  EXPECT_NEAR(w.columns[1].unit, 0.01, 1e-12);
  EXPECT_EQ(std::ranges::count(w.warnings, WarningCode::constants_apart, &Warning::code), 1);
}

/// Two columns of noise and a flag.
Frame flagged(Rng& rng, std::size_t n) {
  return {.columns = {gaussian("a", rng, n, 0),
                      gaussian("b", rng, n, 0),
                      {.name = "flag", .numbers = std::vector<double>(n, 0.0)}}};
}

TEST(DistanceOfTables, TakesNoValueThatTheOtherTableKeepsForACode) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = flagged(rng, 200), y = flagged(rng, 200);
    const auto set_apart = [&](double code) {
      for (std::size_t i = 0; i < 15; ++i) {
        x.columns[0].numbers[i] = 8 + 0.3 * rng.normal();
        x.columns[1].numbers[i] = 8 + 0.3 * rng.normal();
        x.columns[2].numbers[i] = code;
      }
    };
    const auto shared = [&] {
      const Distance w = distance(x, y, {.permutations = 0});
      EXPECT_EQ(w.readings.size(), 1u);
      return !w.readings.empty() && w.readings.front().shared.has_value();
    };
    set_apart(1);
    EXPECT_TRUE(shared()) << "nobody else has a 1";
    for (std::size_t i = 0; i < 47; ++i) y.columns[2].numbers[i] = 1;
    EXPECT_FALSE(shared()) << "1 is a flag, as Y shows";
    set_apart(-999);
    EXPECT_TRUE(shared()) << "beside a column that is constant in X";
  });
}

Column days(Rng& rng, std::size_t n, double first, double last) {
  Column column{.name = "when", .kind = Kind::time};
  for (std::size_t i = 0; i < n; ++i) column.numbers.push_back(86400 * rng.uniform(first, last));
  return column;
}

bool warns_of_times(const Frame& x, const Frame& y) {
  const Distance w = distance(x, y, {.tau = {0, 0}, .scale = "robust", .permutations = 0});
  return std::ranges::count(w.warnings, WarningCode::times_apart, &Warning::code) == 1;
}

// Ten rows of one law do not overlap in 1.1e-5 of pairs.
TEST(DistanceOfTables, SaysWhenAColumnOfTimesAloneTellsThemApart) {
  for_each_seed(50, [](Rng& rng) {
    const auto table = [&](double first, double last) {
      return Frame{.columns = {gaussian("g", rng, 10), days(rng, 10, first, last)}};
    };
    EXPECT_TRUE(warns_of_times(table(0, 31), table(31, 61)));
    EXPECT_TRUE(warns_of_times(table(31, 61), table(0, 31)));
    EXPECT_FALSE(warns_of_times(table(0, 31), table(0, 31)));
    const auto dates_alone = [&](double first) {
      return Frame{.columns = {days(rng, 10, first, first + 9)}};
    };
    EXPECT_FALSE(warns_of_times(dates_alone(0), dates_alone(31)));  // nothing else is there to compare
  });
}

// As prices are that were taken for words, "12.50 EUR": nothing is left of the column, and nobody said so.
TEST(DistanceOfTables, SaysWhenACategoryHardlyTakesPart) {
  Rng rng(1, Purpose::test);
  const auto table = [&](std::size_t distinct) {
    Strings levels;
    for (std::size_t k = 0; k < distinct; ++k)
      levels.push_back(std::to_string(rng.below(1'000'000)) + " EUR");
    Column price = category("price", levels, std::vector<std::size_t>(distinct, 240 / distinct));
    price.codes[1] = price.codes[2] = price.codes[0];  // one is there three times: it counts for itself
    price.is_given = true;
    return Frame{.columns = {gaussian("g", rng, 240), price}};
  };
  const auto warned = [](const Frame& x, const Frame& y) {
    const Distance w = distance(x, y, {.permutations = 0});
    return std::ranges::count(w.warnings, WarningCode::constant_columns, &Warning::code);
  };
  EXPECT_EQ(warned(table(240), table(240)), 1);
  EXPECT_EQ(warned(table(240), table(24)), 0);
}

bool warns_of_levels(const Strings& of_x, const Strings& of_y, std::size_t each) {
  Rng rng(1, Purpose::test);
  const auto table = [&](const Strings& levels) {
    return Frame{.columns = {gaussian("g", rng, each * levels.size()),
                             category("c", levels, std::vector<std::size_t>(levels.size(), each))}};
  };
  const Distance w = distance(table(of_x), table(of_y), {.tau = {0, 0}, .permutations = 0});
  return std::ranges::count(w.warnings, WarningCode::levels_apart, &Warning::code) == 1;
}

TEST(DistanceOfTables, SaysWhenACategoryHasNoLevelThatBothHave) {
  EXPECT_TRUE(warns_of_levels({"yes", "no"}, {"true", "false"}, 10));
  EXPECT_TRUE(warns_of_levels({"setosa"}, {"virginica"}, 10));
  EXPECT_FALSE(warns_of_levels({"yes", "no"}, {"true", "no"}, 10));
  EXPECT_FALSE(warns_of_levels({"yes", "no"}, {"true", "false"}, 4)) << "8 rows are few";
  const Strings a{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
      b{"k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
  EXPECT_FALSE(warns_of_levels(a, b, 1)) << "levels that do not come back differ by chance";
}

}  // namespace
}  // namespace motmot
