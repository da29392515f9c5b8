#include <chrono>
#include <cstdlib>
#include <optional>

#include "tables/duckdb_library.hpp"
#include "tables/frames.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::expect_sound;
using test::missing;
using test::same;
using test::same_numbers;
using test::texts;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

constexpr double day = 86400;

/// Why DuckDB cannot be asked here, if it cannot.
std::string absent() {
#if defined(__SANITIZE_THREAD__)
  return "the thread sanitizer does not see into libduckdb.so";
#else
  try {
    static_cast<void>(duckdb::load_library("a test"));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
#endif
}

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) ::setenv(name_, before_->c_str(), 1);
    else ::unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class DuckDb : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = absent(); !why.empty()) GTEST_SKIP() << why;
  }

  Column column(const std::string& query) {
    const Frame frame = read_source("sql:" + query);
    expect_sound(frame);
    return frame.columns.at(0);
  }
  Doubles numbers(const std::string& query) { return column(query).numbers; }

  /// Writes the rows of a query.
  std::string parquet(const std::string& name, const std::string& query) {
    const std::string path = folder_ / name;
    write("copy (" + query + ") to '" + path + "' (format parquet, row_group_size 2048)");
    return path;
  }

  std::string complaint(const std::string& source, const ReadOptions& options = {}) {
    std::string message = error_of([&] { static_cast<void>(read_source(source, options)); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }

  test::TempDir folder_;

 private:
  void write(const std::string& statement) {
    const duckdb::Library library = duckdb::load_library("a test");
    duckdb::Owned<duckdb::Database> database(library.close);
    duckdb::Owned<duckdb::Connection> connection(library.disconnect);
    duckdb::Owned<duckdb::Statements> statements(library.destroy_extracted);
    duckdb::Owned<duckdb::Prepared> prepared(library.destroy_prepare);
    duckdb::Owned<duckdb::Result> result(library.destroy_result);
    library.open_ext(nullptr, database.place(), nullptr, nullptr);
    library.connect(database.get(), connection.place());
    library.extract_statements(connection.get(), statement.c_str(), statements.place());
    library.prepare_extracted_statement(connection.get(), statements.get(), 0, prepared.place());
    const int state = library.execute_prepared_streaming(prepared.get(), result.place());
    ASSERT_EQ(state, duckdb::success) << library.result_error(result.place());
  }
};

TEST_F(DuckDb, ReadsNumbersOfEveryType) {
  for (const std::string type : {"tinyint", "smallint", "integer", "bigint", "hugeint", "float", "double",
                                 "decimal(4,1)", "decimal(9,2)", "decimal(18,3)", "decimal(38,4)"}) {
    SCOPED_TRACE(type);
    const Column read = column("select x::" + type + " from (values (0), (-7), (null), (100)) t(x)");
    EXPECT_EQ(read.kind, Kind::number);
    EXPECT_TRUE(read.is_whole);
    EXPECT_TRUE(same_numbers(read.numbers, {0, -7, missing, 100}));
  }
  for (const std::string type : {"utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"})
    EXPECT_TRUE(same_numbers(numbers("select x::" + type + " from (values (0), (null), (255)) t(x)"),
                             {0, missing, 255}))
        << type;
}

TEST_F(DuckDb, ReadsTheEndsOfEveryIntegerType) {
  EXPECT_EQ(numbers("select unnest([-128, 127])::tinyint"), (Doubles{-128, 127}));
  EXPECT_EQ(numbers("select unnest([-32768, 32767])::smallint"), (Doubles{-32768, 32767}));
  EXPECT_EQ(numbers("select unnest([-2147483648, 2147483647])::integer"), (Doubles{-2147483648, 2147483647}));
  EXPECT_EQ(numbers("select unnest([-9223372036854775808, 9223372036854775807])::bigint"),
            (Doubles{-0x1p63, 0x1p63}));
  EXPECT_EQ(
      numbers("select unnest(['-170141183460469231731687303715884105728', '-1', '-18446744073709551616', "
              "'170141183460469231731687303715884105727']::hugeint[])"),
      (Doubles{-0x1p127, -1, -0x1p64, 0x1p127}));
  EXPECT_EQ(numbers("select '340282366920938463463374607431768211455'::uhugeint"), (Doubles{0x1p128}));
  EXPECT_EQ(numbers("select 18446744073709551615::ubigint"), (Doubles{0x1p64}));
}

TEST_F(DuckDb, TakesInfinitiesForMissing) {
  const Column read = column("select unnest(['inf', '-inf', 'nan', '0.5']::double[])");
  EXPECT_TRUE(same_numbers(read.numbers, {missing, missing, missing, 0.5}));
  EXPECT_FALSE(read.is_whole);
  EXPECT_TRUE(same_numbers(numbers("select unnest(['infinity', '-infinity', '1970-01-02']::date[])"),
                           {missing, missing, day}));
  EXPECT_TRUE(
      same_numbers(numbers("select unnest(['infinity', '-infinity']::timestamp[])"), {missing, missing}));
}

TEST_F(DuckDb, DividesDecimalsOnce) {
  EXPECT_EQ(numbers("select unnest(['0.1', '-12.3', '99.9'])::decimal(4,1)"), (Doubles{0.1, -12.3, 99.9}));
  EXPECT_EQ(numbers("select '12345678.901234567'::decimal(38,9)"), (Doubles{12345678.901234567}));
  EXPECT_FALSE(column("select 0.5::decimal(4,1)").is_whole);
}

TEST_F(DuckDb, ReadsTimesAsSecondsOfUtc) {
  const std::string moment = "'2001-09-09 01:46:40.5'";
  for (const std::string type : {"timestamp", "timestamp_ms", "timestamp_ns"}) {
    const Column read = column("select " + moment + "::" + type);
    EXPECT_EQ(read.kind, Kind::time) << type;
    EXPECT_EQ(read.numbers, Doubles{1e9 + 0.5}) << type;
  }
  EXPECT_EQ(numbers("select '1969-12-31 23:59:59'::timestamp_s"), Doubles{-1});
  EXPECT_EQ(numbers("select '2001-09-09 03:46:40+02'::timestamptz"), Doubles{1e9});
  EXPECT_TRUE(same_numbers(numbers("select unnest(['2026-01-01', null, '1900-03-01']::date[])"),
                           {20454 * day, missing, -25508 * day}));
}

TEST_F(DuckDb, ReadsStringsAsLevelsInTheOrderOfTheirRows) {
  const Column read = column(
      "select unnest(['b', null, '', 'a', 'b', 'exactly12chr', 'longer than twelve', 'longer than thirteen', "
      "'longer than twelve', 'Zürich'])");
  EXPECT_EQ(read.kind, Kind::category);
  EXPECT_EQ(texts(read), (Strings{"b", "(missing)", "", "a", "b", "exactly12chr", "longer than twelve",
                                  "longer than thirteen", "longer than twelve", "Zürich"}));
  EXPECT_EQ(read.levels.size(), 7u);
}

// More levels than are remembered at a time, of any length, against what the query says they are.
TEST_F(DuckDb, ReadsManyLevels) {
  for (const std::size_t levels : {3u, 5000u, 60000u}) {
    const std::string m = std::to_string(levels);
    const Column read = column("select repeat('x', (i * 7919 % " + m + ") % 14) || (i * 7919 % " + m +
                               ") from range(100000) t(i)");
    ASSERT_EQ(read.levels.size(), levels);
    for (std::size_t i = 0; i < 100000; ++i) {
      const std::size_t level = i * 7919 % levels;
      ASSERT_EQ(read.levels[read.codes[i]], std::string(level % 14, 'x') + std::to_string(level));
    }
  }
}

TEST_F(DuckDb, ReadsWordsOfAQueryLikeThoseOfAText) {
  const std::string query =
      "sql:select * from (values ('34', 'NA', '2024-01-31', '007', 'u'), ('NA', 'a', 'n/a', "
      "'8', 'v'), ('2.5', 'b', '2024-02-01', 'NULL', 'w')) t(age, word, day, zip, plain)";
  const ReadOptions options{.missing = Missing::level, .na = {"v"}, .kinds = {{"zip", Kind::category}}};
  const Frame frame = read_frame(query, options);
  expect_sound(frame);
  EXPECT_EQ(frame.columns[0].kind, Kind::number);
  EXPECT_TRUE(same_numbers(frame.columns[0].numbers, {34, missing, 2.5}));
  EXPECT_EQ(texts(frame.columns[1]), (Strings{"(missing)", "a", "b"}));
  EXPECT_EQ(frame.columns[2].kind, Kind::time);
  EXPECT_EQ(texts(frame.columns[3]), (Strings{"007", "8", "(missing)"}));
  EXPECT_EQ(texts(frame.columns[4]), (Strings{"u", "(missing)", "w"}));
  EXPECT_NE(error_of([&] { (void)read_frame(query); }).find("missing value; --missing level"),
            std::string::npos);
  const Frame words = read_frame("sql:select * from (values ('1'), ('2')) t(zip)");
  EXPECT_EQ(words.columns[0].kind, Kind::category)
      << "nothing is missing: the words are as they were written";
}

TEST_F(DuckDb, ReadsEnumsAndBooleans) {
  EXPECT_EQ(texts(column("select unnest([true, null, false, true])")),
            (Strings{"true", "(missing)", "false", "true"}));
  for (const int count : {3, 300, 70000}) {  // stored in 1, 2 or 4 bytes
    std::string levels = "'l0'";
    for (int k = 1; k < count; ++k) levels += ", 'l" + std::to_string(k) + "'";
    const Column read = column("select unnest(['l2', 'l0', null, 'l2'])::enum(" + levels + ")");
    EXPECT_EQ(texts(read), (Strings{"l2", "l0", "(missing)", "l2"})) << count;
    EXPECT_EQ(read.levels, (Strings{"l2", "l0"}));
  }
}

TEST_F(DuckDb, ReadsAColumnOfNothing) {
  EXPECT_TRUE(same_numbers(numbers("select null from range(2)"), {missing, missing}));
  EXPECT_EQ(texts(column("select null::varchar from range(2)")), (Strings{"(missing)", "(missing)"}));
}

// Every other bit of the masks, over many chunks, against what the query says.
TEST_F(DuckDb, ReadsMissingValuesWhereTheyAre) {
  const Frame frame = read_source(
      "sql:select case when i % 3 = 0 then null else i end a, case when i % 7 < 2 then null else (i % "
      "5)::varchar end "
      "b, case when hash(i) % 2 = 0 then null else i / 4 end c from range(10000) t(i)");
  expect_sound(frame);
  ASSERT_EQ(frame.n(), 10000u);
  EXPECT_TRUE(frame.columns[0].is_whole);
  EXPECT_FALSE(frame.columns[2].is_whole);
  const Strings b = texts(frame.columns[1]);
  for (std::size_t i = 0; i < frame.n(); ++i) {
    const double a = frame.columns[0].numbers[i];
    ASSERT_TRUE(i % 3 == 0 ? std::isnan(a) : a == static_cast<double>(i));
    ASSERT_EQ(b[i], i % 7 < 2 ? "(missing)" : std::to_string(i % 5));
    const double c = frame.columns[2].numbers[i];
    ASSERT_TRUE(std::isnan(c) || c == static_cast<double>(i) / 4);
  }
}

TEST_F(DuckDb, ReadsFromAFileWhatTheQueryGivesWithAnyNumberOfThreads) {
  const std::string query =
      "select i, i % 10 = 0 as flag, ('v' || (i * i % 997)) as \"the \"\" level\", date '2020-01-01' + (i % "
      "400)::int as "
      "\"when\", sin(i) as s from range(50000) t(i)";
  const Frame wanted = read_source("sql:" + query);
  const std::string path = parquet("x.parquet", query);
  EXPECT_TRUE(is_source(path));
  for (const std::size_t threads : {1u, 2u, 7u}) {
    EXPECT_TRUE(same(read_source(path, {.threads = threads}), wanted)) << threads;
    EXPECT_TRUE(same(read_source("sql:from '" + path + "'", {.threads = threads}), wanted)) << threads;
  }
  std::filesystem::rename(path, folder_ / "it's here");
  EXPECT_TRUE(is_source(folder_ / "it's here"));
  EXPECT_TRUE(same(read_source(folder_ / "it's here"), wanted));
}

TEST_F(DuckDb, ReadsALargeFileInPartsAsInOne) {
  const Environment cores("MOTMOT_CORES", "7");
  const std::string query =
      "select i, case when i % 11 > 0 then 'v' || (i // 70001) || '-' || (i % 5) end as late, case when i % "
      "7 > 0 then i / 4 end as gaps, i < 200000 as first, case when i >= 449000 then 0.5 else 1 end as whole "
      "from range(450001) t(i)";
  const Frame wanted = read_source("sql:" + query, {.threads = 1});
  const std::string path = parquet("x.parquet", query);
  for (const std::size_t threads : {1u, 2u, 3u, 7u})
    EXPECT_TRUE(same(read_source(path, {.threads = threads}), wanted)) << threads;
  const Frame some = read_source(path, {.columns = {"late", "i"}, .threads = 3});
  EXPECT_EQ(texts(some.columns.at(0)), texts(wanted.columns.at(1)));
  const std::string numbered =
      parquet("numbered.parquet", "select 2 * i as file_row_number from range(250000) t(i)");
  const Doubles rows = read_source(numbered, {.threads = 2}).columns.at(0).numbers;
  ASSERT_EQ(rows.size(), 250000u);
  EXPECT_EQ(rows.back(), 499998);
}

TEST_F(DuckDb, JoinsFilesThatAPatternNames) {
  parquet("day1.parquet", "select 1 as x");
  parquet("day2.parquet", "select 2 as x");
  EXPECT_EQ(read_source(folder_ / "day*.parquet").columns.at(0).numbers, (Doubles{1, 2}));
}

TEST_F(DuckDb, ReadsTheColumnsThatAreAskedFor) {
  const std::string query = "select i as a, i + 0.5 as b, 'x' as c, [i] as d, i + 1 as w from range(3) t(i)";
  for (const std::string& source : {"sql:" + query, parquet("x.parquet", query)}) {
    const Frame frame = read_source(source, {.columns = {"c", "1"}, .weights = "w"});
    ASSERT_EQ(frame.columns.size(), 2u);
    EXPECT_EQ(frame.columns[0].name, "c");
    EXPECT_EQ(frame.columns[1].numbers, (Doubles{0, 1, 2}));
    EXPECT_EQ(frame.weights, (Doubles{1, 2, 3}));
    EXPECT_EQ(read_source(source, {.exclude = {"d", "a", "w"}}).columns.size(), 2u);
    EXPECT_NE(complaint(source, {.columns = {"z"}})
                  .find("has no column 'z'; its columns are 'a', 'b', 'c', 'd', 'w'"),
              std::string::npos);
    EXPECT_NE(
        complaint(source, {.exclude = {"d"}, .weights = "c"}).find("column 3 'c': weights must be numbers"),
        std::string::npos);
  }
  EXPECT_EQ(
      complaint("sql:select 1 as x, -1 as w", {.weights = "w"}),
      "query 'select 1 as x, -1 as w', row 1, column 2 'w': the weight is -1.000000; weights must be >= 0");
  EXPECT_NE(complaint("sql:select 1 as x, null as w", {.weights = "w"}).find("the weight is missing"),
            std::string::npos);
}

// Its threads are still at work when the complaint comes: closed in the wrong moment, they hung or crashed in
// one of some hundred complaints.
TEST_F(DuckDb, EndsInPeaceAfterAComplaint) {
  for (int time = 0; time < 200; ++time)
    EXPECT_NE(
        complaint("sql:select range as a, [1] as b from range(5000)", {.threads = 2}).find("'b' is a list"),
        std::string::npos);
}

TEST_F(DuckDb, SaysWhatToWriteForColumnsOfOtherTypes) {
  EXPECT_EQ(complaint("sql:select 1 as a, [1] as b"),
            "query 'select 1 as a, [1] as b', column 2 'b' is a list; leave it out with --exclude, or read "
            "sql:select "
            "\"b\"[1] or len(\"b\") ...");
  const std::string path = parquet("x.parquet", "select 1 as a, 2 as b, time '12:00' as c");
  EXPECT_EQ(complaint(path, {.columns = {"c", "b"}}),
            "'x.parquet', column 3 'c' is a time of day; leave it out with --exclude, or read sql:select "
            "epoch(\"c\") "
            "...");
  // What is said to be written is what is read.
  for (const auto& [value, cast] :
       std::vector<std::pair<std::string, std::string>>{{"time '12:00'", "epoch(x)"},
                                                        {"timetz '12:00:00+00'", "epoch(x::time)"},
                                                        {"interval '2 days'", "epoch(x)"},
                                                        {"'ab'::blob", "octet_length(x)"},
                                                        {"uuid()", "x::varchar"},
                                                        {"'101'::bit", "x::varchar"},
                                                        {"[1, 2]", "x[1]"},
                                                        {"[1, 2]", "len(x)"},
                                                        {"array_value(1, 2)", "x[1]"},
                                                        {"map {'key': 1}", "x['key']"},
                                                        {"{'field': 1}", "x.field"},
                                                        {"union_value(a := 1)", "x::varchar"}}) {
    std::string shown_cast = cast;
    for (std::size_t at = 0; (at = shown_cast.find('x', at)) != std::string::npos; at += 3)
      shown_cast.replace(at, 1, "\"x\"");
    EXPECT_NE(complaint("sql:select " + value + " as x").find(shown_cast), std::string::npos) << value;
    EXPECT_EQ(column("select " + cast + " from (select " + value + " as x)").rows(), 1u) << value;
  }
}

TEST_F(DuckDb, RefusesInOneSentence) {
  const auto starts = [&](const std::string& source, const std::string& start) {
    EXPECT_TRUE(complaint(source).starts_with(start)) << complaint(source);
  };
  starts("sql:selec 1", "query 'selec 1': DuckDB says: Parser Error: syntax error at or near \"selec\"");
  starts("sql:select x", "query 'select x': DuckDB says: Binder Error: Referenced column \"x\"");
  starts("sql:from 'no.parquet'", "query 'from 'no.parquet'': DuckDB says: IO Error: No files found");
  starts("sql:", "query '': one query is needed, not 0 statements");
  starts("sql:select 1; select 2", "query 'select 1; select 2': one query is needed, not 2 statements");
  for (const std::string statement : {"create table t(x int)", "install httpfs", "load httpfs",
                                      "copy (select 1) to 'written.csv'", "attach 'written.db'"})
    starts("sql:" + statement, "query '" + statement + "': this is not a query");
  EXPECT_FALSE(std::filesystem::exists("written.csv") || std::filesystem::exists("written.db"));
  starts("sql:select 1 where false", "query 'select 1 where false' has no rows");
  starts(folder_ / "no.parquet", "cannot read 'no.parquet': No such file or directory");
  std::filesystem::create_directory(folder_ / "folder.parquet");
  starts(folder_ / "folder.parquet", "cannot read 'folder.parquet': Is a directory");
  starts(parquet("none.parquet", "select 1 as x where false"), "'none.parquet' has no rows");
  test::write_file(folder_ / "text.parquet", "a,b\n1,2\n3,4\n5,6\n");
  starts(folder_ / "text.parquet", "'text.parquet': DuckDB says: Invalid Input Error: No magic bytes found");
  test::write_file(folder_ / "empty.parquet", "");
  starts(folder_ / "empty.parquet", "'empty.parquet': DuckDB says: ");
}

// An extension that is not installed is named, and not fetched.
TEST_F(DuckDb, DownloadsNothing) {
  const Environment home("HOME", folder_.path());
  EXPECT_EQ(texts(column("select current_setting('autoinstall_known_extensions')::varchar")),
            Strings{"false"});
  const std::string message = complaint("sql:from sqlite_scan('x.db', 't')");
  EXPECT_NE(message.find("sqlite"), std::string::npos) << message;
  EXPECT_EQ(message.find("download"), std::string::npos) << message;
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".duckdb")) << message;
}

TEST_F(DuckDb, PassesTheNumberOfThreadsOn) {
  for (const std::size_t threads : {1u, 3u})
    EXPECT_EQ(
        read_source("sql:select current_setting('threads') as t", {.threads = threads}).columns.at(0).numbers,
        Doubles{static_cast<double>(threads)});
}

TEST_F(DuckDb, SaysThatTheRowsStoppedInTheMiddle) {
  const std::string late = "case when i = 1500000 then error('gone away') else i end";
  const std::string message = complaint("sql:select " + late + " from range(2000000) t(i)");
  EXPECT_NE(message.find(" rows DuckDB says: Invalid Input Error: gone away"), std::string::npos) << message;
  EXPECT_EQ(message.find("after 0 rows"), std::string::npos) << message;
}

// Wherever a file is damaged, it is read or refused in one sentence.
TEST_F(DuckDb, SurvivesDamagedFiles) {
  const std::string bytes = test::read_file(
      parquet("good.parquet", "select i as a, (i % 50)::varchar as b, i / 3 as c from range(20000) t(i)"));
  std::size_t refused = 0;
  test::for_each_seed(60, [&](Rng& rng) {
    std::string damaged = bytes;
    const std::uint32_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
    if (rng.below(4) == 0) damaged.resize(at);
    else damaged[at] = static_cast<char>(damaged[at] ^ (1 << rng.below(8)));
    const std::string path = folder_ / ("bad" + std::to_string(at) + ".parquet");
    test::write_file(path, damaged);
    try {
      expect_sound(read_source(path));
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  });
  EXPECT_GT(refused, 10u);
}

TEST(DuckDbLibrary, SaysHowToGetItWhereItIsAbsent) {
  const test::TempDir folder;
  const Environment nowhere("MOTMOT_DUCKDB", "");
  const Environment home("HOME", folder.path());
  const Environment cache("XDG_CACHE_HOME", folder.path());
  if (absent().empty()) GTEST_SKIP() << "libduckdb.so is installed on this system";
  test::write_file(folder / "x.parquet", "PAR1");
  const std::string path = folder / "x.parquet";
  EXPECT_EQ(
      error_of([&] { static_cast<void>(read_source(path)); }),
      "cannot read '" + path +
          "': it takes DuckDB's library, libduckdb.so, which is not here; scripts/setup --duckdb gets it, or "
          "install it from duckdb.org and name it in MOTMOT_DUCKDB");
}

TEST(DuckDbLibrary, RefusesAFileThatIsNoneOfIt) {
  const test::TempDir folder;
  test::write_file(folder / "libduckdb.so", "not a library");
  const std::string path = folder / "libduckdb.so";
  const Environment named("MOTMOT_DUCKDB", path);
  EXPECT_EQ(
      error_of([&] { static_cast<void>(read_source("sql:select 1")); }),
      "cannot read query 'select 1': the library that MOTMOT_DUCKDB names, '" + path + "', cannot be loaded");
  // A library, but another one.
  const Environment other("MOTMOT_DUCKDB", "libz.so.1");
  EXPECT_EQ(
      error_of([&] { static_cast<void>(read_source("sql:select 1")); }),
      "cannot read query 'select 1': the libduckdb.so found has no duckdb_create_config; DuckDB 1.0 or later "
      "is needed");
}

// ------------------------------------------------------------------------------- vega-datasets of npm

std::string vega(const std::string& name) {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::string folder =
      cache != nullptr && *cache != '\0' ? cache : std::string(home != nullptr ? home : "") + "/.cache";
  return folder + "/motmot/vega-datasets/" + name;
}

class RealTables : public DuckDb {
 protected:
  void SetUp() override {
    DuckDb::SetUp();
    if (!IsSkipped() && !std::filesystem::exists(vega("flights-3m.parquet")))
      GTEST_SKIP() << "vega-datasets is not here (scripts/setup --all)";
  }
};

TEST_F(RealTables, HasThreeMillionFlights) {
  const Frame frame = read_source(vega("flights-3m.parquet"));
  expect_sound(frame);
  ASSERT_EQ(frame.n(), 3'000'000u);
  const Column& when = frame.columns.at(0);
  const Column& delay = frame.columns.at(1);
  EXPECT_EQ(when.kind, Kind::time);
  EXPECT_EQ(delay.name, "delay");
  const auto [low, high] = std::ranges::minmax(delay.numbers);
  EXPECT_EQ(low, -1116);
  EXPECT_EQ(high, 1688);
  // What DuckDB adds up itself.
  const Frame sums = read_source("sql:select sum(delay), sum(epoch(date)), count(distinct origin) from '" +
                                 vega("flights-3m.parquet") + "'");
  double delays = 0;
  double times = 0;
  for (std::size_t i = 0; i < frame.n(); ++i) {
    delays += delay.numbers[i];
    times += when.numbers[i];
  }
  EXPECT_EQ(delays, sums.columns[0].numbers[0]);
  EXPECT_NEAR(times, sums.columns[1].numbers[0], 1e-9 * times);
  EXPECT_EQ(static_cast<double>(frame.columns.at(3).levels.size()), sums.columns[2].numbers[0]);
}

TEST_F(RealTables, HasBirdstrikesWithTheirGaps) {
  const Frame frame = read_source("sql:from '" + vega("birdstrikes.csv") + "'");
  expect_sound(frame);
  ASSERT_EQ(frame.n(), 10'000u);
  std::vector<Kind> kinds;
  for (const Column& column : frame.columns) kinds.push_back(column.kind);
  EXPECT_EQ(std::ranges::count(kinds, Kind::time), 1);
  EXPECT_EQ(std::ranges::count(kinds, Kind::number), 4);
  const Doubles speed = frame.columns.back().numbers;
  const double gaps = numbers("select count(*) from '" + vega("birdstrikes.csv") +
                              "' where \"Speed IAS in knots\" is null")[0];
  EXPECT_GT(gaps, 0);
  EXPECT_EQ(static_cast<double>(std::ranges::count_if(speed, [](double v) { return std::isnan(v); })), gaps);
}

// A query that would take hours ends within moments of the word.
TEST_F(DuckDb, StopsAQueryWhenProgressSaysSo) {
  const std::string query =
      "sql:select count(*) from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3";
  std::size_t asked = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::string message =
      error_of([&] { static_cast<void>(read_source(query, {}, [&](double) { return ++asked < 3; })); });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
  EXPECT_NE(message.find("stopped before DuckDB had read it"), std::string::npos) << message;
  EXPECT_GE(asked, 3u);
}

TEST_F(DuckDb, HandsOnWhatProgressThrows) {
  struct Fed {};
  EXPECT_THROW(static_cast<void>(read_source("sql:select count(*) from range(1000000) a, range(1000000) b "
                                             "where a.range * b.range % 7 = 3",
                                             {}, [](double) -> bool { throw Fed{}; })),
               Fed);
}

TEST_F(DuckDb, ReadsTheSameWhetherItIsWatchedOrNot) {
  const std::string query = "sql:select range as a, 'v' || range % 5 as b from range(10000)";
  const Frame alone = read_source(query), watched = read_source(query, {}, [](double) { return true; });
  EXPECT_EQ(watched.columns[0].numbers, alone.columns[0].numbers);
  EXPECT_EQ(watched.columns[1].codes, alone.columns[1].codes);
}

}  // namespace
}  // namespace motmot
