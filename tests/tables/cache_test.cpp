#include "motmot/cache.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

constexpr const char* table = "a,b\n1,2\n3,4\n5,6\n";

std::vector<double> values_of(const CachedTable& cached) {
  const PointsView rows = cached.points;
  return {rows.data, rows.data + rows.n * rows.d};
}

struct Cached {
  TempDir folder;
  std::string file = folder / "x.csv", in = folder / "cache";

  explicit Cached(const std::string& text = table) { test::write_file(file, text); }
  [[nodiscard]] CachedTable map(const ReadOptions& options = {}) const {
    return map_cached(file, options, in);
  }
  [[nodiscard]] std::string cache(const ReadOptions& options = {}) const {
    return cache_of(file, options, in);
  }
};

TEST(Cache, HasTheRowsOfTheFileBitForBit) {
  const Cached c("a,b\n1,0.1\nNA,4\n5,-1e-300\n");
  const ReadOptions options{.missing = Missing::drop};
  const CachedTable cached = c.map(options);
  const Table read = read_table(c.file, options);
  EXPECT_TRUE(cached.made);
  EXPECT_EQ(values_of(cached), read.points.values());
  EXPECT_EQ(cached.columns, read.columns);
  EXPECT_TRUE(std::ranges::equal(cached.rows, read.rows));
  EXPECT_EQ(cached.rows_dropped, 1u);
}

TEST(Cache, KnowsTheNumbersOfRowsWhenTheLastOneIsDropped) {
  const Cached c("a,b\n1,2\n3,4\n5,NA\n");
  const CachedTable cached = c.map({.missing = Missing::drop});
  EXPECT_TRUE(std::ranges::equal(cached.rows, std::vector<std::uint64_t>{1, 2}));
}

TEST(Cache, IsUsedAgain) {
  const Cached c;
  EXPECT_TRUE(c.map().made);
  const auto written = fs::last_write_time(c.cache());
  const CachedTable again = c.map();
  EXPECT_FALSE(again.made);
  EXPECT_EQ(fs::last_write_time(c.cache()), written);
  EXPECT_EQ(values_of(again), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Cache, IsMadeAnewWhenTheFileChangedInSizeOrContentAlone) {
  const Cached c;
  (void)c.map();
  const auto time = fs::last_write_time(c.file);
  test::write_file(c.file, "a,b\n1,2\n3,9\n5,6\n");  // as long as before, and as old
  fs::last_write_time(c.file, time);
  const CachedTable changed = c.map();
  EXPECT_TRUE(changed.made);
  EXPECT_EQ(values_of(changed)[3], 9);
  test::write_file(c.file, "a,b\n1,2\n");
  EXPECT_TRUE(c.map().made);
  EXPECT_EQ(c.map().points.rows(), 1u);
}

TEST(Cache, OptionsHaveCachesOfTheirOwn) {
  const Cached c;
  (void)c.map();
  EXPECT_EQ(values_of(c.map({.columns = {"b"}})), (std::vector<double>{2, 4, 6}));
  EXPECT_NE(c.cache(), c.cache({.columns = {"b"}}));
  EXPECT_FALSE(c.map().made);
}

TEST(Cache, OneThatIsDamagedIsMadeAnew) {
  const Cached c;
  (void)c.map();
  const std::string whole = test::read_file(c.cache());
  const auto with_other = [&](std::size_t at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x11);
    return bytes;
  };
  std::vector<std::string> bad{
      std::string(),         whole.substr(0, whole.size() / 2), whole.substr(0, 10),           whole + "x",
      with_other(17),        with_other(whole.size() - 1),      with_other(whole.size() - 12), with_other(60),
      std::string(5000, '{')};
  for (std::size_t at = 0; at < whole.size(); at += 7) bad.push_back(with_other(at));
  for (const std::string& damaged : bad) {
    test::write_file(c.cache(), damaged);
    const CachedTable again = c.map();
    EXPECT_TRUE(again.made) << damaged.size();
    EXPECT_EQ(values_of(again), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(test::read_file(c.cache()), whole);
  }
}

TEST(Cache, TwoWritersLeaveOneWholeCache) {
  std::string text = "a,b\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "," + std::to_string(-i) + "\n";
  const Cached c(text);
  std::vector<std::thread> writers;
  std::vector<std::vector<double>> found(4);
  for (std::vector<double>& values : found) writers.emplace_back([&] { values = values_of(c.map()); });
  for (std::thread& writer : writers) writer.join();
  const std::vector<double> read = read_table(c.file).points.values();
  for (const std::vector<double>& values : found) EXPECT_EQ(values, read);
  EXPECT_FALSE(c.map().made);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(c.in)) ++files;
  EXPECT_EQ(files, 1u);  // no temporary is left
}

TEST(Cache, RowsStayWhenTheCacheIsReplaced) {
  const Cached c;
  const CachedTable before = c.map();
  test::write_file(c.file, "a,b\n7,8\n");
  EXPECT_EQ(values_of(c.map()), (std::vector<double>{7, 8}));
  EXPECT_EQ(values_of(before), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Cache, ComplaintsOfTheReaderComeThroughAndLeaveNothing) {
  const Cached c("a,b\n1,2\n3,four\n");
  EXPECT_EQ(test::error_of([&] { (void)c.map(); }), test::error_of([&] { (void)read_table(c.file); }));
  EXPECT_TRUE(!fs::exists(c.in) || fs::is_empty(c.in));
}

TEST(Cache, RefusesWhatHasNoFile) {
  const Cached c;
  for (const std::string& source : {std::string("sql:select 1"), std::string("-"), c.in + "/no.csv"})
    EXPECT_NE(test::error_of([&] { (void)map_cached(source, {}, c.in); }).find("cannot be cached"),
              std::string::npos)
        << source;
}

}  // namespace
}  // namespace motmot
