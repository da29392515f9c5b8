#include "data/mapping.hpp"

#include <filesystem>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::elements;
using test::Files;
using Doubles = std::vector<double>;

Doubles values_of(PointsView rows) { return {rows.data, rows.data + rows.n * rows.d}; }

Points some_points(std::size_t n, std::size_t d) {
  Rng rng(7, Purpose::test);
  return test::gaussian(rng, n, d);
}

/// The same array as motmot and NumPy write it: elements start at a multiple of 64.
std::string written(Files& files, const Points& points) {
  std::string path = files.write("a.npy", "");
  write_npy(path, points);
  return path;
}

TEST(MapPoints, GivesWhatReadingGivesBitForBit) {
  Files files;
  const Points points = some_points(1000, 7);
  const std::string path = written(files, points);
  const MappedPoints mapped = map_points(path);
  const Table read = read_table(path);
  ASSERT_EQ(mapped.rows(), 1000u);
  ASSERT_EQ(mapped.cols(), 7u);
  EXPECT_EQ(values_of(mapped), read.points.values());
}

TEST(MapPoints, RawFilesAreReadAndMappedAlike) {
  Files files;
  const Doubles six = {1, -2.5, 3, 4, 1e300, 6};
  const std::string path = files.write("a.bin", elements<double>(six));
  const ReadOptions options{.raw = RawLayout{RawType::float64, 2}};
  EXPECT_EQ(values_of(map_points(path, options)), six);
  const Table table = read_table(path, options);
  EXPECT_EQ(table.points.values(), six);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"1", "2"}));
}

TEST(MapPoints, RawNumbersOfOtherTypesAreConvertedByReading) {
  Files files;
  const auto read = [&](RawType type, const std::string& bytes) {
    return read_table(files.write("a.raw", bytes), {.raw = RawLayout{type, 3}}).points.values();
  };
  const Doubles six = {1, 2, 3, 4, 100, 6};
  EXPECT_EQ(read(RawType::float32, elements<float>(six)), six);
  EXPECT_EQ(read(RawType::int64, elements<std::int64_t>(six)), six);
  EXPECT_EQ(read(RawType::int32, elements<std::int32_t>(six)), six);
  EXPECT_EQ(read(RawType::int16, elements<std::int16_t>(six)), six);
  EXPECT_EQ(read(RawType::uint16, elements<std::uint16_t>(six)), six);
  EXPECT_EQ(read(RawType::int8, elements<std::int8_t>(six)), six);
  EXPECT_EQ(read(RawType::uint8, elements<std::uint8_t>(six)), six);
}

TEST(MapPoints, PartsOfAFileAreTheirRows) {
  Files files;
  const Points points = some_points(100, 3);
  const MappedPoints part = [&] { return map_points(written(files, points)).part(40, 25); }();
  ASSERT_EQ(part.rows(), 25u);  // and the file is still mapped, although the whole is gone
  for (std::size_t i = 0; i < 25; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(PointsView(part)(i, j), points(40 + i, j));
  EXPECT_EQ(part.part(25, 0).rows(), 0u);
  EXPECT_THROW((void)part.part(20, 6), Error);
  EXPECT_THROW((void)part.part(26, 0), Error);
}

TEST(MapPoints, WhatNeedsConversionSaysSo) {
  Files files;
  const Doubles six = {1, 2, 3, 4, 5, 6};
  const auto why = [&](const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
    const std::string path = files.write(name, bytes);
    std::string text = why_not_mapped(path, options);
    EXPECT_NE(test::error_of([&] { (void)map_points(path, options); }).find(text), std::string::npos) << text;
    return text;
  };
  EXPECT_EQ(why("a.npy", test::npy("<f4", "(3, 2)", elements<float>(six))),
            "its numbers are no little-endian float64");
  EXPECT_EQ(why("a.npy", test::npy(">f8", "(3, 2)", elements<double>(six, true))),
            "its numbers are no little-endian float64");
  EXPECT_EQ(why("a.npy", test::npy("<f8", "(3, 2)", elements<double>(six), true)), "it is in Fortran order");
  EXPECT_EQ(why("a.csv", "1,2\n"), "it is neither .npy nor raw");
  EXPECT_EQ(why("a.npy", test::gzip("1,2\n")), "its content is not that of an .npy file");
  EXPECT_EQ(why("a.bin", elements<float>(six), {.raw = RawLayout{RawType::float32, 2}}),
            "its numbers are no little-endian float64");
  const std::string raw = elements<double>(six);
  EXPECT_EQ(why("a.bin", raw, {.columns = {"1"}, .raw = RawLayout{RawType::float64, 2}}),
            "columns are chosen");
  EXPECT_EQ(why("a.bin", raw, {.missing = Missing::drop, .raw = RawLayout{RawType::float64, 2}}),
            "values may be missing");
}

TEST(MapPoints, SizesAreHeldAgainstTheHeader) {
  Files files;
  const std::string path = written(files, some_points(10, 2));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
  EXPECT_NE(test::error_of([&] { (void)map_points(path); }).find("is truncated"), std::string::npos);
  const std::string raw = files.write("a.bin", std::string(41, '\0'));
  const std::string said = test::error_of([&] {
    (void)map_points(raw, {.raw = RawLayout{RawType::float64, 2}});
  });
  EXPECT_NE(said.find("has 41 bytes, which are no whole rows: --raw float64,2 means 16 bytes a row"),
            std::string::npos)
      << said;
  EXPECT_NE(test::error_of([&] { (void)read_table(raw); }).find("--raw TYPE,COLUMNS"), std::string::npos);
}

TEST(Mapping, KnowsItsFileByAnAddressWhileItLives) {
  Files files;
  const std::string path = files.write("a.bin", std::string(100, 'x'));
  const char* inside = nullptr;
  {
    const Mapping mapping(path);
    inside = mapping.data() + 99;
    EXPECT_NE(std::string(mapped_file_at(inside)).find("a.bin"), std::string::npos);
    EXPECT_EQ(mapped_file_at(mapping.data() + 100), nullptr);
  }
  EXPECT_EQ(mapped_file_at(inside), nullptr);
}

}  // namespace
}  // namespace motmot
