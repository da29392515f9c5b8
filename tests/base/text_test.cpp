#include "base/text.hpp"

#include <gtest/gtest.h>

#include "motmot/base.hpp"

namespace motmot {
namespace {

TEST(Numbers, HaveAnExponentOnlyWhereNobodyWouldWriteThemOut) {
  EXPECT_EQ(readable(1234.5, 3), "1234");
  EXPECT_EQ(readable(-0.01234, 3), "-0.0123");
  EXPECT_EQ(readable(0, 3), "0");
  EXPECT_EQ(readable(2.5e9, 3), "2.5e+09");
  EXPECT_EQ(readable(3e-7, 3), "3e-07");
  EXPECT_EQ(significant(1.0 / 3, 4), "0.3333");
  EXPECT_EQ(fixed(-388, 0), "-388");
  EXPECT_EQ(percent(0.125), "12.5 %");
}

TEST(Numbers, OfATableAreWholeWhereTheyAre) {
  EXPECT_EQ(readable_value(1, 4), "1");
  EXPECT_EQ(readable_value(-26, 3), "-26");
  EXPECT_EQ(readable_value(1234567, 3), "1234567");
  EXPECT_EQ(readable_value(0, 3), "0");
  EXPECT_EQ(readable_value(20.135, 4), "20.14");
  EXPECT_EQ(readable_value(5e9, 3), "5e+09");
}

TEST(Complaints, AreOneLineWhateverTheyQuote) {
  EXPECT_STREQ(Error(Errc::io, "cannot read 'a\nb\r\x1b[2J'").what(), R"(cannot read 'a\x0ab\x0d\x1b[2J')");
  EXPECT_STREQ(Error(Errc::io, "'Größe'").what(), "'Größe'");
}

TEST(AsUtf8, LeavesEveryCharacterOfUtf8) {
  for (unsigned code = 1; code < 0x110000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string text;
    if (code < 0x80) text = {static_cast<char>(code)};
    else if (code < 0x800)
      text = {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    else if (code < 0x10000)
      text = {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
              static_cast<char>(0x80 | (code & 0x3f))};
    else
      text = {static_cast<char>(0xf0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3f)),
              static_cast<char>(0x80 | (code >> 6 & 0x3f)), static_cast<char>(0x80 | (code & 0x3f))};
    ASSERT_EQ(as_utf8("a" + text + "b"), "a" + text + "b") << code;
  }
}

TEST(AsUtf8, ReadsOtherBytesAsWindows1252) {
  EXPECT_EQ(as_utf8("gr\xf6\xdf"
                    "e"),
            "größe");
  EXPECT_EQ(as_utf8("\x80\x99\x9f\xa0\xff"), "€™Ÿ\u00a0ÿ");
  EXPECT_EQ(as_utf8("\xc0\x80"), "À€") << "too long for what it says";
  EXPECT_EQ(as_utf8("\xe2\x82"), "â‚") << "cut off";
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "í\u00a0€") << "a surrogate";
  EXPECT_EQ(as_utf8("\xf4\x90\x80\x80"), "ô\u0090€€") << "beyond the last character";
}

TEST(TextTable, LinesUpNamesThatAreNotAscii) {
  TextTable table("lr");
  table.add({"Größe", "1"});
  table.add({"b", "20"});
  EXPECT_EQ(table.text("  "), "  Größe   1\n  b      20\n");
}

TEST(Wrap, BreaksAtBlanksAndCountsCharacters) {
  EXPECT_EQ(wrap("- ", "äöü äöü b", 9), "- äöü äöü\n  b\n");
  EXPECT_EQ(wrap("", "longer than the line", 6), "longer\nthan\nthe\nline\n");
  EXPECT_EQ(wrap("", "about 16 % of it", 8), "about 16 %\nof it\n") << "no number without its %";
}

}  // namespace
}  // namespace motmot
