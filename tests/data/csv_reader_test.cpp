#include <charconv>
#include <cmath>
#include <cstdlib>

#include "data/bytes.hpp"
#include "data/csv_text.hpp"

namespace motmot {
namespace {

using test::Files;
using test::for_each_seed;
using Strings = std::vector<std::string>;
using Doubles = std::vector<double>;

TEST(ReadCsv, TakesTheFirstLineAsHeaderIfItHasText) {
  Files files;
  const Table with = files.read("a.csv", "x,y\n1,2\n3,4\n");
  EXPECT_EQ(with.columns, (Strings{"x", "y"}));
  EXPECT_EQ(with.points.values(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(with.points.cols(), 2u);
  const Table without = files.read("b.csv", "1,2\n3,4\n");
  EXPECT_EQ(without.columns, (Strings{"1", "2"}));
  EXPECT_EQ(without.points.rows(), 2u);
  EXPECT_TRUE(without.weights.empty() && without.rows.empty());
  EXPECT_EQ(without.source_row(1), 2u);
}

TEST(ReadCsv, LooksForAHeaderInTheChosenColumnsOnly) {
  Files files;
  const std::string labelled = "setosa,1,2\nvirginica,3,4\n";
  EXPECT_EQ(files.values("a.csv", labelled, {.exclude = {"1"}}), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", labelled, {.columns = {"3", "2"}}), (Doubles{2, 1, 4, 3}));
  EXPECT_EQ(files.values("a.csv", "species,1,2\nsetosa,3,4\n", {.exclude = {"species"}}), (Doubles{3, 4}));
  EXPECT_EQ(files.values("a.csv", "x,7\n1,2\n", {.columns = {"7"}}), (Doubles{2}));
}

TEST(ReadCsv, PrefersANameToANumber) {
  Files files;
  const std::string text = "3,x,2\n10,20,30\n";
  EXPECT_EQ(files.values("a.csv", text, {.columns = {"2"}}), (Doubles{30}));
  EXPECT_EQ(files.values("a.csv", text, {.columns = {"x", "3"}}), (Doubles{20, 10}));
}

TEST(ReadCsv, ReadsTabsSemicolonsAndCommas) {
  Files files;
  EXPECT_EQ(files.values("a.csv", "1\t2\n3\t4"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", "1;2\n3;4"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.tsv", "a,b\tc\n1\t2\n"), (Doubles{1, 2}));
  EXPECT_EQ(files.read("a.csv", "\"a;b\",c\n1,2\n").columns, (Strings{"a;b", "c"}));
  EXPECT_EQ(files.read("a.csv", "\"\",c,\n1,2,3\n").columns, (Strings{"1", "c", "3"}));
  EXPECT_EQ(files.values("noname", "1,2\n"), (Doubles{1, 2}));
}

TEST(ReadCsv, FindsPipesAndBlanksWhereTheFirstTwoLinesHaveThem) {
  Files files;
  EXPECT_EQ(files.values("a.csv", "x|y\n1|2\n3|4\n"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.txt", "x y\n1 2\n3 4\n"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.txt", "  x   y\n\n  1   2  \n 30 4\n   \n"), (Doubles{1, 2, 30, 4}));
  EXPECT_EQ(files.values("a.txt", "1 2 3\r\n4  5 6\r\n"), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(files.values("a.txt", "1 2 3"), (Doubles{1, 2, 3}));
  const Table quoted = files.read("a.txt", "\"a b\" \"c\"\n1 \"2\"\n");
  EXPECT_EQ(quoted.columns, (Strings{"a b", "c"}));
  EXPECT_EQ(quoted.points.values(), (Doubles{1, 2}));
  EXPECT_EQ(files.values("a.txt.gz", test::gzip("x y\n1 2\n")), (Doubles{1, 2}));
}

TEST(ReadCsv, LeavesNamesOfOneColumnWhole) {
  Files files;
  for (const std::string name : {"body height", "a|b", "# x", "PAR1", "BZh"}) {
    const Table table = files.read("a.csv", name + "\n1.5\n 2\n");
    EXPECT_EQ(table.columns, (Strings{name}));
    EXPECT_EQ(table.points.values(), (Doubles{1.5, 2}));
  }
  EXPECT_EQ(files.read("a.csv", "height cm,PAR1|x\n1,2\n").columns, (Strings{"height cm", "PAR1|x"}));
}

TEST(ReadCsv, TakesTheSeparatorThatIsTold) {
  Files files;
  const std::string text = "a,b|c;d\n1|2\n";
  EXPECT_EQ(files.read("a.csv", text, {.separator = "|"}).columns, (Strings{"a,b", "c;d"}));
  EXPECT_EQ(files.read("a.csv", text, {.separator = "pipe"}).columns, (Strings{"a,b", "c;d"}));
  EXPECT_EQ(files.values("a.tsv", "1:2\n3:4\n", {.separator = ":"}), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", "1 2\n3\t4\n", {.separator = "space"}), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", "1\t2\n", {.separator = "tab"}), (Doubles{1, 2}));
  EXPECT_EQ(files.read("a.csv", "a \"b c\" d\n1 2 3\n", {.separator = "space"}).columns,
            (Strings{"a", "b c", "d"}));
  EXPECT_EQ(files.complaint("a.csv", "1\n", {.separator = "tabs"}),
            "--separator must be tab, space, comma, semicolon, pipe or a sign such as ':'; got 'tabs'");
  EXPECT_EQ(files.complaint("a.csv", "1 2\n3\n", {.separator = "space"}),
            "'a.csv', row 2 (line 2): 1 field where the first line has 2");
}

TEST(ReadCsv, ReadsDecimalCommas) {
  Files files;
  const Doubles expected = {1.5, -2, 0.25, 1e3};
  for (const std::string sign : {";", "\t", " ", "|"}) {
    const std::string text = "1,5" + sign + "-2\n,25" + sign + "1,0e3\n";
    EXPECT_EQ(files.values("a.csv", text, {.decimal = ','}), expected) << sign;
    EXPECT_EQ(files.values("a.csv", "x" + sign + "y\n" + text, {.decimal = ','}), expected) << sign;
  }
  EXPECT_EQ(files.values("a.csv", "1,5\n2,5\n", {.decimal = ','}), (Doubles{1.5, 2.5}));
  EXPECT_EQ(files.values("a.csv", "x,5;y\n1,5;2\n", {.decimal = ','}), (Doubles{1.5, 2}));
  EXPECT_EQ(files.complaint("a.csv", "1\n", {.decimal = 'x'}), "--decimal must be '.' or ','; got 'x'");
  EXPECT_EQ(
      files.complaint("a.csv", "x;y\n1,5;2\n"),
      "'a.csv', row 1 (line 2), column 1 'x': '1,5' is not a number; --decimal , reads numbers like this");
  EXPECT_NE(files.complaint("a.csv", "x;y\n1,500;2\n").find("must be written without the sign"),
            std::string::npos);
  EXPECT_EQ(files.complaint("a.csv", "1;2\n1.5;2\n", {.decimal = ','}),
            "'a.csv', row 2 (line 2), column 1: '1.5' is not a number; --decimal . reads numbers like this");
}

TEST(ReadCsv, ReadsQuotedDecimalCommasBetweenCommas) {
  Files files;
  const Doubles expected = {7.5, -2, 3, 0.25};
  const std::string rows = "\"7,5\",-2\n3,\" ,25 \"\n";
  for (const char* const separator : {"", ",", "comma"})
    for (const char* const header : {"", "x,y\n", "\"x,1\",y\n"}) {
      const std::string text = header + rows;
      EXPECT_EQ(files.values("a.csv", text, {.separator = separator, .decimal = ','}), expected) << text;
    }
  EXPECT_EQ(files.values("a.csv", "1,2\n3,4\n", {.separator = ",", .decimal = ','}), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", "x,y;z\n1,5;2\n", {.decimal = ','}), (Doubles{1.5, 2}));
  EXPECT_EQ(files.values("a.csv", "x,y|z\n1,5|2\n", {.decimal = ','}), (Doubles{1.5, 2}));
  EXPECT_EQ(files.complaint("a.csv", "x,y\n1,5,2,5\n", {.decimal = ','}),
            "'a.csv', row 1 (line 2): 4 fields where the first line has 2");
  EXPECT_EQ(
      files.complaint("a.csv", "x,y\n1.5,2\n", {.decimal = ','}),
      "'a.csv', row 1 (line 2), column 1 'x': '1.5' is not a number; --decimal . reads numbers like this");
}

TEST(ReadCsv, AdvisesNoOtherDecimalSignWhereNumbersHaveThisOne) {
  Files files;
  const std::string
      start = "'a.csv', row 1 (line 2), column ",
      end =
          "; other numbers of the file have '.' as their decimal sign: write all of them alike, and "
          "thousands without a sign";
  EXPECT_EQ(files.complaint("a.csv", "price,amount\n18.06,\"57,345\"\n"),
            start + "2 'amount': '57,345' is not a number" + end);
  EXPECT_EQ(files.complaint("a.csv", "x;y\n1;2.5\n1,5;2\n").find("--decimal ,"), std::string::npos);
}

// Every number comes out the same to the last bit, whichever sign its decimals have.
TEST(ReadCsv, ReadsTheSameNumbersInEveryDialect) {
  Files files;
  for_each_seed(60, [&](Rng& rng) {
    const std::size_t d = 2 + rng.below(4);
    std::string text;
    for (std::size_t i = 0; i < 2 + rng.below(30); ++i)
      for (std::size_t j = 0; j < d; ++j) {
        char digits[32];
        const double value = rng.normal() * std::pow(10, static_cast<int>(rng.below(40)) - 20);
        const int precision = 1 + static_cast<int>(rng.below(17));
        text.append(digits,
                    std::to_chars(digits, digits + 32, value, std::chars_format::general, precision).ptr);
        text += j + 1 < d ? ',' : '\n';
      }
    const Doubles expected = files.values("a.csv", text);
    for (const char separator : {'\t', ';', '|', ' '})
      for (const char decimal : {'.', ','}) {
        std::string other = text;
        for (char& c : other) c = c == ',' ? separator : c == '.' ? decimal : c;
        EXPECT_EQ(files.values("a.txt", other, {.decimal = decimal}), expected) << separator << decimal;
      }
  });
}

TEST(ReadCsv, SkipsCommentsOnRequest) {
  Files files;
  const std::string text = "# made by hand\n#\nx,y\n  # one\n1,2\n# 3,4\n\n5,#N/A\n7,8\n#";
  const Table table = files.read("a.csv", text, {.exclude = {"y"}, .comment = "#"});
  EXPECT_EQ(table.columns, (Strings{"x"}));
  EXPECT_EQ(table.points.values(), (Doubles{1, 5, 7}));
  EXPECT_EQ(
      files.complaint("a.csv", text, {.comment = "#"}),
      "'a.csv', row 2 (line 8), column 2 'y': missing value '#N/A'; --missing drop leaves such rows out");
  EXPECT_EQ(files.values("a.csv", "// a\n/1\n//2\n3\n", {.comment = "//"}), (Doubles{3}));
  EXPECT_EQ(files.values("a.txt", "# x y\n1 2\n#\n3 4\n", {.comment = "#"}), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.complaint("a.csv", "#\n# a\n", {.comment = "#"}), "'a.csv' has no rows");
  EXPECT_EQ(files.complaint("a.csv", "1\n", {.comment = "\""}),
            "--comment must be a sign without blanks and quotes; got '\"'");
}

TEST(ReadCsv, SaysHowToSkipCommentsWhereItMeetsThem) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv", "x,y\n# a,b\n1,2\n"),
            "'a.csv', row 1 (line 2), column 1 'x': '# a' is not a number; --comment '#' skips such lines");
  for (const std::string text : {"# made by hand\nx,y\n", "x,y\n1,2\n# the end, of it all, we say\n"})
    EXPECT_NE(files.complaint("a.csv", text).find("--comment '#' skips"), std::string::npos);
}

TEST(ReadCsv, SkipsMoreCommentsThanFitInMemory) {
  Files files;
  std::string text;
  while (text.size() < (20u << 20)) text += "# a line that says nothing, and says it slowly\n\n";
  EXPECT_EQ(files.values("a.csv", text + "1,2\n", {.comment = "#"}), (Doubles{1, 2}));
}

TEST(ReadCsv, TakesMoreWordsAndNumbersAsMissing) {
  Files files;
  const ReadOptions options{.missing = Missing::drop, .na = {"-999", "unknown"}};
  const std::string text = "x,y\n1,2\n-999,3\n4,unknown\n5,-999.0\n-9.99e2,6\n\"-999\",7\n8,9\n10,NA\n";
  EXPECT_EQ(files.values("a.csv", text, options), (Doubles{1, 2, 8, 9}));
  EXPECT_EQ(files.values("a.csv", "7,1\n2,3\n", {.missing = Missing::drop, .na = {"7"}}), (Doubles{2, 3}));
  EXPECT_EQ(files.complaint("a.csv", "1,2\n1,-999\n", {.na = {"-999"}}),
            "'a.csv', row 2 (line 2), column 2: missing value '-999'; --missing drop leaves such rows out");
  EXPECT_NE(files.complaint("a.csv", "x\n1\nUnknown\n", options).find("'Unknown' is not a number"),
            std::string::npos);
}

TEST(ReadCsv, UnderstandsQuotes) {
  Files files;
  const Table table = files.read("a.csv",
                                 "\"a \"\"b\"\"\", \"c,d\" ,\"e\nf\"\n"
                                 "\"1\",2,\"x, \"\"y\"\"\nz\"\n3,\"4\",\"\"\n",
                                 {.exclude = {"3"}});
  EXPECT_EQ(table.columns, (Strings{"a \"b\"", "c,d"}));
  EXPECT_EQ(table.points.values(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.read("a.csv", "5\" pipe,b\n1,2\n").columns, (Strings{"5\" pipe", "b"}));
}

TEST(ReadCsv, SkipsMarksBlankLinesAndBlanks) {
  Files files;
  EXPECT_EQ(files.read("a.csv", "\xef\xbb\xbfx,y\r\n\r\n 1 ,\t+2\r\n   \r\n-.5,1e3\r\n\r\n").columns,
            (Strings{"x", "y"}));
  EXPECT_EQ(files.values("a.csv", "\n\nx,y\r\n\r\n 1 , +2\r\n   \r\n-.5,1e3\r\n\r\n"),
            (Doubles{1, 2, -.5, 1e3}));
  EXPECT_EQ(files.values("a.csv", "1,2\r3,4\r"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(files.values("a.csv", "7"), (Doubles{7}));
}

TEST(ReadCsv, KeepsWeightsOutOfThePoints) {
  Files files;
  const Table table = files.read("a.csv", "x,w,y\n1,0.5,2\n3,0,4\n", {.weights = "w"});
  EXPECT_EQ(table.points.values(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(table.weights, (Doubles{0.5, 0}));
  EXPECT_EQ(table.columns, (Strings{"x", "y"}));
  EXPECT_EQ(files.complaint("a.csv", "x,w\n1,1\n2,-3\n", {.weights = "w"}),
            "'a.csv', row 2, column 2 'w': the weight is -3; weights must be >= 0");
  EXPECT_EQ(files.complaint("a.csv", "1,0\n2,0\n", {.weights = "2"}), "'a.csv', column 2: all weights are 0");
}

TEST(ReadCsv, DropsRowsWithMissingValuesOnRequest) {
  Files files;
  const std::string text = "x,y,w\n1,2,1\nNA,3,1\n4,,1\n5,6,1\n7,inf,1\n8,9,nan\n10,1e999,1\n11,12,1\n";
  const Table table = files.read("a.csv", text, {.weights = "w", .missing = Missing::drop});
  EXPECT_EQ(table.points.values(), (Doubles{1, 2, 5, 6, 11, 12}));
  EXPECT_EQ(table.weights.size(), 3u);
  EXPECT_EQ(table.rows, (std::vector<std::uint64_t>{1, 4, 8}));
  EXPECT_EQ(table.rows_dropped, 5u);
  EXPECT_EQ(table.source_row(2), 8u);
  EXPECT_EQ(files.complaint("a.csv", "x\nNA\n?\n", {.missing = Missing::drop}),
            "'a.csv': all 2 rows have missing values, none is left");
}

TEST(ReadCsv, NamesThePlaceOfAMissingValue) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv", "x,y\n1,2\n\n3,\n"),
            "'a.csv', row 2 (line 4), column 2 'y': missing value ''; --missing drop leaves such rows out");
  for (const std::string token :
       {"NA", "n/a", "NaN", "-nan", "null", "None", "inf", "-Infinity", "?", "1e400"})
    EXPECT_EQ(files.complaint("a.csv", "1,2\n3," + token + "\n"),
              "'a.csv', row 2 (line 2), column 2: missing value '" + token +
                  "'; --missing drop leaves such rows out");
}

TEST(ReadCsv, NamesThePlaceOfText) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv", "x,y\n\"1\n\",2\n"),
            "'a.csv', row 1 (line 2), column 1 'x': '1\\x0a' is not a number; choose columns with --columns, "
            "or leave this one out with --exclude");
  EXPECT_EQ(files.complaint("a.csv", "x,y,z\n1,2,\"a\nb\"\n1,abc,3\n", {.exclude = {"z"}}),
            "'a.csv', row 2 (line 4), column 2 'y': 'abc' is not a number; choose columns with --columns, or "
            "leave this one out with --exclude");
  EXPECT_EQ(files.complaint("a.csv", "1,2\n1,2x\n", {.missing = Missing::drop}),
            "'a.csv', row 2 (line 2), column 2: '2x' is not a number; choose columns with --columns, or "
            "leave this one out with --exclude");
  EXPECT_EQ(files.complaint("a.csv", "1\nabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"),
            "'a.csv', row 2 (line 2), column 1: 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...' is not a number"
            "; --separator tells what stands between columns, where there are several");
}

TEST(ReadCsv, RefusesRaggedRows) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv", "x,y\n1,2\n3\n"),
            "'a.csv', row 2 (line 3): 1 field where the first line has 2");
  EXPECT_EQ(files.complaint("a.csv", "x,y\n1,2,3\n"),
            "'a.csv', row 1 (line 2): 3 fields where the first line has 2");
}

TEST(ReadCsv, RefusesWhatIsNotATable) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv", ""), "'a.csv' is empty");
  EXPECT_EQ(files.complaint("a.csv", "\n \n"), "'a.csv' has no rows");
  EXPECT_EQ(files.complaint("a.csv", "x,y\n"), "'a.csv' has no rows");
  EXPECT_EQ(files.complaint("a.csv", "x,y\n1,2\n\"3,4\n"),
            "'a.csv', row 2 (line 3): a quote is opened and never closed");
  EXPECT_EQ(files.complaint("a.csv", "\"x,y\n1,2\n"),
            "'a.csv', row 1 (line 1): a quote is opened and never closed");
  EXPECT_EQ(files.complaint("a.csv",
                            "\xff\xfe"
                            "1"),
            "'a.csv' is UTF-16 text; it must be UTF-8");
  EXPECT_EQ(files.complaint("a.csv", std::string("\x7f"
                                                 "ELF\0\0",
                                                 6)),
            "'a.csv' is neither text nor a format that is known (.npy, .npz, IDX)");
}

TEST(ReadCsv, RefusesColumnsThatAreNotThere) {
  Files files;
  const std::string text = "x,y,x\n1,2,3\n";
  EXPECT_EQ(files.complaint("a.csv", text, {.columns = {"z"}}),
            "'a.csv' has no column 'z'; its columns are 'x', 'y', 'x'");
  EXPECT_EQ(files.complaint("a.csv", text, {.exclude = {"4"}}),
            "'a.csv' has no column '4'; its columns are 1 to 3");
  EXPECT_EQ(files.complaint("a.csv", text, {.weights = "0"}),
            "'a.csv' has no column '0'; its columns are 1 to 3");
  EXPECT_EQ(files.complaint("a.csv", text, {.columns = {"99999999999999999999999"}}),
            "'a.csv' has no column '99999999999999999999999'; its columns are 1 to 3");
  EXPECT_EQ(files.complaint("a.csv", text, {.columns = {"18446744073709551617"}}),
            "'a.csv' has no column '18446744073709551617'; its columns are 1 to 3");
  EXPECT_EQ(files.complaint("a.csv", text, {.columns = {"x"}}),
            "'a.csv' has several columns 'x'; give the number of the one that is meant");
  EXPECT_EQ(files.complaint("a.csv", text, {.columns = {"y", "2"}}),
            "column 2 'y' of 'a.csv' is asked for twice");
  EXPECT_EQ(files.complaint("a.csv", text, {.exclude = {"1", "2", "3"}}),
            "no column of 'a.csv' is left to read");
  EXPECT_EQ(files.complaint("a.csv", "1,2\n", {.columns = {"y"}}),
            "'a.csv' has no column 'y': without a header, columns go by number, 1 to 2");
  try {
    static_cast<void>(files.read("a.csv", text, {.columns = {"z"}}));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
  }
}

// Whatever the window's edge cuts: numbers, quotes, CRLF, blank lines.
TEST(ReadCsv, ReadsRowsAcrossTheEdgesOfItsWindow) {
  Files files;
  for_each_seed(6, [&](Rng& rng) {
    const std::string line_end = rng.below(2) == 0 ? "\r\n" : "\n";
    const std::size_t d = rng.below(2) == 0 ? 3 : 40'000;  // rows shorter and longer than the window
    std::string text;
    Doubles expected;
    while (text.size() < 900'000) {
      for (std::size_t j = 0; j < d; ++j) {
        const double value = std::round(rng.normal() * 1e3) / (rng.below(2) == 0 ? 1e3 : 7);
        char digits[32];
        const std::string number(digits, std::to_chars(digits, digits + 32, value).ptr);
        text += j > 0 ? "," : "";
        text += rng.below(8) == 0 ? "\"" + number + "\"" : number;
        expected.push_back(value);
      }
      text += line_end;
      if (rng.below(5) == 0) text += line_end;
    }
    const Table table = files.read("a.csv", text);
    EXPECT_EQ(table.points.cols(), d);
    EXPECT_TRUE(table.points.values() == expected);
    EXPECT_TRUE(files.values("a.csv.gz", test::gzip(text)) == expected);
  });
}

TEST(ReadCsv, BoundsWhatOneLineMayHold) {
  Files files;
  const std::string commas(5u << 20, ',');
  EXPECT_EQ(files.complaint("a.csv", commas),
            "'a.csv', row 1 (line 1): more than 4194304 columns; a text can have no more, an .npy file can");
  EXPECT_EQ(files.complaint("a.csv.gz", test::gzip("1,2\n3,\"" + std::string(40u << 20, 'x'))),
            "'a.csv.gz', row 2 (line 2): more than 16 MB in one line; is a quote opened and never closed?");
}

TEST(ShortDecimal, AgreesWithStrtodToTheLastBit) {
  for_each_seed(20'000, [](Rng& rng) {
    std::string text = rng.below(2) == 0 ? "-" : "";
    const std::uint32_t whole = rng.below(9);
    const std::uint32_t decimals = rng.below(9);
    for (std::uint32_t i = 0; i < whole; ++i) text += static_cast<char>('0' + rng.below(10));
    if (decimals > 0) text += '.';
    for (std::uint32_t i = 0; i < decimals; ++i) text += static_cast<char>('0' + rng.below(10));
    double value = 0;
    const char* stop = short_decimal(text.c_str(), '.', value);
    ASSERT_EQ(stop != nullptr, 1 <= whole + decimals && whole + decimals <= 15) << text;
    if (stop == nullptr) return;
    EXPECT_EQ(*stop, '\0');
    EXPECT_EQ(value, std::strtod(text.c_str(), nullptr)) << text;
  });
}

TEST(Classify, TellsNumbersFromMissingValuesFromText) {
  double value = 0;
  for (const char* text : {"0", "-1", "+1", " 1.5e-3 ", "1e-400", "1.", ".5"})
    EXPECT_EQ(classify(text, {}, value), Cell::number) << text;
  for (const char* text : {"", "  ", "NA", "nan", "#N/A", "+inf", "NULL", "1e999"})
    EXPECT_EQ(classify(text, {}, value), Cell::missing) << text;
  for (const char* text : {"x", "1,5", "1 2", "0x10", "--1", "+-1", "1e", "-", "nano", "1.2.3"})
    EXPECT_EQ(classify(text, {}, value), Cell::text) << text;
}

}  // namespace
}  // namespace motmot
