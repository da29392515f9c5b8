// Checks and series: verdicts, levels, what is judged once, and the log.
#include <fstream>

#include "motmot/watch.hpp"
#include "watch/apart.hpp"
#include "watch/chunk_test.hpp"
#include "watch/log.hpp"
#include "watch_tables.hpp"

namespace motmot::test {
namespace {

Reference reference_of(std::uint64_t seed, std::size_t n, std::size_t chunk_rows) {
  Rng rng(seed, Purpose::test);
  return make_reference(mixed_table(rng, n), {.name = "r", .chunk_rows = chunk_rows, .threads = 2});
}

ChunkSource chunk_of(std::uint64_t seed, std::size_t n, double shift = 0, std::size_t dirty = 0) {
  return {"chunk " + std::to_string(seed), [=] {
            Rng rng(seed, Purpose::test, 5);
            return mixed_table(rng, n, shift, dirty);
          }};
}

// ------------------------------------------------------------------------------------------------ check

TEST(Check, DiffersIffThePValueAndTheEffectSaySo) {
  const Reference reference = reference_of(1, 300, 20);
  Rng rng(2, Purpose::test);
  const Frame same = mixed_table(rng, 200), moved = mixed_table(rng, 200, 1);
  const Check far = check(reference, moved);
  EXPECT_TRUE(far.differs);
  EXPECT_EQ(far.differs, *far.distance.p_value <= far.alpha);
  EXPECT_EQ(far.distance.columns[0].name, "age");
  EXPECT_GT(*far.distance.columns[0].share, 0.8);
  const double low = far.distance.population->interval->low;
  EXPECT_TRUE(check(reference, moved, {.effect = low * 0.99}).differs);
  EXPECT_FALSE(check(reference, moved, {.effect = low * 1.01}).differs);
  const Check near = check(reference, same);
  EXPECT_EQ(near.differs, *near.distance.p_value <= 0.05);
  EXPECT_FALSE(near.subsample_error);
}

TEST(Check, OfManyRowsSaysHowManyItComparedAndItsError) {
  const Reference reference = reference_of(1, 300, 20);
  std::vector<double> values;
  double said = 0;
  Rng rng(3, Purpose::test);
  const Frame y = mixed_table(rng, 2000, 0.5);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Check some = check(reference, y, {.rows = 250, .seed = seed});
    EXPECT_EQ(some.distance.asked.m, 250u);
    EXPECT_EQ(some.rows.y, 2000u);
    values.push_back(some.distance.value);
    said += *some.subsample_error / 12;
  }
  // The reference is drawn from, too (250 of 300), so that the spread is a little more than what is said.
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 12;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean) / 11;
  EXPECT_LT(std::sqrt(squares), 2 * said);
  EXPECT_GT(std::sqrt(squares), said / 2);
}

TEST(Check, UnseenLevelsAndMissingValuesAreDistance) {
  const Reference reference = reference_of(1, 300, 20);
  Rng rng(2, Purpose::test);
  Frame y = mixed_table(rng, 200);
  y.columns[1].levels[0] = "Rom";
  const Check unseen = check(reference, y);
  EXPECT_TRUE(unseen.differs);
  Frame gaps = mixed_table(rng, 200);
  for (std::size_t i = 0; i < 60; ++i) gaps.columns[2].numbers[i] = std::nan("");
  const Check missing = check(reference, gaps);
  EXPECT_TRUE(missing.differs);
  EXPECT_EQ(missing.distance.columns[2].levels[0].level, missing_level);
  EXPECT_NEAR(missing.distance.columns[2].levels[0].moved, 0.3, 0.05);
}

/// A rate that every row of the reference shares.
Frame with_rate(Frame table, double rate) {
  table.columns.push_back({.name = "rate", .numbers = std::vector<double>(table.n(), rate)});
  return table;
}

TEST(Check, FindsAConstantOfTheReferenceThatIsAnother) {
  Rng rng(2, Purpose::test);
  const Frame x = mixed_table(rng, 200), y = mixed_table(rng, 200);
  for (const double rate : {20.0, 19.01, 2000.0}) {
    const Check moved = check(make_reference(with_rate(x, 19), {.threads = 1}), with_rate(y, rate));
    EXPECT_TRUE(moved.differs) << rate;
    const ColumnMove& column = moved.distance.columns.back();
    EXPECT_NEAR(column.moved, rate - 19, 1e-9);
    EXPECT_NEAR(column.unit, rate - 19, 1e-9);
    EXPECT_EQ(std::ranges::count(moved.distance.warnings, WarningCode::constants_apart, &Warning::code), 1);
  }
  const Check same = check(make_reference(with_rate(x, 19), {.threads = 1}), with_rate(y, 19));
  EXPECT_EQ(same.differs, check(make_reference(x, {.threads = 1}), y).differs);
}

// 80 tables without any difference, every twentieth row of half of them wrong: at level 5 % more than 11
// would occur once in 1500 such studies (binomial).
TEST(Check, HasItsLevelWhereNothingDiffers) {
  const Reference reference = reference_of(7, 200, 20);
  std::size_t alarms = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    Rng rng(seed, Purpose::test, 9);
    alarms +=
        check(reference, mixed_table(rng, 60, 0, seed % 2 == 0 ? 0 : 3), {.threads = 2}).differs ? 1 : 0;
  }
  EXPECT_LE(alarms, 11u);
}

// ---------------------------------------------------------------------------------------------- monitor

TEST(Apart, IsTheDistanceOfTheFrontDoor) {
  for_each_seed(5, [](Rng& rng) {
    const Points x = gaussian(rng, 150, 3), y = gaussian(rng, 40, 3, 0.3);
    Team team(1);
    const Apart found = apart(x, y, 0.1, team), back = apart(y, x, 0.1, team);
    const Distance w = distance(x, y, {.permutations = 0});
    EXPECT_NEAR(found.distance, w.value, 1e-9 * w.value);
    EXPECT_EQ(back.distance, found.distance);
    EXPECT_EQ(found.left_out.y, w.left_out.y);
  });
}

TEST(Monitor, AlarmsAtAChangeAndNamesItsColumn) {
  const Reference reference = reference_of(1, 1000, 40);
  const std::vector chunks{chunk_of(1, 40), chunk_of(2, 40, 0, 2), chunk_of(3, 40, 1.5)};
  const Monitored series = monitor(reference, chunks, {.one_in = 20});
  ASSERT_EQ(series.chunks.size(), 3u);
  EXPECT_FALSE(series.chunks[0].alarm || series.chunks[1].alarm);
  EXPECT_EQ(series.chunks[1].rows_left_out, (std::vector<std::uint64_t>{1, 2}));
  const Judgement& last = series.chunks[2];
  EXPECT_TRUE(last.alarm);
  EXPECT_EQ(last.columns[0].name, "age");
  EXPECT_FALSE(last.rows_behind.empty());
  EXPECT_GT(*last.value, last.band->high);
  EXPECT_FALSE(monitor(reference, chunks, {.one_in = 20, .effect = 100.0}).chunks[2].alarm);
}

TEST(Monitor, RefusesARateThatItsChunksCannotSupport) {
  const Reference reference = reference_of(1, 400, 40);
  const std::string said = error_of([&] { (void)monitor(reference, {}, {.one_in = 20}); });
  EXPECT_TRUE(
      said.starts_with("one alarm in 20 chunks needs 19 chunks of the reference's own, and it has 10"))
      << said;
}

TEST(Monitor, TakesTheRateThatItsChunksSupportWhereNoneIsAskedFor) {
  EXPECT_EQ(monitor(reference_of(1, 400, 40), {}).one_in, 11u);
  EXPECT_EQ(monitor(reference_of(1, 1000, 40), {}).one_in, 20u);
}

TEST(Monitor, CutsOwnChunksForSmallOnesAndDrawsFromLargeOnes) {
  const Reference reference = reference_of(1, 1000, 40);
  const Monitored series =
      monitor(reference, std::vector{chunk_of(1, 24), chunk_of(2, 200), chunk_of(3, 4)}, {.one_in = 20});
  EXPECT_EQ(series.chunks[0].rows_used, 22u);
  EXPECT_EQ(series.chunks[1].rows_used, 40u);
  EXPECT_EQ(series.chunks[2].why_not, "too few rows: at least 10 are needed");
  EXPECT_EQ(series.not_judged(), 1u);
  const std::string words = text(series);
  EXPECT_NE(words.find("Of 2 chunks only some rows, 40 at most, were drawn and compared"), std::string::npos)
      << words;
  EXPECT_NE(words.find("Not judged, too few rows: at least 10 are needed: chunk 3."), std::string::npos)
      << words;
}

TEST(Monitor, RollsOverTheChunksBefore) {
  const Reference reference = reference_of(1, 1000, 40);
  std::vector<ChunkSource> chunks;
  for (std::uint64_t t = 0; t < 6; ++t) chunks.push_back(chunk_of(t + 10, 40, 1.5));
  const Monitored series = monitor(reference, chunks, {.one_in = 20, .rolling = 3});
  EXPECT_TRUE(series.chunks.front().alarm);  // the step is seen once ...
  EXPECT_FALSE(series.chunks.back().alarm);  // ... and then is what chunks are held against
}

// Days that differ among themselves, in the reference as in the series: 60 days at one in 20, of which more
// than 9 would alarm once in 30 such studies (binomial), where random rows as the only measure alarm many
// times over.
TEST(Monitor, LearnsFromOwnChunksHowMuchDaysDiffer) {
  std::size_t alarms = 0, by_chance = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed, Purpose::test, 3);
    const auto days = [&](std::size_t count) {
      Frame all = mixed_table(rng, 0);
      for (std::size_t day = 0; day < count; ++day) {
        const Frame rows = mixed_table(rng, 30, 0.6 * rng.normal());
        for (std::size_t j = 0; j < 3; ++j) {
          std::ranges::copy(rows.columns[j].numbers, std::back_inserter(all.columns[j].numbers));
          std::ranges::copy(rows.columns[j].codes, std::back_inserter(all.columns[j].codes));
        }
      }
      return all;
    };
    const Reference reference = make_reference(days(30), {.name = "days", .chunk_rows = 30, .threads = 2});
    EXPECT_TRUE(reference.own.are_restless());
    Team team(2);
    const HeldRows held(encode(reference.rows, reference.coding), 0.1, team);
    const Points series = encode(days(12), reference.coding);
    for (std::size_t day = 0; day < 12; ++day) {
      const ChunkTest test = test_chunk(held, rows_of(series, stretch(30 * day, 30)), reference.coding,
                                        {.permutations = 199}, team);
      alarms += rank_of(test, reference.own, 20).p_value <= 0.05 ? 1 : 0;
      by_chance += rank_of(test, {}, 20).p_value <= 0.05 ? 1 : 0;
    }
  }
  EXPECT_LE(alarms, 9u);
  EXPECT_GE(by_chance, 20u);
}

// -------------------------------------------------------------------------------------------------- log

struct Logged : testing::Test {
  const TempDir folder{};
  const std::string log = folder / "a.log";
  const Reference reference = reference_of(1, 800, 40);
  const std::vector<ChunkSource> chunks{chunk_of(1, 40), chunk_of(2, 40, 2), chunk_of(3, 40)};

  Monitored run(std::size_t count, std::size_t one_in = 20) const {
    return monitor(reference, std::span(chunks).first(count), {.one_in = one_in, .log = log});
  }
};

TEST_F(Logged, ChunksAreJudgedOnce) {
  EXPECT_EQ(run(2).alarms(), 1u);
  const std::string before = read_file(log);
  const Monitored again = run(2);
  EXPECT_EQ(again.alarms(), 0u);
  EXPECT_TRUE(again.chunks[1].alarm && !again.chunks[1].is_new);
  EXPECT_EQ(read_file(log), before);
  const Monitored more = run(3);
  EXPECT_EQ(more.chunks.size(), 3u);
  EXPECT_TRUE(read_file(log).starts_with(before));
}

TEST_F(Logged, ATornLastLineIsRedoneWhereverItWasTorn) {
  (void)run(3);
  const std::string whole = read_file(log);
  for (std::size_t size = 0; size <= whole.size(); size += 397) {
    write_file(log, whole.substr(0, size));
    const Monitored series = run(3);
    ASSERT_EQ(series.chunks.size(), 3u) << size;
    EXPECT_EQ(series.alarms(), size == whole.size() ? 0u : 1u) << size;  // no alarm is lost
    EXPECT_EQ(read_file(log), whole) << size;
  }
}

TEST_F(Logged, BadInputDoesNotHarmIt) {
  (void)run(1);
  const std::string before = read_file(log);
  const std::vector<ChunkSource> bad{{"bad", [] {
                                        return Frame{.columns = {{.name = "x", .numbers = {1, 2}}}};
                                      }}};
  (void)error_of([&] { (void)monitor(reference, bad, {.log = log}); });
  EXPECT_EQ(read_file(log), before);
}

TEST_F(Logged, OfOtherSettingsOrDamagedInTheMiddleOrNotALogIsRefused) {
  (void)run(3);
  EXPECT_NE(error_of([&] { (void)run(3, 10); }).find("of other settings"), std::string::npos);
  std::string whole = read_file(log);
  whole[whole.find('\n') + 1] = '!';
  write_file(log, whole);
  EXPECT_NE(error_of([&] { (void)run(3); }).find("line 2 is damaged"), std::string::npos);
  EXPECT_EQ(read_file(log), whole);
  write_file(log, "a,b");
  EXPECT_NE(error_of([&] { (void)run(3); }).find("is not a log"), std::string::npos);
  EXPECT_EQ(read_file(log), "a,b");
}

// ----------------------------------------------------------------------------------------------- chunks

TEST(ChunksOf, CutsByDaysWeeksAndRows) {
  constexpr double day = 86400, monday = 19723 * day;  // 2024-01-01
  Frame table{.columns = {{.name = "when", .kind = Kind::time}, {.name = "v"}}};
  for (int i = 0; i < 20; ++i) {
    table.columns[0].numbers.push_back(monday + (19 - i) * day / 2);
    table.columns[1].numbers.push_back(i);
  }
  const auto days = chunks_of(table, {.time = "when", .by = ChunkBy::day}, "a");
  ASSERT_EQ(days.size(), 10u);
  EXPECT_EQ(days[0].name, "2024-01-01");
  EXPECT_EQ(days[0].read().columns.size(), 1u);
  EXPECT_EQ(days[0].read().columns[0].numbers, (std::vector<double>{19, 18}));
  EXPECT_EQ(days[0].read().rows, (std::vector<std::uint64_t>{20, 19}));
  const auto weeks = chunks_of(table, {.time = "when", .by = ChunkBy::week}, "a");
  ASSERT_EQ(weeks.size(), 2u);
  EXPECT_EQ(weeks[1].name, "2024-01-08");
  EXPECT_EQ(weeks[1].read().n(), 6u);
  EXPECT_EQ(chunks_of(table, {.time = "when", .rows = 6}, "a").size(), 3u);
  table.columns[0].numbers[4] = std::nan("");
  EXPECT_EQ(error_of([&] { (void)chunks_of(table, {.time = "when", .rows = 6}, "a"); }),
            "a, row 5, column 'when': a missing time: nobody knows which chunk the row belongs to");
}

}  // namespace
}  // namespace motmot::test
