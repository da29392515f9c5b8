#include "motmot/doctor.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using test::normals;

Column numbers(const std::string& name, std::vector<double> values, Kind kind = Kind::number) {
  const bool whole =
      std::ranges::all_of(values, [](double v) { return std::isnan(v) || v == std::floor(v); });
  return {
      .name = name, .kind = kind, .numbers = std::move(values), .is_whole = kind == Kind::number && whole};
}

Column words(const std::string& name, const std::vector<std::string>& values) {
  Column column{.name = name, .kind = Kind::category};
  for (const std::string& value : values) {
    const auto found = std::ranges::find(column.levels, value);
    column.codes.push_back(static_cast<std::uint32_t>(found - column.levels.begin()));
    if (found == column.levels.end()) column.levels.push_back(value);
  }
  return column;
}

std::vector<std::string> any_of(Rng& rng, std::size_t n, const std::vector<std::string>& levels) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(levels[rng.below(levels.size())]);
  return values;
}

/// 200 rows with nothing wrong: two numbers, a city, counts up to 30, days.
Frame clean(Rng& rng, std::size_t n = 200) {
  Frame frame{.columns = {numbers("height", normals(rng, n)), numbers("weight", normals(rng, n)),
                          words("city", any_of(rng, n, {"Paris", "Rome", "Oslo"}))}};
  std::vector<double> counts, days;
  for (std::size_t i = 0; i < n; ++i) {
    counts.push_back(static_cast<double>(rng.below(30)));
    days.push_back(1.7e9 + 86400 * static_cast<double>(rng.below(300)));
  }
  frame.columns.push_back(numbers("visits", counts));
  frame.columns.push_back(numbers("when", days, Kind::time));
  return frame;
}

std::set<Ailment> codes(const Checkup& checkup) {
  std::set<Ailment> all;
  for (const Symptom& one : checkup.findings) all.insert(one.code);
  return all;
}

const Symptom* find(const Checkup& checkup, Ailment code, const std::string& column = "") {
  for (const Symptom& one : checkup.findings)
    if (one.code == code && one.column == column) return &one;
  return nullptr;
}

/// The finding, which must be there, alone of its code on this column.
std::string typed(const Checkup& checkup, Ailment code, const std::string& column = "") {
  const Symptom* const one = find(checkup, code, column);
  EXPECT_NE(one, nullptr) << name(code) << " of '" << column << "' is missing in\n" << text(checkup);
  return one == nullptr ? "" : one->type;
}

TEST(Doctor, FindsNothingInCleanTables) {
  for_each_seed(50, [](Rng& rng) {
    const Frame x = clean(rng), y = clean(rng);
    EXPECT_TRUE(doctor(x).findings.empty()) << text(doctor(x));
    EXPECT_TRUE(doctor(x, y).findings.empty()) << text(doctor(x, y));
    EXPECT_NE(text(doctor(x)).find("Nothing stands in the way"), std::string::npos);
  });
}

TEST(Doctor, FindsSentinelsOfEveryKind) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng);
    for (const std::size_t i : {3, 5, 8}) {
      x.columns[0].numbers[i] = -999;
      x.columns[4].numbers[i] = 0;
    }
    std::vector<std::string> cities = any_of(rng, 200, {"Paris", "Rome", "unknown"});
    x.columns[2] = words("city", cities);
    const Checkup found = doctor(x);
    EXPECT_EQ(typed(found, Ailment::sentinel, "height"), "--na -999 --missing level");
    EXPECT_NE(typed(found, Ailment::sentinel, "when").find("nullif(when, '1970-01-01')"), std::string::npos);
    EXPECT_EQ(typed(found, Ailment::sentinel, "city"), "--na 'unknown'");
    EXPECT_EQ(codes(found), std::set{Ailment::sentinel});
  });
}

// --na takes the value from every column: that nobody visited is no missing value.
TEST(Doctor, AdvisesNoOptionThatTakesTheValuesOfOtherColumns) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng);
    for (double& height : x.columns[0].numbers) height += 170;
    for (const std::size_t i : {3, 5, 8}) x.columns[0].numbers[i] = 0;
    x.columns[3].numbers[7] = 0;
    const std::string nullif = "\"sql:select nullif(height, 0) as height, ... from 'FILE'\" --missing level";
    EXPECT_EQ(typed(doctor(x), Ailment::sentinel, "height"), nullif);
    EXPECT_EQ(typed(doctor(clean(rng), x), Ailment::sentinel, "height"), nullif);
    for (double& visits : x.columns[3].numbers) visits += 100;
    EXPECT_EQ(typed(doctor(x), Ailment::sentinel, "height"), "--na 0 --missing level");
    x.columns[1].numbers[20] = 0;  // far outside, once: that is nobody's own either
    for (std::size_t i = 0; i < 200; ++i) x.columns[1].numbers[i] += i == 20 ? 0 : 80;
    EXPECT_EQ(typed(doctor(x), Ailment::sentinel, "height"), "--na 0 --missing level");
  });
}

TEST(Doctor, FindsCodesAndLeavesAmountsAlone) {
  for_each_seed(20, [](Rng& rng) {
    std::vector<double> zips, tens, few;
    const std::vector<double> known{10115, 20095, 50667, 60311, 70173, 80331, 1067};
    for (std::size_t i = 0; i < 200; ++i) {
      zips.push_back(known[rng.below(known.size())]);
      tens.push_back(10 * static_cast<double>(rng.below(12)));
      few.push_back(1 + static_cast<double>(rng.below(3)));
    }
    Frame x = clean(rng);
    x.columns.push_back(numbers("zip", zips));
    x.columns.push_back(numbers("tens", tens));
    x.columns.push_back(numbers("plan", few));
    const Checkup found = doctor(x);
    EXPECT_EQ(typed(found, Ailment::codes, "zip"), "--kinds zip=category");
    EXPECT_EQ(typed(found, Ailment::few_values, "plan"), "--kinds plan=category");
    EXPECT_EQ(found.findings.size(), 2u) << text(found);
    x.columns[5].is_given = x.columns[7].is_given = true;
    EXPECT_TRUE(doctor(x).findings.empty()) << "kinds that were set are not doubted";
  });
}

TEST(Doctor, FindsNumbersAndDatesAmongWords) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng);
  x.columns.push_back(words("price", any_of(rng, 200, {"1,50", "2,75", "10,00", "3,25"})));
  x.columns.push_back(words("text", any_of(rng, 200, {"1.5", "2.75", "10", "3.25"})));
  x.columns.push_back(words("mass", any_of(rng, 200, {"12 kg", "13.5 kg", "9 kg"})));
  x.columns.push_back(words("day", any_of(rng, 200, {"31/12/2024", "1/1/2025", "02/03/2025"})));
  x.columns.push_back(words("road", any_of(rng, 200, {"Route 66", "A7", "B1"})));
  x.columns.push_back(words("sum", any_of(rng, 200, {"2,817.63", "-1,200.00", "1,999.50"})));
  x.columns.push_back(words("rate", any_of(rng, 200, {"3.4%", "12.5%", "8.1%"})));
  const Checkup found = doctor(x);
  const auto says_one_of = [&](const std::string& column, std::initializer_list<std::string> numbers) {
    const Symptom* const of = find(found, Ailment::number_words, column);
    return of != nullptr && std::ranges::any_of(numbers, [&](const std::string& number) {
             return of->text.find("write plain numbers such as " + number) != std::string::npos;
           });
  };
  EXPECT_TRUE(says_one_of("sum", {"2817.63", "-1200.00", "1999.50"})) << text(found);
  EXPECT_TRUE(says_one_of("rate", {"3.4", "12.5", "8.1"})) << text(found);
  EXPECT_TRUE(says_one_of("mass", {"12", "13.5", "9"})) << text(found);
  EXPECT_FALSE(says_one_of("price", {"1.50", "2.75", "10.00", "3.25"})) << "the comma may be either sign";
  EXPECT_EQ(typed(found, Ailment::number_words, "price"), "") << "other columns have decimal points";
  EXPECT_EQ(typed(found, Ailment::number_words, "text"), "--kinds text=number");
  EXPECT_EQ(typed(found, Ailment::number_words, "mass"), "");
  EXPECT_EQ(typed(found, Ailment::number_words, "day"), "");
  EXPECT_EQ(found.findings.size(), 6u) << text(found);
}

TEST(Doctor, ShowsADateThatIsWrittenOtherwiseThanTheRest) {
  Rng rng(1, Purpose::test);
  std::vector<std::string> days = any_of(rng, 199, {"2024-03-01", "2024-03-02", "2024-03-03"});
  days.emplace_back("15/03/2024");
  Frame x = clean(rng);
  x.columns.push_back(words("day", days));
  const Checkup found = doctor(x);
  ASSERT_EQ(found.findings.size(), 1u) << text(found);
  EXPECT_NE(found.findings[0].text.find("such as '15/03/2024'"), std::string::npos) << text(found);
}

/// 200 rows of a column of these words, and one of whole numbers.
Frame with_words(Rng& rng, const std::vector<std::string>& levels) {
  std::vector<double> counts;
  for (std::size_t i = 0; i < 200; ++i) counts.push_back(static_cast<double>(rng.below(30)));
  return {.columns = {words("price", any_of(rng, 200, levels)), numbers("visits", counts)}};
}

TEST(Doctor, AdvisesDecimalCommasWhereTheyCanBeRead) {
  Rng rng(1, Purpose::test);
  const Frame commas = with_words(rng, {"1,50", "2,75", "10", "3,25"});
  EXPECT_EQ(typed(doctor(commas), Ailment::number_words, "price"), "--decimal ,");
  EXPECT_EQ(typed(doctor(commas, commas), Ailment::number_words, "price"), "--decimal ,");
  Frame points = commas;
  points.columns[0] = numbers("price", normals(rng, 200));
  const std::string beside = "motmot reference R X; motmot check R Y --decimal ,";
  EXPECT_EQ(typed(doctor(points, commas), Ailment::number_words, "price"), beside);
  EXPECT_EQ(typed(doctor(points, commas), Ailment::kinds_differ, "price"), beside);
  EXPECT_EQ(typed(doctor(commas, points), Ailment::kinds_differ, "price"),
            "motmot reference R Y; motmot check R X --decimal ,");
}

TEST(Doctor, TakesCommasThatMayStandBetweenThousandsForNoDecimals) {
  Rng rng(1, Purpose::test);
  const Frame x = with_words(rng, {"57,345", "61,200", "948"}),
              y = with_words(rng, {"1,057,345", "2,345", "7"});
  EXPECT_EQ(typed(doctor(x), Ailment::number_words, "price"), "");
  EXPECT_NE(text(doctor(x)).find("without a sign between thousands"), std::string::npos);
  EXPECT_EQ(typed(doctor(y), Ailment::number_words, "price"), "");
}

/// Numbers from 0 on, every k-th replaced.
Column spoilt(const std::string& name, const std::vector<std::string>& other, std::size_t every) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < 200; ++i)
    values.push_back(i % every == 1 ? other[i / every % other.size()] : std::to_string(i % 50) + ".25");
  return words(name, values);
}

TEST(Doctor, FindsWordsAmongNumbers) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  x.columns.push_back(spoilt("income", {"unknown", "unknown", "not said"}, 20));
  x.columns.push_back(spoilt("half", {"a", "b", "c", "d", "e", "f"}, 2));
  x.columns.push_back(spoilt("mass", {"12 kg"}, 10));
  x.columns.push_back(spoilt("city", {"Paris"}, 1));
  x.columns[4] = words("when", any_of(rng, 200, {"2024-01-31", "2024-02-01", "2024-02-02", "soon"}));
  const Checkup found = doctor(x);
  EXPECT_EQ(typed(found, Ailment::mixed, "income"),
            "--na 'unknown,not said' --kinds income=number --missing level");
  const std::string said = find(found, Ailment::mixed, "income")->text;
  EXPECT_NE(said.find("holds numbers, but 10 of its 200 values are words ('unknown', 'not said')"),
            std::string::npos)
      << said;
  EXPECT_EQ(typed(found, Ailment::mixed, "half"), "--kinds half=category");
  EXPECT_EQ(typed(found, Ailment::mixed, "when"), "--na 'soon' --kinds when=time --missing level");
  EXPECT_EQ(find(found, Ailment::mixed, "mass"), nullptr) << "numbers with a unit are another finding";
  EXPECT_EQ(find(found, Ailment::mixed, "city"), nullptr);
  for (Column& column : x.columns) column.is_given = true;
  EXPECT_EQ(find(doctor(x), Ailment::mixed, "income"), nullptr) << "kinds that were set are not doubted";
}

TEST(Doctor, SaysOfWordsAmongNumbersNotThatKindsDiffer) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  x.columns[1] = spoilt("weight", {"n.b."}, 20);
  const Checkup found = doctor(x, y);
  EXPECT_EQ(typed(found, Ailment::mixed, "weight"), "--na 'n.b.' --kinds weight=number --missing level");
  EXPECT_EQ(found.findings.size(), 1u) << text(found);
}

TEST(Doctor, TakesAmountsThatAreMostlyZeroForAmounts) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng, 2000);
  std::vector<double> costs(2000), zips;
  for (std::size_t i = 0; i < 40; ++i) costs[50 * i] = 137.0 * (1 + rng.below(1000));
  const std::vector<double> known{10115, 20095, 50667, 60311, 70173, 80331, 1067};
  for (std::size_t i = 0; i < 2000; ++i) zips.push_back(i % 2 == 0 ? 0 : known[rng.below(known.size())]);
  x.columns.push_back(numbers("cost", costs));
  x.columns.push_back(numbers("zip", zips));
  const Checkup found = doctor(x);
  EXPECT_EQ(find(found, Ailment::codes, "cost"), nullptr) << text(found);
  EXPECT_EQ(typed(found, Ailment::codes, "zip"), "--kinds zip=category");
}

TEST(Doctor, FindsSpellings) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng);
  x.columns[2] = words("city", any_of(rng, 200, {"Paris", "paris ", "Rome"}));
  (void)typed(doctor(x), Ailment::spellings, "city");
  EXPECT_EQ(doctor(x).findings.size(), 1u);
}

TEST(Doctor, FindsLevelsThatTwoTablesSpellInTheirOwnWay) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng), y = clean(rng);
    x.columns.push_back(words("news", any_of(rng, 200, {"yes", "no"})));
    y.columns.push_back(words("news", any_of(rng, 200, {"true", "false"})));
    y.columns[2] = words("city", any_of(rng, 200, {"PARIS", "Rome", "Oslo"}));
    const Checkup found = doctor(x, y);
    EXPECT_EQ(typed(found, Ailment::levels_apart, "news"), "--exclude news");
    const Symptom* const spelt = find(found, Ailment::spellings, "city");
    ASSERT_NE(spelt, nullptr) << text(found);
    EXPECT_EQ(spelt->text,
              "'city' has 'Paris' in X and 'PARIS' in Y, which are two levels: spell them alike");
    EXPECT_EQ(found.findings.size(), 2u) << text(found);
    x.columns.back() = words("news", any_of(rng, 200, {"yes", "no", "true"}));
    y.columns[2] = words("city", any_of(rng, 200, {"PARIS", "Paris", "Rome", "Oslo"}));
    EXPECT_EQ(find(doctor(x, y), Ailment::levels_apart, "news"), nullptr);
    EXPECT_EQ(doctor(x, y).findings.size(), 1u) << "two spellings in Y, of which X has one\n"
                                                << text(doctor(x, y));
  });
}

// Words that hardly come back have other levels in every table.
TEST(Doctor, ExpectsNoCommonLevelsOfWordsThatHardlyComeBack) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  std::vector<std::string> of_x, of_y;
  for (std::size_t i = 0; i < 200; ++i) {
    of_x.push_back("a" + std::to_string(rng.below(250)));
    of_y.push_back("b" + std::to_string(rng.below(250)));
  }
  x.columns.push_back(words("remark", of_x));
  y.columns.push_back(words("remark", of_y));
  EXPECT_TRUE(doctor(x, y).findings.empty()) << text(doctor(x, y));
}

TEST(Doctor, FindsIdentifiersAndConstants) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng);
  std::vector<double> ids(200);
  std::iota(ids.begin(), ids.end(), 1000.0);
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < 200; ++i) keys.push_back("key" + std::to_string(i * i));
  x.columns.push_back(numbers("id", ids));
  x.columns.push_back(words("key", keys));
  x.columns.push_back(words("land", std::vector<std::string>(200, "FR")));
  x.columns.push_back(numbers("nothing", std::vector<double>(200, NAN)));
  const Checkup found = doctor(x);
  EXPECT_EQ(typed(found, Ailment::identifier, "id"), "--exclude id");
  EXPECT_EQ(typed(found, Ailment::identifier, "key"), "--exclude key");
  EXPECT_EQ(typed(found, Ailment::constant, "land"), "--exclude land");
  EXPECT_EQ(typed(found, Ailment::constant, "nothing"), "--exclude nothing");
  EXPECT_EQ(found.findings.size(), 4u) << text(found);
  Frame y = x;
  y.columns[7] = words("land", std::vector<std::string>(200, "DE"));
  EXPECT_EQ(find(doctor(x, y), Ailment::constant, "land"), nullptr) << "another value in Y is a difference";
}

TEST(Doctor, FindsConstantsThatDiffer) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  x.columns.push_back(numbers("vat", std::vector<double>(200, 19)));
  y.columns.push_back(numbers("vat", std::vector<double>(200, 20)));
  x.columns.push_back(words("currency", std::vector<std::string>(200, "EUR")));
  y.columns.push_back(words("currency", std::vector<std::string>(200, "USD")));
  const Checkup found = doctor(x, y);
  EXPECT_EQ(typed(found, Ailment::constants_apart, "vat"), "--exclude vat");
  EXPECT_EQ(typed(found, Ailment::constants_apart, "currency"), "--exclude currency");
  EXPECT_EQ(found.findings.size(), 2u) << text(found);
  EXPECT_TRUE(found.findings[0].text.starts_with("'vat' is '19' in all rows of X and '20' in all rows of Y"));
  EXPECT_EQ(find(doctor(x, x), Ailment::constants_apart, "vat"), nullptr);
}

TEST(Doctor, FindsAnOddValueAmongEqualOnes) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng);
  x.columns.push_back(numbers("vat", std::vector<double>(200, 19)));
  x.columns.back().numbers[7] = 1900;
  EXPECT_EQ(typed(doctor(x), Ailment::odd_values, "vat"), "motmot outliers FILE");
  EXPECT_EQ(doctor(x).findings.size(), 1u) << text(doctor(x));
  for (double& value : x.columns.back().numbers) value = value == 19 ? 0 : 1;
  EXPECT_TRUE(doctor(x).findings.empty()) << "a flag: " << text(doctor(x));
}

TEST(Doctor, FindsDuplicatesAndTies) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng);
    for (Column& column : x.columns)
      for (std::size_t i = 0; i < 6; ++i) {
        if (column.kind == Kind::category) column.codes[100 + i] = column.codes[i];
        else column.numbers[100 + i] = column.numbers[i];
      }
    const Checkup found = doctor(x);
    (void)typed(found, Ailment::duplicates);
    EXPECT_NE(find(found, Ailment::duplicates)->text.find("6 rows"), std::string::npos);
    EXPECT_EQ(found.findings.size(), 1u);
    const Frame levels{
        .columns = {words("a", any_of(rng, 200, {"p", "q"})), words("b", any_of(rng, 200, {"r", "s"}))}};
    EXPECT_EQ(codes(doctor(levels)), std::set{Ailment::ties});
  });
}

TEST(Doctor, FindsUnitsWhereColumnsAreTakenAsTheyAre) {
  for_each_seed(10, [](Rng& rng) {
    Frame x{.columns = {numbers("height", normals(rng, 100)), numbers("income", normals(rng, 100))}};
    EXPECT_TRUE(doctor(x).findings.empty());
    for (double& value : x.columns[1].numbers) value *= 1000;
    EXPECT_EQ(typed(doctor(x), Ailment::units, "income"), "--scale robust");
    x.columns.push_back(words("city", any_of(rng, 100, {"Paris", "Rome"})));
    EXPECT_TRUE(doctor(x).findings.empty()) << "with a category, columns are divided by their spread";
  });
}

TEST(Doctor, FindsAUnitThatChanged) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng), y = clean(rng);
    for (double& value : x.columns[0].numbers) value = 68 + 3 * value;
    for (double& value : y.columns[0].numbers) value = 2.54 * (68 + 3 * value);
    (void)typed(doctor(x, y), Ailment::unit_change, "height");
    EXPECT_EQ(doctor(x, y).findings.size(), 1u) << text(doctor(x, y));
    for (double& value : y.columns[0].numbers) value = value / 2.54 + 100;  // moved, in the same unit
    EXPECT_TRUE(doctor(x, y).findings.empty()) << text(doctor(x, y));
  });
}

TEST(Doctor, FindsHeavyTails) {
  for_each_seed(10, [](Rng& rng) {
    Frame x = clean(rng, 400);
    for (double& value : x.columns[0].numbers) value = std::exp(1.5 * value);
    const Checkup found = doctor(x);
    EXPECT_NE(typed(found, Ailment::heavy_tail, "height").find("ln(height)"), std::string::npos);
    EXPECT_EQ(found.findings.size(), 1u) << text(found);
    x.columns[0].name = "body height";
    EXPECT_NE(typed(doctor(x), Ailment::heavy_tail, "body height").find(R"(ln(\"body height\"))"),
              std::string::npos);
  });
}

// Heights of which some are in inches: in logarithms these are even farther off.
TEST(Doctor, AdvisesALogarithmOnlyWhereItHelps) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng, 400);
  for (double& value : x.columns[0].numbers) value = 172 + 9 * value;
  for (std::size_t i = 0; i < 20; ++i) x.columns[0].numbers[i] /= 2.54;
  EXPECT_EQ(typed(doctor(x), Ailment::heavy_tail, "height"), "motmot outliers FILE");
  for (double& value : x.columns[1].numbers) value = std::exp(2 * value);
  EXPECT_NE(typed(doctor(x), Ailment::heavy_tail, "weight").find("select ln(weight) as weight"),
            std::string::npos);
  for (std::size_t i = 0; i < 4; ++i) x.columns[1].numbers[i] = -999;
  EXPECT_NE(typed(doctor(x), Ailment::heavy_tail, "weight").find("ln(case when weight > 0 then weight end)"),
            std::string::npos);
}

TEST(Doctor, SaysOfWhichTableANumberIsAndSumsUpWhatIsAlike) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  for (std::size_t i = 0; i < 3; ++i) x.columns[0].numbers[i] = -999;
  for (std::size_t i = 0; i < 7; ++i) y.columns[0].numbers[i] = -999;
  const std::string both = text(doctor(x, y));
  EXPECT_NE(both.find("in 3 rows (1.5 %)"), std::string::npos) << both;
  EXPECT_NE(both.find("Y likewise"), std::string::npos) << both;
  for (std::size_t j = 0; j < 30; ++j)
    x.columns.push_back(words("land" + std::to_string(j), std::vector<std::string>(200, "FR")));
  const std::string many = text(doctor(x));
  EXPECT_NE(many.find("7. and 25 findings more like these."), std::string::npos) << many;
  EXPECT_EQ(many.find("land6"), std::string::npos) << many;
}

TEST(Doctor, FindsMissingValuesFewRowsAndKindsThatDiffer) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng), y = clean(rng);
  x.columns[0].numbers[3] = NAN;
  EXPECT_EQ(typed(doctor(x), Ailment::missing, "height"), "--missing level");
  y.columns[1] = words("weight", any_of(rng, 200, {"light", "heavy"}));
  const Checkup both = doctor(x, y);
  EXPECT_EQ(typed(both, Ailment::kinds_differ, "weight"), "--kinds weight=category");
  EXPECT_EQ(both.findings.front().code, Ailment::kinds_differ) << "the worst comes first";
  x.columns[1] = words("weight", any_of(rng, 200, {"true", "false"}));
  EXPECT_EQ(typed(doctor(x, y), Ailment::levels_apart, "weight"), "--exclude weight");
  for (double& visits : y.columns[3].numbers) visits = visits < 9 ? 0 : 1;
  x.columns[3] = words("visits", any_of(rng, 200, {"true", "false"}));
  const std::string cast = "\"sql:select visits = 1 as visits, ... from ";
  EXPECT_EQ(typed(doctor(x, y), Ailment::kinds_differ, "visits"), cast + "'Y'\"");
  EXPECT_EQ(typed(doctor(y, x), Ailment::kinds_differ, "visits"), cast + "'X'\"");
  (void)typed(doctor(clean(rng, 7)), Ailment::few_rows);
  EXPECT_NE(text(doctor(clean(rng, 7), clean(rng, 8))).find("1. X has 7 rows: below 10"), std::string::npos);
}

TEST(Doctor, FindsAColumnThatIsMissingInOneTableAlone) {
  Rng rng(1, Purpose::test);
  const Frame x = clean(rng);
  Frame y = clean(rng);
  std::ranges::fill(y.columns[0].numbers, NAN);
  for (const Checkup& both : {doctor(x, y), doctor(y, x)}) {
    EXPECT_EQ(typed(both, Ailment::missing, "height"), "--missing level");
    EXPECT_EQ(both.findings.size(), 1u) << text(both);
  }
  EXPECT_NE(text(doctor(x, y)).find("'height' is missing in all rows of Y: distance"), std::string::npos);
  EXPECT_EQ(find(doctor(y, y), Ailment::missing, "height"), nullptr);
  EXPECT_EQ(find(doctor(y), Ailment::missing, "height"), nullptr);
  (void)typed(doctor(y), Ailment::constant, "height");
}

TEST(Doctor, ComplainsAboutTablesThatDoNotCorrespond) {
  Rng rng(1, Purpose::test);
  const Frame x = clean(rng);
  Frame y = clean(rng);
  y.columns.pop_back();
  EXPECT_NE(error_of([&] { (void)doctor(x, y); }).find("got 5 and 4"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)doctor(Frame{}); }).find("X has no rows"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)doctor(x, Frame{}); }).find("Y has no rows"), std::string::npos);
}

TEST(Doctor, PutsTheWorstFirst) {
  Rng rng(1, Purpose::test);
  Frame x = clean(rng);
  x.columns.push_back(words("land", std::vector<std::string>(200, "FR")));
  for (std::size_t i = 0; i < 20; ++i) x.columns[1].numbers[i] = 9999;
  for (std::size_t i = 0; i < 3; ++i) x.columns[0].numbers[i] = -999;
  const Checkup found = doctor(x);
  ASSERT_EQ(found.findings.size(), 3u) << text(found);
  EXPECT_EQ(found.findings[0].column, "weight");
  EXPECT_EQ(found.findings[1].column, "height");
  EXPECT_EQ(found.findings[2].column, "land");
}

TEST(Forecast, GrowsWithTheRowsAndIsThatOfRunsThatWereMeasured) {
  const auto seconds = [](std::size_t n, std::size_t d) { return forecast(n, n, d).front().seconds; };
  for (const std::size_t d : {1u, 10u, 100u})
    for (std::size_t n = 100; n < 100000; n *= 2) EXPECT_LT(seconds(n, d), seconds(2 * n, d));
  EXPECT_NEAR(std::log(seconds(2000, 10)), std::log(1.31), std::log(3.0));  // bench/forecast.py
  EXPECT_NEAR(std::log(seconds(8000, 2)), std::log(7.15), std::log(3.0));
  EXPECT_EQ(forecast(100, 200, 3).front().seconds, forecast(200, 100, 3).front().seconds);
}

}  // namespace
}  // namespace motmot
