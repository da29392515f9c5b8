#include "motmot/drawn.hpp"

#include <algorithm>
#include <set>

#include "data/bytes.hpp"
#include "data/row_stream.hpp"

namespace motmot {
namespace {

using test::Files;

std::string csv_of(const Points& points, std::size_t missing_every = 0) {
  std::string text = "a,b,c\n";
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t j = 0; j < points.cols(); ++j) {
      std::ostringstream number;
      number.precision(17);
      number << points(i, j);
      const bool missing = missing_every > 0 && i % missing_every == 0 && j == 1;
      text += (missing ? "NA" : number.str()) + (j + 1 == points.cols() ? "\n" : ",");
    }
  }
  return text;
}

Points sample(std::size_t n) {
  Rng rng(3, Purpose::test);
  return test::gaussian(rng, n, 3);
}

/// The rows of a stream put together again.
Table gathered(const std::string& path, const ReadOptions& options = {}) {
  Table table;
  std::vector<double> values;
  std::size_t d = 0;
  const RowStream stream = stream_rows(path, options, [&](const RowChunk& chunk) {
    d = chunk.points.d;
    values.insert(values.end(), chunk.points.data, chunk.points.data + chunk.points.n * d);
    table.rows.insert(table.rows.end(), chunk.rows.begin(), chunk.rows.end());
  });
  EXPECT_EQ(stream.rows, table.rows.size());
  table.points = Points(std::move(values), d);
  table.columns = stream.columns;
  table.rows_dropped = stream.rows_dropped;
  return table;
}

void expect_same(const Table& streamed, const Table& read) {
  EXPECT_EQ(streamed.points.values(), read.points.values());
  EXPECT_EQ(streamed.columns, read.columns);
  EXPECT_EQ(streamed.rows_dropped, read.rows_dropped);
  ASSERT_EQ(streamed.rows.size(), read.points.rows());
  for (std::size_t i = 0; i < streamed.rows.size(); ++i) EXPECT_EQ(streamed.rows[i], read.source_row(i));
}

TEST(StreamRows, HandsOnWhatReadingGives) {
  Files files;
  const Points points = sample(60'000);  // several chunks
  std::string npy = files.write("a.npy", "");
  write_npy(npy, points);
  const std::string csv = files.write("a.csv", csv_of(points)),
                    holes = files.write("b.csv", csv_of(points, 7));
  expect_same(gathered(npy), read_table(npy));
  expect_same(gathered(csv), read_table(csv));
  for (const ReadOptions& options :
       {ReadOptions{.missing = Missing::drop}, ReadOptions{.columns = {"c", "b"}, .missing = Missing::drop}})
    expect_same(gathered(holes, options), read_table(holes, options));
  for (const ReadOptions& options : {ReadOptions{.columns = {"3", "1"}}, ReadOptions{.exclude = {"2"}}})
    expect_same(gathered(npy, options), read_table(npy, options));
  const std::string fortran =
      files.write("f.npy", test::npy("<f8", "(3, 2)", test::elements<double>({1, 2, 3, 4, 5, 6}), true));
  expect_same(gathered(fortran), read_table(fortran));
}

TEST(StreamRows, ComplainsAsReadingDoes) {
  Files files;
  Points points = sample(60'000);
  points(51'234, 2) = std::numeric_limits<double>::quiet_NaN();
  std::string npy = files.write("a.npy", "");
  write_npy(npy, points);
  const std::string csv = files.write("a.csv", csv_of(points)), empty = files.write("b.csv", "a,b\n");
  const auto forget = [](const RowChunk&) {};
  for (const std::string& path : {npy, csv, empty})
    EXPECT_EQ(test::error_of([&] { (void)stream_rows(path, {}, forget); }),
              test::error_of([&] { (void)read_table(path); }));
  for (const std::string& path : {npy, csv})
    expect_same(gathered(path, {.missing = Missing::drop}), read_table(path, {.missing = Missing::drop}));
}

TEST(ReadDrawn, TakesSmallFilesWhole) {
  Files files;
  const std::string path = files.write("a.csv", csv_of(sample(500), 50));
  const ReadOptions options{.missing = Missing::drop};
  const DrawnTable whole = read_drawn(path, options, {.most_values = 1470, .rows = 10});
  const Table read = read_table(path, options);
  EXPECT_EQ(whole.rows_read, 0u);
  EXPECT_EQ(whole.table.points.values(), read.points.values());
  EXPECT_EQ(whole.table.rows, read.rows);
  EXPECT_EQ(read_drawn(path, options, {.most_values = 1469, .rows = 10}).rows_read, 490u);
  EXPECT_EQ(read_drawn(path, options, {.most_values = 1, .rows = 490}).rows_read, 0u);
}

// The plain twin: sort all rows by their random numbers and take the first.
TEST(ReadDrawn, DrawsTheRowsWithTheSmallestRandomNumbers) {
  Files files;
  const Points points = sample(30'000);
  const std::string csv = files.write("a.csv", csv_of(points));
  std::string npy = files.write("a.npy", "");
  write_npy(npy, points);
  for (const std::uint64_t seed : {0u, 1u, 7u}) {
    const DrawOptions draw{.most_values = 1000, .rows = 777, .seed = seed, .sample = Drawn::second};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> keys;
    for (std::uint64_t row = 1; row <= points.rows(); ++row)
      keys.emplace_back(Rng(seed, Purpose::drawn_once_y, row).bits64(), row);
    std::ranges::sort(keys);
    std::set<std::uint64_t> wanted;
    for (std::size_t i = 0; i < 777; ++i) wanted.insert(keys[i].second);
    const DrawnTable from_csv = read_drawn(csv, {}, draw), from_npy = read_drawn(npy, {}, draw);
    EXPECT_EQ(from_csv.rows_read, 30'000u);
    EXPECT_TRUE(std::ranges::equal(from_csv.table.rows, wanted));
    EXPECT_EQ(from_npy.table.rows, from_csv.table.rows);
    EXPECT_EQ(from_npy.table.points.values(), from_csv.table.points.values());
    for (std::size_t i = 0; i < 777; ++i)
      EXPECT_EQ(from_npy.table.points(i, 1), points(from_npy.table.rows[i] - 1, 1));
    const std::vector<std::uint32_t> in_memory = drawn_rows(points.rows(), 3, {}, draw);
    ASSERT_EQ(in_memory.size(), 777u);
    for (std::size_t i = 0; i < 777; ++i) EXPECT_EQ(in_memory[i] + 1, from_csv.table.rows[i]);
  }
}

TEST(ReadDrawn, DrawsOtherRowsOfTheOtherSample) {
  const std::vector<std::uint32_t> x = drawn_rows(1000, 1, {}, {.most_values = 1, .rows = 100}),
                                   y = drawn_rows(1000, 1, {},
                                                  {.most_values = 1, .rows = 100, .sample = Drawn::second});
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(x, y, std::back_inserter(both));
  EXPECT_LT(both.size(), 25u);  // 10 expected: beyond 24 with chance 1e-5
}

// Every row has the same chance: over 400 seeds, each tenth of the rows has a tenth of the draws.
TEST(ReadDrawn, DrawsRowsAlike) {
  std::vector<double> count(10);
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    for (const std::uint32_t row : drawn_rows(1000, 1, {}, {.most_values = 1, .rows = 50, .seed = seed}))
      ++count[row / 100];
  double chi2 = 0;
  for (const double c : count) chi2 += (c - 2000) * (c - 2000) / 2000;
  EXPECT_LT(chi2, 27.9);  // 9 degrees: beyond with chance 1e-3, and the seeds are fixed
}

}  // namespace
}  // namespace motmot
