#include "data/times.hpp"

#include "support/support.hpp"

namespace motmot {
namespace {

TEST(Times, AreReadAsIsoWritesThem) {
  EXPECT_EQ(parse_time("1970-01-01"), 0);
  EXPECT_EQ(parse_time("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(parse_time("1970-01-01 01:30"), 5400);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.25"), 0.25);
  EXPECT_EQ(parse_time("1970-01-01T02:00:00+02:00"), 0);
  EXPECT_EQ(parse_time("1970-01-01T02:00:00+0200"), 0);
  EXPECT_EQ(parse_time("1969-12-31T19:00-05"), 0);
  EXPECT_EQ(parse_time("2000-02-29"), 951782400);
  EXPECT_EQ(parse_time("2024-01-31T12:30:05,5Z"), 1706704205.5);
}

TEST(Times, AreNothingElse) {
  for (const char* text : {"", "2024", "2024-1-31", "2024-13-01", "2023-02-29", "2024-01-31T",
                           "2024-01-31T24:00", "2024-01-31T12", "2024-01-31T12:30:", "2024-01-31T12:30:05.",
                           "2024-01-31T12:30+", "2024-01-31T12:30+01:", "2024-01-31T12:30Zulu", "2024-01-31x",
                           "31.01.2024", "20240131", "-2024-01-31", "2024-01-31 12:30 UTC"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

TEST(Times, AreReadBackFromTheirText) {
  EXPECT_EQ(time_text(0), "1970-01-01");
  EXPECT_EQ(time_text(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(time_text(1706704205.25), "2024-01-31T12:30:05.25Z");
  EXPECT_EQ(time_text(86400 - 1e-8), "1970-01-02");
  test::for_each_seed(300, [](Rng& rng) {
    const double day = 86400.0 * (static_cast<double>(rng.below(80000)) - 40000);
    const double seconds = day + static_cast<double>(rng.below(4 * 86400)) / 4;
    EXPECT_EQ(parse_time(time_text(seconds)), seconds) << time_text(seconds);
  });
}

TEST(Times, BeyondTheCalendarAreSeconds) {
  EXPECT_EQ(time_text(253402300799), "9999-12-31T23:59:59Z");
  EXPECT_EQ(time_text(253402300800), "2.53402e+11 s after 1970-01-01");
  EXPECT_EQ(time_text(-1e300), "-1e+300 s after 1970-01-01");
}

}  // namespace
}  // namespace motmot
