#include <sqlite3.h>

#include "tables/frames.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::expect_sound;
using test::missing;
using test::same_numbers;
using test::texts;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

class Sqlite : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& statements) {
    const std::string path = folder_ / name;
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    return path;
  }
  Frame read(const std::string& source, const ReadOptions& options = {}) {
    Frame frame = read_source(source, options);
    expect_sound(frame);
    return frame;
  }
  std::string complaint(const std::string& source, const ReadOptions& options = {}) {
    std::string message = error_of([&] { static_cast<void>(read_source(source, options)); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }

  test::TempDir folder_;
};

TEST_F(Sqlite, ReadsTheOnlyTable) {
  const std::string path =
      write("x.db",
            "create table t(a integer, b real, c text, d);"
            "insert into t values (1, 0.5, 'x', null), (null, 2, '', 3), (-3, null, 'x', 9e999)");
  for (const std::string& source : {path, path + ":t"}) {
    ASSERT_TRUE(is_source(source));
    const Frame frame = read(source);
    ASSERT_EQ(frame.columns.size(), 4u);
    EXPECT_EQ(frame.columns[0].name, "a");
    EXPECT_TRUE(same_numbers(frame.columns[0].numbers, {1, missing, -3}));
    EXPECT_TRUE(frame.columns[0].is_whole);
    EXPECT_TRUE(same_numbers(frame.columns[1].numbers, {0.5, 2, missing}));
    EXPECT_FALSE(frame.columns[1].is_whole);
    EXPECT_EQ(texts(frame.columns[2]), (Strings{"x", "", "x"}));
    EXPECT_TRUE(same_numbers(frame.columns[3].numbers, {missing, 3, missing}));
  }
}

TEST_F(Sqlite, ReadsByContentWhateverTheName) {
  const std::string path = write("data", "create table t(a); insert into t values (1)");
  EXPECT_TRUE(is_source(path));
  EXPECT_EQ(read(path).n(), 1u);
  EXPECT_EQ(read(path + ":t").n(), 1u);
}

TEST_F(Sqlite, MakesACategoryOfAColumnWithAnyText) {
  const std::string path =
      write("x.sqlite3",
            "create table t(a); insert into t values (170), (1.75), (null), ('5''9\"'), (170), "
            "(-0.1), (12345678901234)");
  const Column column = read(path).columns.at(0);
  EXPECT_EQ(column.kind, Kind::category);
  EXPECT_EQ(texts(column), (Strings{"170", "1.75", "(missing)", "5'9\"", "170", "-0.1", "12345678901234"}));
}

TEST_F(Sqlite, ReadsTimesWithGapsAmongThem) {
  const std::string path =
      write("x.db",
            "create table t(day text, word text);"
            "insert into t values ('1970-01-02', 'a'), (null, 'b'), ('1970-01-03', null)");
  const Frame frame = read_frame(path, {.missing = Missing::level});
  EXPECT_EQ(frame.columns[0].kind, Kind::time);
  EXPECT_TRUE(same_numbers(frame.columns[0].numbers, {86400, missing, 2 * 86400}));
  EXPECT_NE(error_of([&] {
              (void)read_frame(path, {.kinds = {{"word", Kind::number}}});
            }).find("'a' is not a number"),
            std::string::npos);
}

TEST_F(Sqlite, ReadsOneTableOrViewOfMany) {
  const std::string path =
      write("x.sqlite",
            "create table a(x, w); create table \"b \"\" c\"(y); create view v as select x * 2 as z "
            "from a; insert into a values (1, 1), (2, 0); insert into \"b \"\" c\" values (7)");
  EXPECT_EQ(read(path + ":a").columns[0].numbers, (Doubles{1, 2}));
  EXPECT_EQ(read(path + ":b \" c").columns[0].numbers, (Doubles{7}));
  EXPECT_EQ(read(path + ":v").columns[0].numbers, (Doubles{2, 4}));
  const Frame weighted = read(path + ":a", {.columns = {"x"}, .weights = "w"});
  EXPECT_EQ(weighted.columns.size(), 1u);
  EXPECT_EQ(weighted.weights, (Doubles{1, 0}));
  EXPECT_EQ(
      complaint(path),
      "'x.sqlite' has 3 tables ('a', 'b \" c', 'v'); write the one that is meant after the name and a colon");
  EXPECT_EQ(complaint(path + ":no"), "'x.sqlite': SQLite says: no such table: no");
}

TEST_F(Sqlite, RefusesInOneSentence) {
  EXPECT_EQ(complaint(folder_ / "no.db"), "cannot read 'no.db': No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "no.db"));
  EXPECT_EQ(complaint(write("none.db", "create table t(a)")), "'none.db' has no rows");
  EXPECT_EQ(complaint(write("empty.db", "pragma user_version = 1")), "'empty.db' has no tables");
  EXPECT_EQ(complaint(write("blob.db", "create table t(a, b); insert into t values (1, 2), (3, x'00')")),
            "'blob.db', column 2 'b', row 2: a blob; leave the column out with --exclude");
  test::write_file(folder_ / "text.db", "a,b\n1,2\n");
  EXPECT_EQ(complaint(folder_ / "text.db"), "'text.db': SQLite says: file is not a database");
}

// A database that is cut off while it is read is one that is damaged where the reader has not been yet.
TEST_F(Sqlite, SaysThatADatabaseStopsInTheMiddle) {
  const std::string path =
      write("x.db",
            "create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n "
            "where i < 20000) insert into t select i, 'level ' || (i % 10) from n");
  EXPECT_EQ(read(path).n(), 20000u);
  const std::string bytes = test::read_file(path);
  for (const std::size_t share : {2u, 3u, 5u}) {
    test::write_file(folder_ / "cut.db", bytes.substr(0, bytes.size() / share));
    EXPECT_EQ(complaint(folder_ / "cut.db"), "'cut.db': SQLite says: database disk image is malformed");
  }
}

TEST_F(Sqlite, SurvivesDamagedFiles) {
  const std::string bytes = test::read_file(
      write("good.db",
            "create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < "
            "500) insert into t select i, 'level ' || (i % 10) from n"));
  test::for_each_seed(200, [&](Rng& rng) {
    std::string damaged = bytes;
    for (int k = 0; k < 5; ++k)
      damaged[rng.below(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<char>(1 << rng.below(8));
    test::write_file(folder_ / "bad.db", damaged);
    try {
      expect_sound(read_source(folder_ / "bad.db"));
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  });
}

TEST(IsSource, LeavesOtherFilesAlone) {
  const test::TempDir folder;
  test::write_file(folder / "a.csv", "1,2\n");
  test::write_file(folder / "a.db:t", "1,2\n");
  for (const std::string& path :
       {std::string(folder / "a.csv"), std::string(folder / "no.csv"), std::string("-"), std::string(""),
        std::string(folder / "a.npz:x"), std::string(folder / "a.db:t")})
    EXPECT_FALSE(is_source(path)) << path;
  for (const std::string path :
       {"sql:", "sql:select 1", "a.PARQUET", "a.pq", "a.db", "a.sqlite:t", "a.sqlite3"})
    EXPECT_TRUE(is_source(path)) << path;
  EXPECT_EQ(error_of([&] { static_cast<void>(read_source("a.csv")); }),
            "'a.csv' is neither a Parquet file, an SQLite database nor sql:...");
}

}  // namespace
}  // namespace motmot
