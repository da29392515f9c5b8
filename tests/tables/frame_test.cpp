#include <charconv>

#include "data/bytes.hpp"
#include "data/csv_text.hpp"
#include "data/times.hpp"
#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::TempDir;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

class ReadFrame : public testing::Test {
 protected:
  Frame read(const std::string& text, const ReadOptions& options = {}, const std::string& file = "a.csv") {
    test::write_file(dir_ / file, text);
    return read_frame(dir_ / file, options);
  }
  /// Without the folder, which is new every time.
  std::string complaint(const std::string& text, const ReadOptions& options = {}) {
    const std::string all = error_of([&] { (void)read(text, options); });
    const std::size_t at = all.find("a.csv'");
    return at == std::string::npos ? all : all.substr(at + 6);
  }
  TempDir dir_;
};

std::vector<Kind> kinds_of(const Frame& frame) {
  std::vector<Kind> kinds;
  for (const Column& column : frame.columns) kinds.push_back(column.kind);
  return kinds;
}

Strings texts_of(const Column& column) {
  Strings texts;
  for (std::size_t i = 0; i < column.rows(); ++i) texts.push_back(cell_text(column, i));
  return texts;
}

TEST_F(ReadFrame, FindsTheKindsOfAMessyText) {
  const Frame frame = read(
      "\xef\xbb\xbfname ; age;when;ok;code;\"no;te\"\r\n"
      "Ann;;2024-01-31;TRUE;7;\r\n"
      "\r\n"
      "\"B\"\"ob\"; 12.5 ;2024-01-31T06:00:00Z;true;A7;\"two\nlines\"\r\n"
      "  Ann ;NA;?;False;C07;x\r\n"
      "null;-3e2;2024-02-01 00:00+01:00;;B;inf\r\n",
      {.missing = Missing::level});
  EXPECT_EQ(kinds_of(frame), (std::vector<Kind>{Kind::category, Kind::number, Kind::time, Kind::category,
                                                Kind::category, Kind::category}));
  EXPECT_EQ(frame.columns[0].name, "name");
  EXPECT_EQ(frame.columns[5].name, "no;te");
  EXPECT_EQ(texts_of(frame.columns[0]), (Strings{"Ann", "B\"ob", "Ann", "(missing)"}));
  EXPECT_EQ(frame.columns[0].levels, (Strings{"Ann", "B\"ob"}));
  EXPECT_EQ(texts_of(frame.columns[1]), (Strings{"(missing)", "12.5", "(missing)", "-300"}));
  EXPECT_EQ(texts_of(frame.columns[2]),
            (Strings{"2024-01-31", "2024-01-31T06:00:00Z", "(missing)", "2024-01-31T23:00:00Z"}));
  EXPECT_EQ(texts_of(frame.columns[3]), (Strings{"true", "true", "false", "(missing)"}));
  EXPECT_EQ(texts_of(frame.columns[4]), (Strings{"7", "A7", "C07", "B"})) << "words that began like numbers";
  EXPECT_EQ(texts_of(frame.columns[5]), (Strings{"(missing)", "two\nlines", "x", "(missing)"}));
  EXPECT_FALSE(frame.columns[1].is_whole);
}

// The plain twin: the texts of the cells, one by one. Long texts do not fit into the reader's window.
TEST_F(ReadFrame, GivesWhatWasWritten) {
  test::for_each_seed(30, [this](Rng& rng) {
    const std::size_t n = rng.below(3) == 0 ? 20000 : 3 + rng.below(500), d = 1 + rng.below(4);
    std::vector<Strings> cells(d, Strings(n));
    std::vector<Kind> kinds(d);
    for (std::size_t j = 0; j < d; ++j) {
      kinds[j] = std::array{Kind::number, Kind::category, Kind::time}[rng.below(3)];
      for (std::string& cell : cells[j]) {
        const double value = static_cast<double>(rng.below(1000)) / 8;
        cell = kinds[j] == Kind::time ? time_text(7200 * value)
               : kinds[j] == Kind::category
                   ? "w" + std::to_string(rng.below(9)) + (rng.below(2) == 0 ? "," : "\n")
                   : std::to_string(rng.below(100)) + ".5";
        if (rng.below(10) == 0) cell = "";
      }
      cells[j][0] = kinds[j] == Kind::time ? "2024-01-31" : kinds[j] == Kind::category ? "first" : "0.5";
    }
    std::string text = "a,b,c,d\n";
    text.resize(2 * d);
    text.back() = '\n';
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) text += quoted_if_needed(cells[j][i]) + (j + 1 < d ? "," : "\n");
    if (d == 1)
      for (std::string& cell : cells[0])
        if (cell.empty()) cell = "blank lines are skipped";
    std::erase(cells[0], "blank lines are skipped");
    const Frame frame = read(text, {.missing = Missing::level});
    EXPECT_EQ(kinds_of(frame), kinds);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::string& cell : cells[j])
        if (cell.empty()) cell = "(missing)";
      EXPECT_EQ(texts_of(frame.columns[j]), cells[j]);
    }
  });
}

TEST_F(ReadFrame, TakesKindsThatAreSet) {
  const std::string text = "zip,when,n\n007,2024-01-31,1\n7,2024-02-01,2\n";
  const Frame frame = read(text, {.kinds = {{"zip", Kind::category}, {"2", Kind::category}}});
  EXPECT_EQ(texts_of(frame.columns[0]), (Strings{"007", "7"})) << "as it is spelt";
  EXPECT_EQ(kinds_of(frame), (std::vector<Kind>{Kind::category, Kind::category, Kind::number}));
  EXPECT_TRUE(frame.columns[0].is_given && frame.columns[1].is_given && !frame.columns[2].is_given);
  EXPECT_TRUE(frame.columns[2].is_whole);
  EXPECT_EQ(
      complaint(text, {.kinds = {{"when", Kind::number}}}),
      ", row 1 (line 2), column 2 'when': '2024-01-31' is not a number; --kinds says that the column holds "
      "nothing else");
  EXPECT_EQ(
      complaint(text, {.kinds = {{"n", Kind::time}}}),
      ", row 1 (line 2), column 3 'n': '1' is not a time such as 2024-01-31T12:30:00Z; --kinds says that the "
      "column holds nothing else");
  EXPECT_EQ(complaint(text, {.exclude = {"n"}, .kinds = {{"n", Kind::time}}}).substr(0, 17),
            ", which is not re");
  EXPECT_EQ(complaint(text, {.kinds = {{"city", Kind::category}}}),
            " has no column 'city'; its columns are 'zip', 'when', 'n'");
}

TEST_F(ReadFrame, RefusesNumbersWithAFewWordsAmongThem) {
  EXPECT_EQ(complaint("x,y\n1,2\n3,4\n5,abc\n"),
            ", row 3 (line 4), column 2 'y': 'abc' is not a number; half of the column or more are: --na "
            "makes it a "
            "missing value, --kinds y=category takes them all as they are spelt");
  EXPECT_EQ(complaint("x\nabc\n1\n2\n3\n").substr(0, 50),
            ", row 1 (line 2), column 1 'x': 'abc' is not a num")
      << "also where the word comes first";
  EXPECT_EQ(complaint("t\n2024-01-31\n2024-02-30\n").substr(0, 64),
            ", row 2 (line 3), column 1 't': '2024-02-30' is not a time such ");
  EXPECT_EQ(complaint("x;y\n1,5;2\n2,5;3\n"),
            ", row 1 (line 2), column 1 'x': '1,5' is not a number; --decimal , reads "
            "numbers like this");
  EXPECT_EQ(texts_of(read("x\n1\nabc\n2\nb\nc\n").columns[0]), (Strings{"1", "abc", "2", "b", "c"}))
      << "fewer numbers than words";
  EXPECT_EQ(texts_of(read("x\n1\nabc\n2\n", {.missing = Missing::drop, .na = {"abc"}}).columns[0]),
            (Strings{"1", "2"}));
}

TEST_F(ReadFrame, HasARuleForMissingValues) {
  const std::string text = "city,x\nParis,1\n,2\nRome,NA\n";
  EXPECT_EQ(complaint(text),
            ", row 3 (line 4), column 2 'x': missing value 'NA'; --missing level makes it something to "
            "compare, --missing drop leaves such rows out");
  const Frame dropped = read(text, {.missing = Missing::drop});
  EXPECT_EQ(dropped.n(), 1u);
  EXPECT_EQ(dropped.rows_dropped, 2u);
  EXPECT_EQ(read("city,x\nParis,1\n,2\n").columns[0].codes, (std::vector<std::uint32_t>{0, Column::no_level}))
      << "a category has a level for it";
  EXPECT_EQ(complaint("x,y\n,1\n,2\n").substr(0, 50), ", row 1 (line 2), column 1 'x': missing value ''; ");
  const Frame none = read("x,y\n,1\n,2\n", {.missing = Missing::level});
  EXPECT_TRUE(std::isnan(none.columns[0].numbers[1]));
}

TEST_F(ReadFrame, TakesValuesForNoHeader) {
  EXPECT_EQ(read("2024-01-31,true,1\n2024-02-01,false,2\n").n(), 2u);
  EXPECT_EQ(read("Paris,1\nRome,2\n").n(), 1u) << "words are a header";
  EXPECT_EQ(read("Paris,1\nRome,2\n", {.kinds = {{"1", Kind::category}}}).n(), 2u)
      << "unless they are known to be values";
}

TEST_F(ReadFrame, ReadsArraysAsNumbersUnlessTheirKindIsSet) {
  const std::string bytes = test::npy("<f8", "(2, 2)", test::elements<double>({1, 2, NAN, 4}));
  EXPECT_NE(complaint(bytes, {}), "");
  const Frame frame = read(bytes, {.missing = Missing::level, .kinds = {{"2", Kind::category}}}, "a.npy");
  EXPECT_EQ(kinds_of(frame), (std::vector<Kind>{Kind::number, Kind::category}));
  EXPECT_TRUE(std::isnan(frame.columns[0].numbers[1]));
  EXPECT_EQ(texts_of(frame.columns[1]), (Strings{"2", "4"}));
}

TEST_F(ReadFrame, IsReadTableWhereAllIsNumbers) {
  test::for_each_seed(20, [this](Rng& rng) {
    const Points points = test::gaussian(rng, 1 + rng.below(2000), 1 + rng.below(5));
    write_csv(dir_ / "n.csv", points);
    const Table table = read_table(dir_ / "n.csv");
    const Frame frame = read_frame(dir_ / "n.csv");
    ASSERT_EQ(frame.columns.size(), table.points.cols());
    for (std::size_t j = 0; j < frame.columns.size(); ++j) {
      EXPECT_EQ(frame.columns[j].name, table.columns[j]);
      for (std::size_t i = 0; i < frame.n(); ++i) ASSERT_EQ(frame.columns[j].numbers[i], table.points(i, j));
    }
  });
}

TEST_F(ReadFrame, ReadsOrComplainsWhateverTheTextIs) {
  test::for_each_seed(400, [this](Rng& rng) {
    const std::array<std::string, 14> parts{",",    ",",  "\n", "\n",     "1", "x", "2024-01-31",
                                            "true", "NA", "\"", "-9.5e3", " ", ";", "\xff"};
    std::string text = rng.below(2) == 0 ? "a,b\n" : "";
    for (std::size_t i = rng.below(60); i > 0; --i) text += parts[rng.below(parts.size())];
    const auto missing = std::array{Missing::error, Missing::drop, Missing::level}[rng.below(3)];
    try {
      const Frame frame = read(text, {.missing = missing});
      for (const Column& column : frame.columns) {
        ASSERT_EQ(column.rows(), frame.n());
        for (const std::uint32_t code : column.codes)
          ASSERT_TRUE(code == Column::no_level || code < column.levels.size());
      }
      (void)learn_coding(frame, frame, {.missing = Missing::level});
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  });
}

TEST(Settled, SetsKindsAndLeavesRowsOut) {
  const Frame frame{
      .columns = {
          {.name = "id", .numbers = {1, 2.5, NAN}},
          {.name = "day", .kind = Kind::category, .codes = {0, 1, 0}, .levels = {"2024-01-01", "2024-01-02"}},
          {.name = "size", .kind = Kind::category, .codes = {0, 1, 0}, .levels = {"12", "7"}}}};
  const Frame set = settled(
      frame, {.missing = Missing::level, .kinds = {{"id", Kind::category}, {"size", Kind::number}}}, "X");
  EXPECT_EQ(texts_of(set.columns[0]), (Strings{"1", "2.5", "(missing)"}));
  EXPECT_EQ(set.columns[1].kind, Kind::time) << "words that are all times";
  EXPECT_EQ(set.columns[2].numbers, (Doubles{12, 7, 12}));
  const Frame dropped = settled(frame, {.missing = Missing::drop}, "X");
  EXPECT_EQ(dropped.n(), 2u);
  EXPECT_EQ(dropped.rows, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(error_of([&] { (void)settled(frame, {}, "X"); }),
            "X, row 3, column 'id': missing value; --missing level makes it something to compare, --missing "
            "drop leaves "
            "such rows out");
  EXPECT_EQ(error_of([&] {
              (void)settled(frame, {.missing = Missing::level, .kinds = {{"day", Kind::number}}}, "X");
            }),
            "X, row 1, column 'day': '2024-01-01' is not a number");
}

// The place of a level that is not there was read, for a complaint that nobody made.
TEST(Settled, ReadsWordsAsNumbersWhereSomeAreMissing) {
  const Frame frame{.columns = {{.name = "temp",
                                 .kind = Kind::category,
                                 .codes = {0, Column::no_level, 1, 2},
                                 .levels = {"1.5", "2.5", "-"}}}};
  const Frame set =
      settled(frame, {.missing = Missing::level, .na = {"-"}, .kinds = {{"temp", Kind::number}}}, "X");
  EXPECT_EQ(texts_of(set.columns[0]), (Strings{"1.5", "(missing)", "2.5", "(missing)"}));
}

}  // namespace
}  // namespace motmot
