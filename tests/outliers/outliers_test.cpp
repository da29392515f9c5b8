#include "motmot/outliers.hpp"

#include <cmath>
#include <numeric>

#include "base/statistics.hpp"
#include "outliers/falloff.hpp"
#include "outliers/relations.hpp"
#include "support/support.hpp"
#include "tables/sentinels.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using test::normals;
using Rows = std::vector<std::uint32_t>;

Column numbers(const std::string& name, std::vector<double> values, Kind kind = Kind::number) {
  return {.name = name, .kind = kind, .numbers = std::move(values)};
}

Column words(const std::string& name, const std::vector<std::string>& values) {
  Column column{.name = name, .kind = Kind::category};
  for (const std::string& value : values) {
    const auto found = std::ranges::find(column.levels, value);
    column.codes.push_back(value.empty() ? Column::no_level
                                         : static_cast<std::uint32_t>(found - column.levels.begin()));
    if (found == column.levels.end() && !value.empty()) column.levels.push_back(value);
  }
  return column;
}

/// Three columns in units of their own.
Frame clean(Rng& rng, std::size_t n) {
  Frame frame;
  for (const double unit : {1.0, 100.0, 0.01}) {
    std::vector<double> values = normals(rng, n);
    for (double& value : values) value = 50 * unit + unit * value;
    frame.columns.push_back(numbers("c" + std::to_string(frame.columns.size() + 1), std::move(values)));
  }
  return frame;
}

const OutlierRow& row_of(const Outliers& found, std::uint32_t row) {
  return *std::ranges::find_if(found.rows, [&](const OutlierRow& one) { return one.row == row; });
}

TEST(Outliers, AreFewInCleanTables) {
  std::size_t tables = 0;
  for_each_seed(40, [&](Rng& rng) {
    const Frame x = clean(rng, 200);
    tables += outliers(x).x.suspects.empty() ? 0 : 1;
  });
  EXPECT_LE(tables, 6u);  // 0.05 of 40 are 2; more than 6 happen in 1 of 300 runs
}

TEST(Outliers, NameTheColumnAndTheRobustUnits) {
  for_each_seed(20, [](Rng& rng) {
    Frame x = clean(rng, 150);
    const auto row = static_cast<std::uint32_t>(rng.below(150));
    const std::size_t column = rng.below(3);
    const double unit = column == 0 ? 1 : column == 1 ? 100 : 0.01;
    x.columns[column].numbers[row] += 40 * unit;
    const Outliers found = outliers(x);
    ASSERT_EQ(found.x.suspects, Rows{row});
    const OutlierRow& first = found.rows.front();
    EXPECT_EQ(first.row, row);
    EXPECT_EQ(first.sign, OutlierSign::off);
    EXPECT_EQ(first.column, x.columns[column].name);
    EXPECT_NEAR(first.units.value(), 40, 12);
    EXPECT_NE(first.reason.find("robust units off"), std::string::npos);
    EXPECT_GT(first.score, 1);
    const double near = found.x.false_share;
    x.columns[column].numbers[row] += 4000 * unit;
    EXPECT_LT(outliers(x).x.false_share, 0.1 * near);  // the farther, the surer
  });
}

TEST(Outliers, RankAllRowsAndListSuspectsFirst) {
  for_each_seed(20, [](Rng& rng) {
    Frame x = clean(rng, 120);
    for (std::size_t i = 0; i < 5; ++i) x.columns[0].numbers[i] += 30 + 10 * static_cast<double>(i);
    const Outliers found = outliers(x, {.list = 30});
    EXPECT_EQ(found.rows.size(), 30u);
    EXPECT_EQ(found.x.scores.size(), 120u);
    const auto mark = [&](std::size_t i) { return std::pair(!found.rows[i].suspect, -found.rows[i].score); };
    for (std::size_t i = 1; i < found.rows.size(); ++i) EXPECT_LE(mark(i - 1), mark(i));
    for (const OutlierRow& row : found.rows) {
      EXPECT_EQ(row.score, found.x.scores[row.row]);
      EXPECT_FALSE(row.reason.empty());
      EXPECT_EQ(row.suspect, std::ranges::binary_search(found.x.suspects, row.row));
    }
    EXPECT_EQ(outliers(x, {.list = 0}).rows.size(), found.x.suspects.size());
  });
}

// A cut counts rows as far out by rows expected there; the plain twin tries every cut.
TEST(Evidence, IsThatOfTheBestCutAtOrBelowTheRow) {
  for_each_seed(50, [](Rng& rng) {
    const std::size_t n = 2 + rng.below(60);
    std::vector<double> surprises = normals(rng, n);
    for (double& one : surprises) one = 3 * one;
    const std::vector<double> found = evidence(surprises);
    for (std::size_t i = 0; i < n; ++i) {
      double best = -1e300;
      for (std::size_t cut = 0; cut < n; ++cut) {
        if (surprises[cut] > surprises[i]) continue;
        const auto seen = static_cast<double>(
            std::ranges::count_if(surprises, [&](double one) { return one >= surprises[cut]; }));
        const double expected = static_cast<double>(n) * std::min(1.0, std::exp(-surprises[cut]) / 2);
        best = std::max(best, std::log(seen / expected));
      }
      EXPECT_NEAR(found[i], best, 1e-9);
    }
  });
}

/// Third column = first + second, with little noise.
Points related_points(Rng& rng, std::size_t n) {
  Points points(n, 3);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> z = normals(rng, 3);
    points(i, 0) = 10 + 2 * z[0];
    points(i, 1) = -3 + z[1];
    points(i, 2) = points(i, 0) + points(i, 1) + 0.2 * z[2];
  }
  return points;
}

TEST(Relations, PredictAColumnFromTheOthersAndKeepMahalanobisDistances) {
  for_each_seed(10, [](Rng& rng) {
    Points points = related_points(rng, 400);
    for (std::size_t i = 0; i < 20; ++i) points(i, 2) += 1000;  // single wrong cells move nothing much
    Rows all(400);
    std::iota(all.begin(), all.end(), 0u);
    const Relations relations(points, all);
    const std::vector<double> residuals = relations.residuals(points, 2);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(residuals[i], 1000, 50);
    std::vector<double> sizes;
    for (std::size_t i = 20; i < 400; ++i) sizes.push_back(std::abs(residuals[i]));
    EXPECT_LT(median_of(sizes), 0.3);  // 0.135 if the relation is known; the column's own is 1.5
    const Points turned = relations.decorrelated(points);
    double squares = 0;
    for (std::size_t i = 20; i < 400; ++i)
      for (std::size_t j = 0; j < 3; ++j) squares += turned(i, j) * turned(i, j) / 380;
    EXPECT_NEAR(squares, 3, 1.2);  // wrapped correlations and a little on the diagonal: not 3 exactly
  });
}

TEST(Outliers, RankACellFirstThatTheOtherColumnsDoNotLetExpect) {
  std::size_t first = 0;
  for_each_seed(20, [&](Rng& rng) {
    const Points points = related_points(rng, 200);
    Frame x;
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> values;
      for (std::size_t i = 0; i < 200; ++i) values.push_back(points(i, j));
      x.columns.push_back(numbers("c" + std::to_string(j + 1), std::move(values)));
    }
    // The value stays within the column's range: the row alone gives it away.
    x.columns[2].numbers[7] = x.columns[2].numbers[7] > 7 ? 5 : 9;
    const Outliers found = outliers(x);
    if (found.rows.front().row != 7) return;
    ++first;
    EXPECT_EQ(found.rows.front().sign, OutlierSign::related);
    EXPECT_NE(found.rows.front().reason.find("where the other columns suggest"), std::string::npos);
  });
  EXPECT_GE(first, 17u);
}

TEST(Outliers, DoNotDependOnTheOrderOfRowsOrOnThreads) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng, 90);
    for (std::size_t i = 0; i < 4; ++i) x.columns[2].numbers[i] = 3;
    const Outliers found = outliers(x, {.threads = 1}), again = outliers(x, {.threads = 7});
    EXPECT_EQ(found.x.suspects, again.x.suspects);
    EXPECT_EQ(found.x.scores, again.x.scores);
    Frame turned = x;
    for (Column& column : turned.columns) std::ranges::reverse(column.numbers);
    Outliers other = outliers(turned);
    for (std::uint32_t& row : other.x.suspects) row = 89 - row;
    std::ranges::reverse(other.x.suspects);
    EXPECT_EQ(other.x.suspects, found.x.suspects);
    for (std::size_t i = 0; i < 90; ++i)
      EXPECT_NEAR(other.x.scores[89 - i], found.x.scores[i], 1e-9 * found.x.scores[i]);
  });
}

TEST(Outliers, CallASentinelByItsName) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng, 150);
    for (const std::size_t i : {4, 40, 77}) x.columns[1].numbers[i] = -999;
    const Outliers found = outliers(x);
    for (const std::uint32_t i : {4u, 40u, 77u}) {
      EXPECT_TRUE(std::ranges::binary_search(found.x.suspects, i));
      EXPECT_EQ(row_of(found, i).sign, OutlierSign::sentinel);
      EXPECT_NE(row_of(found, i).reason.find("typed as -999"), std::string::npos);
    }
  });
}

TEST(Outliers, ShowNumbersOfFloat32WithTheDigitsThatTheseHave) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng, 100);
  for (Column& column : x.columns)
    for (double& value : column.numbers) value = static_cast<float>(value);
  x.columns[0].numbers[7] = 511.3F;
  x.columns[1].numbers[8] = 99123.4567;  // no float32
  const Outliers found = outliers(x);
  EXPECT_EQ(row_of(found, 7).value, "511.3") << row_of(found, 7).reason;
  EXPECT_EQ(row_of(found, 8).value, "99123.4567") << row_of(found, 8).reason;
}

TEST(Outliers, LeaveSentinelsAloneThatAreMoreThanTauAllows) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng, 100);
  for (std::size_t i = 0; i < 30; ++i) x.columns[1].numbers[i] = -999;
  const Outliers found = outliers(x);
  EXPECT_LE(found.x.suspects.size(), 10u);
  ASSERT_FALSE(found.notes.empty());
  EXPECT_NE(found.notes.front().find("--na -999 makes it a missing value"), std::string::npos);
  for (std::size_t i = 0; i < 100; ++i) x.columns[0].numbers[i] = i % 3 == 0 ? -999 : -1000;
  const Outliers other = outliers(x);
  ASSERT_FALSE(other.notes.empty());
  EXPECT_EQ(other.notes.front().find("--na"), std::string::npos) << other.notes.front();
}

TEST(Outliers, NameALevelThatNoOtherRowHas) {
  Rng rng(2, Purpose::test);
  Frame x = clean(rng, 120);
  std::vector<std::string> cities;
  for (std::size_t i = 0; i < 120; ++i) cities.emplace_back(i % 2 == 0 ? "Paris" : "Rome");
  cities[17] = "Pariss";
  x.columns = {words("city", cities)};
  const Outliers found = outliers(x);
  EXPECT_EQ(found.rows.front().row, 17u);
  EXPECT_EQ(found.rows.front().sign, OutlierSign::level);
  EXPECT_EQ(found.rows.front().value, "Pariss");
  for (const OutlierRow& row : found.rows) EXPECT_EQ(row.sign == OutlierSign::level, row.row == 17);
}

TEST(Outliers, NameAMissingValueThatFewRowsHave) {
  Rng rng(3, Purpose::test);
  Frame x;
  std::vector<double> grid(150);
  for (std::size_t i = 0; i < 150; ++i) grid[i] = static_cast<double>(i % 5);
  grid[60] = NAN;
  x.columns = {numbers("grade", grid)};
  const Outliers found = outliers(x);
  EXPECT_EQ(found.rows.front().row, 60u);
  EXPECT_EQ(found.rows.front().sign, OutlierSign::missing);
  EXPECT_NE(found.rows.front().reason.find("1 of 150 rows"), std::string::npos);
}

// Neither coordinate is unusual by itself or given the other: in the middle of the ring of all others.
TEST(Outliers, SpeakOfCompanyWhereNoColumnExplainsIt) {
  for_each_seed(10, [](Rng& rng) {
    std::vector<double> a(200), b(200);
    for (std::size_t i = 0; i < 200; ++i) {
      const double angle = 0.0314159 * static_cast<double>(i), radius = 5 + 0.1 * normals(rng, 1).front();
      a[i] = radius * std::cos(angle);
      b[i] = radius * std::sin(angle);
    }
    a[9] = b[9] = 0;
    const Outliers found =
        outliers(Frame{.columns = {numbers("a", a), numbers("b", b)}}, {.tau = {0.02, 0.02}});
    EXPECT_EQ(found.rows.front().row, 9u);
    EXPECT_EQ(found.rows.front().sign, OutlierSign::company);
    EXPECT_NE(found.rows.front().reason.find("no company among 200 rows"), std::string::npos);
  });
}

TEST(Outliers, OfAPairAreThoseThatTheDistanceLeavesOut) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng, 100), y = clean(rng, 80);
    for (std::size_t i = 0; i < 5; ++i) x.columns[0].numbers[i] = 90 + static_cast<double>(i);
    y.columns[1].numbers[7] = 9000;
    const Outliers found = outliers(x, y);
    const Distance w = distance(x, y, {.scale = "robust", .permutations = 0});
    EXPECT_EQ(found.x.suspects, w.left_out.x);
    ASSERT_TRUE(found.y);
    EXPECT_EQ(found.y->suspects, w.left_out.y);
    EXPECT_EQ(found.y->suspects, Rows{7});
  });
}

TEST(Outliers, WorkOnTablesOfAnySize) {
  for (const std::size_t n : {1u, 2u, 3u, 9u, 10u, 11u}) {
    Rng rng(n, Purpose::test);
    const Outliers found = outliers(clean(rng, n), {.tau = {0.49, 0.49}});
    EXPECT_EQ(found.x.scores.size(), n);
    EXPECT_EQ(found.rows.size(), n);
    EXPECT_EQ(found.notes.empty(), n >= 10);
    EXPECT_FALSE(text(found).empty());
  }
}

TEST(Outliers, SayWhenOneRowIsThereManyTimes) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng, 150), y = clean(rng, 150);
    EXPECT_TRUE(outliers(x).notes.empty());
    for (Column& column : x.columns)
      for (std::size_t i = 20; i < 26; ++i) column.numbers[i] = column.numbers[19];
    const Outliers found = outliers(x);
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_TRUE(found.notes[0].starts_with("7 rows of X are one and the same")) << found.notes[0];
    ASSERT_EQ(outliers(y, x).notes.size(), 1u);
    EXPECT_TRUE(outliers(y, x).notes[0].starts_with("7 rows of Y")) << outliers(y, x).notes[0];
    for (std::size_t j = 0; j < 3; ++j) y.columns[j].numbers[0] = x.columns[j].numbers[19];
    EXPECT_TRUE(outliers(y, x).notes.empty()) << "the other table has that row, too";
  });
}

TEST(Outliers, OfOneRepeatedRowAreNone) {
  const Outliers found = outliers(Frame{
      .columns = {numbers("a", std::vector<double>(50, 2.0)), numbers("b", std::vector<double>(50, 3.0))}});
  EXPECT_TRUE(found.x.suspects.empty());
  EXPECT_TRUE(found.notes.empty());
  EXPECT_EQ(found.rows.size(), 20u);
  EXPECT_EQ(found.rows[0].reason, "as near to others as usual: the 6th nearest is 0 away");
}

TEST(Outliers, ComplainAboutWhatTheyCannotTake) {
  Rng rng(1, Purpose::test);
  const Frame x = clean(rng, 20);
  EXPECT_NE(error_of([&] {
              (void)outliers(x, {.tau = {0.5, 0.1}});
            }).find("tau must lie in [0, 1/2)"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)outliers(Frame{}); }).find("X has no rows"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)outliers(x, {.category_weight = 0}); }).find("positive"), std::string::npos);
}

TEST(Outliers, CanBeStopped) {
  Rng rng(1, Purpose::test);
  const Outliers found = outliers(clean(rng, 500), {.progress = [](double) { return false; }});
  EXPECT_TRUE(found.run.stopped);
  EXPECT_TRUE(found.rows.empty());
}

// --------------------------------------------------------------------------------------------- odd values

Frame with_constant(Rng& rng, double value) {
  Frame x = clean(rng, 200);
  x.columns.push_back(numbers("vat", std::vector<double>(200, value)));
  return x;
}

TEST(Outliers, NameAValueWhereAllOtherRowsHaveOne) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = with_constant(rng, 19);
    x.columns.back().numbers[30] = 1900;
    Outliers found = outliers(x);
    ASSERT_TRUE(std::ranges::binary_search(found.x.suspects, 30u));
    EXPECT_EQ(row_of(found, 30).sign, OutlierSign::level);
    EXPECT_EQ(row_of(found, 30).column, "vat");
    EXPECT_EQ(row_of(found, 30).reason, "vat is 1900, where all other rows have 19");
    x.columns.back().numbers[31] = x.columns.back().numbers[30] = 7;
    for (Column& column : x.columns) column.numbers[31] = column.numbers[30];  // twins
    found = outliers(x);
    EXPECT_EQ(row_of(found, 30).reason, "vat is 7, where all rows but 2 have 19");
    EXPECT_EQ(row_of(found, 31).reason, "vat is 7, where all rows but 2 have 19");
    const Frame usual = with_constant(rng, 7);
    EXPECT_FALSE(std::ranges::binary_search(outliers(x, usual).x.suspects, 30u)) << "7 is usual in Y";
  });
}

TEST(Outliers, TakeRareFlagsAndCountsForWhatTheyAre) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = with_constant(rng, 0);
    x.columns.back().numbers[30] = 1;
    EXPECT_FALSE(find_odd_values(x.columns.back().numbers));
    for (std::size_t i = 0; i < 200; ++i) x.columns.back().numbers[i] = i < 20 ? 50 : 0;
    EXPECT_FALSE(find_odd_values(x.columns.back().numbers)) << "one in ten";
  });
}

TEST(Outliers, MeasureAReasonToARowThatHasCompany) {
  std::size_t seen = 0;
  for_each_seed(10, [&](Rng& rng) {
    Frame x = with_constant(rng, 19);
    for (const std::size_t i : {30u, 31u, 32u, 33u}) {
      x.columns.back().numbers[i] = 7;  // 2 % of the rows: too many to be odd, and each other's nearest
      for (Column& column : x.columns) column.numbers[i] = column.numbers[30];
    }
    const Outliers found = outliers(x, {.list = 200});
    for (const std::uint32_t i : {30u, 31u, 32u, 33u}) {
      const OutlierRow& row = row_of(found, i);
      if (row.sign != OutlierSign::company || row.suspect) continue;
      EXPECT_NE(row.reason.find("mostly vat 7"), std::string::npos) << row.reason;
      ++seen;
    }
  });
  EXPECT_GT(seen, 0u);
}

// ---------------------------------------------------------------------------------------------- sentinels

std::vector<double> sentinels_in(std::vector<double> values, Kind kind = Kind::number) {
  std::vector<double> found;
  for (const Sentinel& one : find_sentinels(numbers("a", std::move(values), kind)))
    found.push_back(one.value);
  return found;
}

TEST(Sentinels, AreFoundFromTheEndsInwards) {
  for_each_seed(20, [](Rng& rng) {
    std::vector<double> values = normals(rng, 60);
    values.insert(values.end(), {-9999, -9999, -999, -999, -999, 9999, 9999});
    EXPECT_EQ(sentinels_in(values), (std::vector<double>{-9999, -999, 9999}));
  });
}

TEST(Sentinels, RepeatAndLieOutside) {
  for_each_seed(50, [](Rng& rng) {
    std::vector<double> values = normals(rng, 60);
    EXPECT_TRUE(sentinels_in(values).empty());
    std::vector<double> once = values;
    once.push_back(-999);
    EXPECT_TRUE(sentinels_in(once).empty()) << "one value does not repeat";
    std::vector<double> within = values;
    for (double& value : within) value *= 2000;
    within.insert(within.end(), {999, 999});
    EXPECT_TRUE(sentinels_in(within).empty()) << "inside the range of the others";
    std::vector<double> counts;
    for (std::size_t i = 0; i < 200; ++i) counts.push_back(static_cast<double>(rng.below(10)));
    EXPECT_TRUE(sentinels_in(counts).empty()) << "counts from 0 to 9";
    std::vector<double> heavy = values;
    for (double& value : heavy) value = std::round(std::exp(2 * value));
    EXPECT_TRUE(sentinels_in(heavy).empty()) << "a heavy tail of whole numbers";
  });
}

TEST(Sentinels, NeedNoDistanceBelowNumbersNoneOfWhichIsNegative) {
  for_each_seed(20, [](Rng& rng) {
    std::vector<double> incomes = normals(rng, 60);
    for (double& income : incomes) income = std::round(20000 * std::exp(0.4 * income));
    incomes.insert(incomes.end(), {-999, -999});
    EXPECT_EQ(sentinels_in(incomes), std::vector<double>{-999});
    incomes.push_back(-5);
    EXPECT_TRUE(sentinels_in(incomes).empty()) << "others are negative, too";
  });
}

TEST(Sentinels, OfAnyValueStandFartherOutThanTheOthersSpread) {
  std::vector<double> values(40);
  std::iota(values.begin(), values.end(), 0.0);
  std::vector<double> far = values, near = values;
  far.insert(far.end(), 3, 123.0);
  near.insert(near.end(), 3, 70.0);
  EXPECT_EQ(sentinels_in(far), std::vector<double>{123});
  EXPECT_TRUE(sentinels_in(near).empty());
}

TEST(Sentinels, AmongTimesAreTheUsualDays) {
  std::vector<double> days;
  for (std::size_t i = 0; i < 50; ++i) days.push_back(1.7e9 + 86400 * static_cast<double>(i));
  EXPECT_TRUE(sentinels_in(days, Kind::time).empty());
  days.insert(days.end(), {0, 0});
  EXPECT_EQ(sentinels_in(days, Kind::time), std::vector<double>{0});
}

TEST(Sentinels, AmongAnswersFromZeroToOneAreNines) {
  std::vector<double> answers;
  for (std::size_t i = 0; i < 50; ++i) answers.push_back(static_cast<double>(i % 2));
  EXPECT_TRUE(sentinels_in(answers).empty());
  answers.insert(answers.end(), {9, 9, 9});
  EXPECT_EQ(sentinels_in(answers), std::vector<double>{9});
}

}  // namespace
}  // namespace motmot
