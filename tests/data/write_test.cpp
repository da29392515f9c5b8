#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::Files;
using test::for_each_seed;
using test::read_file;

/// A finite double of any size, every bit pattern being as likely.
double any_double(Rng& rng) {
  for (;;) {
    const double value = std::bit_cast<double>(rng.bits64());
    if (std::isfinite(value)) return value;
  }
}

Points any_points(Rng& rng) {
  Points points(1 + rng.below(20), 1 + rng.below(6));
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (double& value : points.row(i)) {
      const std::uint32_t kind = rng.below(4);
      value = kind == 0   ? any_double(rng)
              : kind == 1 ? rng.normal()
                          : rng.below(20) / (kind == 2 ? 1.0 : 8.0);
    }
  return points;
}

bool same(PointsView a, PointsView b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data, b.data, a.rows() * a.cols() * sizeof(double)) == 0;
}

TEST(WriteCsv, ReadsBackTheSameBits) {
  Files files;
  for_each_seed(300, [&](Rng& rng) {
    const Points points = any_points(rng);
    std::vector<std::string> names(rng.below(4) == 0 ? 0 : points.cols());
    for (std::string& name : names) name = rng.below(2) == 0 ? "a, \"b\"\n;c" : "plain";
    write_csv(files.fresh("a.csv"), points, names);
    const Table table = read_table(files.path("a.csv"));
    EXPECT_TRUE(same(table.points, points));
    EXPECT_TRUE(names.empty() || table.columns == names);
    EXPECT_TRUE(same(files.read("a.csv.gz", test::gzip(read_file(files.path("a.csv")))).points, points));
  });
}

TEST(WriteNpy, ReadsBackTheSameBits) {
  Files files;
  for_each_seed(300, [&](Rng& rng) {
    const Points points = any_points(rng);
    write_npy(files.fresh("a.npy"), points);
    EXPECT_TRUE(same(read_table(files.path("a.npy")).points, points));
    const std::string bytes = read_file(files.path("a.npy"));
    EXPECT_EQ((bytes.size() - points.values().size() * sizeof(double)) % 64, 0u);
    EXPECT_TRUE(same(files.read("a.npy.gz", test::gzip(bytes)).points, points));
  });
}

TEST(ReadNpy, ReadsFloat32AsTheSameNumbers) {
  Files files;
  for_each_seed(100, [&](Rng& rng) {
    std::vector<double> values = test::normals(rng, 1 + rng.below(50));
    for (double& value : values) value = static_cast<float>(value);
    std::ostringstream shape;
    shape << "(" << values.size() << ",)";
    EXPECT_EQ(files.values("a.npy", test::npy("<f4", shape.str(), test::elements<float>(values))), values);
  });
}

TEST(WriteCsv, WritesTheFewestDigits) {
  Files files;
  write_csv(files.path("a.csv"), Points({0.1, 1, -2.5e-300, 1e22}, 2), {"x", "a,b"});
  EXPECT_EQ(read_file(files.path("a.csv")), "x,\"a,b\"\n0.1,1\n-2.5e-300,1e+22\n");
}

TEST(WriteCsv, WritesAHeaderThatReadsBackOrNone) {
  Files files;
  const Points points({1, 2}, 2);
  write_csv(files.path("a.csv"), points, {"1", "2"});
  EXPECT_EQ(read_file(files.path("a.csv")), "1,2\n");
  const std::string path = files.path("b.csv");
  EXPECT_EQ(test::error_of([&] {
              write_csv(path, points, {"2", "1"});
            }),
            "cannot write '" + path + "': column names that are all numbers would read back as a row");
  EXPECT_EQ(test::error_of([&] { write_csv(path, points, {"x"}); }),
            "cannot write '" + path + "': 1 column names for 2 columns");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WriteNpy, ReportsAFullDisk) {
  EXPECT_EQ(test::error_of([] {
              write_npy("/dev/full", Points({1, 2}, 2));
            }),
            "cannot write '/dev/full': No space left on device");
}

}  // namespace
}  // namespace motmot
