#include <bit>
#include <cmath>
#include <limits>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::elements;
using test::Files;
using test::idx;
using test::npy;
using Doubles = std::vector<double>;

const Doubles six = {1, 0, 3, 4, 100, 6};

template <class T>
void expect_read(const std::string& type) {
  Files files;
  const bool little = std::endian::native == std::endian::little;
  for (const bool swap : {false, true})
    for (const int version : {1, 2, 3}) {
      const std::string descr = (swap == little ? ">" : "<") + type;
      const std::string bytes = npy(descr, "(3, 2)", elements<T>(six, swap), false, version);
      EXPECT_EQ(files.values("a.npy", bytes), six) << descr << " version " << version;
      EXPECT_EQ(files.values("a.npy.gz", test::gzip(bytes)), six) << descr;
    }
}

TEST(ReadNpy, ReadsEveryTypeInEitherByteOrder) {
  expect_read<std::int8_t>("i1");
  expect_read<std::int16_t>("i2");
  expect_read<std::int32_t>("i4");
  expect_read<std::int64_t>("i8");
  expect_read<std::uint8_t>("u1");
  expect_read<std::uint16_t>("u2");
  expect_read<std::uint32_t>("u4");
  expect_read<std::uint64_t>("u8");
  expect_read<float>("f4");
  expect_read<double>("f8");
}

TEST(ReadNpy, KeepsSignsAndExtremes) {
  Files files;
  EXPECT_EQ(files.values("a.npy", npy("<i8", "(2,)", elements<std::int64_t>({-1, -0x1p63}))),
            (Doubles{-1, -0x1p63}));
  EXPECT_EQ(files.values("a.npy", npy("<u8", "(1,)", std::string(8, '\xff'))), (Doubles{0x1p64}));
  EXPECT_EQ(files.values("a.npy", npy("|b1", "(3,)", std::string("\x00\x01\x02", 3))), (Doubles{0, 1, 1}));
  EXPECT_EQ(files.values("a.npy", npy("<f8", "(2,)", elements<double>({5e-324, -1.7e308}))),
            (Doubles{5e-324, -1.7e308}));
  // Halves: 1, -2, 65504, the smallest, 0.
  EXPECT_EQ(
      files.values("a.npy", npy(">f2", "(5,)", std::string("\x3c\x00\xc0\x00\x7b\xff\x00\x01\x00\x00", 10))),
      (Doubles{1, -2, 65504, 0x1p-24, 0}));
}

TEST(ReadNpy, ReadsFortranOrder) {
  Files files;
  const std::string bytes = npy("<f8", "(2, 3)", elements<double>({1, 4, 2, 5, 3, 6}), true);
  EXPECT_EQ(files.values("a.npy", bytes), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(files.values("a.npy.gz", test::gzip(bytes)), (Doubles{1, 2, 3, 4, 5, 6}));
  const Table chosen = files.read("a.npy", bytes, {.columns = {"3", "1"}, .weights = "2"});
  EXPECT_EQ(chosen.points.values(), (Doubles{3, 1, 6, 4}));
  EXPECT_EQ(chosen.weights, (Doubles{2, 5}));
}

// A 2 x 2 x 3 array whose elements are its indices, in both orders.
TEST(ReadNpy, FlattensFurtherDimensionsInCOrder) {
  Files files;
  Doubles c_order;
  Doubles fortran_order(12);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) {
        c_order.push_back(100 * i + 10 * j + k);
        fortran_order[static_cast<std::size_t>(i + 2 * (j + 2 * k))] = c_order.back();
      }
  const Table table = files.read("a.npy", npy("<f8", "(2, 2, 3)", elements<double>(c_order)));
  EXPECT_EQ(table.points.cols(), 6u);
  EXPECT_EQ(table.points.values(), c_order);
  EXPECT_EQ(table.columns.back(), "6");
  EXPECT_EQ(files.values("a.npy", npy("<f8", "(2, 2, 3)", elements<double>(fortran_order), true)), c_order);
  EXPECT_EQ(files.read("a.npy", npy("<f8", "(4,)", elements<double>({1, 2, 3, 4}))).points.cols(), 1u);
}

TEST(ReadNpy, ChoosesColumnsInAnyOrder) {
  Files files;
  const std::string bytes = npy("<f8", "(2, 3)", elements<double>({1, 2, 3, 4, 5, 6}));
  const Table table = files.read("a.npy", bytes, {.columns = {"3", "1"}});
  EXPECT_EQ(table.points.values(), (Doubles{3, 1, 6, 4}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"3", "1"}));
  EXPECT_EQ(files.values("a.npy", bytes, {.exclude = {"2"}}), (Doubles{1, 3, 4, 6}));
  EXPECT_EQ(files.values("a.npy", bytes, {.columns = {"3", "2", "1"}}), (Doubles{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(files.complaint("a.npy", bytes, {.columns = {"x"}}),
            "'a.npy' has no column 'x': without a header, columns go by number, 1 to 3");
}

TEST(ReadNpy, FindsMissingValues) {
  Files files;
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  const std::string bytes = npy("<f8", "(4, 2)", elements<double>({1, 2, 3, nan, inf, 4, 5, 6}));
  const std::size_t start = bytes.size() - 64;
  EXPECT_EQ(files.complaint("a.npy", bytes), "'a.npy', row 2, column 2 (byte " + std::to_string(start + 24) +
                                                 "): missing value nan; --missing drop leaves such rows out");
  const Table dropped = files.read("a.npy", bytes, {.missing = Missing::drop});
  EXPECT_EQ(dropped.points.values(), (Doubles{1, 2, 5, 6}));
  EXPECT_EQ(dropped.rows, (std::vector<std::uint64_t>{1, 4}));
  EXPECT_EQ(dropped.rows_dropped, 2u);
  EXPECT_EQ(files.values("a.npy", bytes, {.columns = {"1"}, .missing = Missing::drop}), (Doubles{1, 3, 5}));
  EXPECT_EQ(files.read("a.npy", bytes, {.weights = "2", .missing = Missing::drop}).weights, (Doubles{2, 6}));
  const std::string fortran = npy("<f8", "(2, 2)", elements<double>({1, 2, 3, inf}), true);
  EXPECT_EQ(files.complaint("a.npy", fortran),
            "'a.npy', row 2, column 2 (byte " + std::to_string(fortran.size() - 8) +
                "): missing value inf; --missing drop leaves such rows out");
  EXPECT_EQ(
      files.complaint("a.npy", npy("<f8", "(2,)", elements<double>({nan, inf})), {.missing = Missing::drop}),
      "'a.npy': all 2 rows have missing values, none is left");
}

TEST(ReadNpy, RefusesTruncatedAndOverlongFiles) {
  Files files;
  const std::string bytes = npy("<f8", "(3, 2)", elements<double>(six));
  const std::string start = std::to_string(bytes.size() - 48);
  const std::string claim =
      ": the header claims 3 x 2 values of 8 bytes, which is 48 bytes from byte " + start + " on, but ";
  const std::string short_bytes = bytes.substr(0, bytes.size() - 7);
  EXPECT_EQ(files.complaint("a.npy", short_bytes), "'a.npy' is truncated" + claim + "41 follow");
  EXPECT_EQ(files.complaint("a.npy.gz", test::gzip(short_bytes)),
            "'a.npy.gz' is truncated" + claim + "41 follow");
  EXPECT_EQ(files.complaint("a.npy", bytes + "x"), "'a.npy' is too long" + claim + "49 follow");
  EXPECT_EQ(files.complaint("a.npy.gz", test::gzip(bytes + "x")),
            "'a.npy.gz' is too long" + claim + "48 and more follow");
  for (const std::size_t length : {7, 9, 20})
    EXPECT_EQ(files.complaint("a.npy", bytes.substr(0, length)),
              "'a.npy' is truncated: it ends within the .npy header");
}

// Were the claim believed, these would take all memory.
TEST(ReadNpy, RefusesHugeClaimsBeforeAskingForMemory) {
  Files files;
  EXPECT_EQ(
      files.complaint("a.npy", npy("<f8", "(1250000000,)", "")),
      "'a.npy' is truncated: the header claims 1250000000 values of 8 bytes, which is 10000000000 bytes from "
      "byte 77 on, but 0 follow");
  EXPECT_NE(
      files.complaint("a.npy.gz", test::gzip(npy("<f8", "(1250000000000, 3)", ""))).find("but 0 follow"),
      std::string::npos);
  EXPECT_EQ(files.complaint("a.npy.gz", test::gzip(npy("<f8", "(1, 1250000000000)", ""))),
            "'a.npy.gz' is truncated: the header claims 1 x 1250000000000 values of 8 bytes, which is "
            "10000000000000 bytes from byte 82 on, but 0 follow");
  EXPECT_EQ(
      files.complaint("a.npy", npy("<f8", "(4294967296, 4294967296, 2)", "")),
      "'a.npy': the header claims 4294967296 x 4294967296 x 2 values of 8 bytes, more than any file holds");
  EXPECT_EQ(files.complaint("a.npy", std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12)),
            "'a.npy', byte 8: the header claims 2147483647 bytes for itself; at most 1048576 are read");
}

TEST(ReadNpy, RefusesWhatItCannotRead) {
  Files files;
  EXPECT_EQ(files.complaint("a.npy", "1,2\n3,4\n"),
            "'a.npy', byte 0: not an .npy file, which starts with \\x93NUMPY");
  EXPECT_EQ(
      files.complaint("a.npy", npy("|O", "(2,)", "")),
      "'a.npy', byte 21: '|O' means Python objects, which only Python can read; save an array of numbers");
  for (const std::string descr : {"<c16", "<U4", "<M8[ns]", "<f16", "<i3", "|b8", "<f1", "", "<"})
    EXPECT_EQ(files.complaint("a.npy", npy(descr, "(2,)", "")),
              "'a.npy', byte 21: '" + descr +
                  "' is not a type that is read (bool, integers of 1 to 8 bytes, floats of 2, 4, 8)");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "()", "12345678")),
            "'a.npy', byte 60: '()' is the shape of a single number, not of rows");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(0, 3)", "")), "'a.npy' has no rows: its shape is 0 x 3");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(3, 0)", "")), "'a.npy' has no columns: its shape is 3 x 0");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(3, -1)", "")),
            "'a.npy', byte 60: '(3, -1)' is not a shape");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "3", "")).substr(0, 17), "'a.npy', byte 60:");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(1,)", "", false, 4)),
            "'a.npy', byte 6: .npy version 4 is not known; versions 1 to 3 are");
  EXPECT_EQ(files.complaint("a.npy", std::string("\x93NUMPY\x01\0\x02\0{}", 12)),
            "'a.npy', byte 10: the header has no 'descr'");
}

TEST(ReadNpy, RefusesShapesThatNoFileHas) {
  Files files;
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(99999999999999999999999, 2)", "")),
            "'a.npy', byte 60: '(99999999999999999999999, 2)' is a shape that no file can have");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(3 4)", "")), "'a.npy', byte 60: '(3 4)' is not a shape");
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", "(3", "")).substr(0, 17), "'a.npy', byte 60:");
  std::string ones = "(1";
  for (int k = 0; k < 200'000; ++k) ones += ", 1";
  EXPECT_EQ(files.complaint("a.npy", npy("<f8", ones + ")", "", false, 2)),
            "'a.npy': the header claims an array of 200001 dimensions; at most 64 are read");
  EXPECT_EQ(files.values("a.npy", npy("<f8", "(2L, 1L)", elements<double>({5, 6}))), (Doubles{5, 6}));
}

TEST(ReadNpy, TakesNumbersThatStandForMissingValues) {
  Files files;
  const std::string bytes = npy("<i4", "(3, 2)", elements<std::int32_t>({1, 2, -999, 4, 5, 6}));
  const Table table = files.read("a.npy", bytes, {.missing = Missing::drop, .na = {"-999", "unknown"}});
  EXPECT_EQ(table.points.values(), (Doubles{1, 2, 5, 6}));
  EXPECT_EQ(table.rows, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_NE(files.complaint("a.npy", bytes, {.na = {"-999"}}).find("row 2, column 1"), std::string::npos);
}

// Runs of columns, the order asked for, and both orders of a file, against the plain definition.
TEST(ReadNpy, ChoosesAnyColumnsInAnyOrder) {
  Files files;
  test::for_each_seed(200, [&](Rng& rng) {
    const std::size_t n = 1 + rng.below(70);
    const std::size_t a = 1 + rng.below(4);
    const std::size_t b = 1 + rng.below(4);
    const std::size_t d = a * b;
    const bool fortran = rng.below(2) == 0;
    Doubles values(n * d);
    Doubles stored(n * d);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < a; ++j)
        for (std::size_t k = 0; k < b; ++k) {
          const std::size_t at = i * d + j * b + k;
          values[at] = static_cast<double>(at + 1);
          stored[fortran ? i + n * (j + a * k) : at] = values[at];
        }
    std::vector<std::size_t> order(d);
    for (std::size_t j = 0; j < d; ++j) order[j] = j;
    for (std::size_t j = d; j > 1; --j)
      std::swap(order[j - 1], order[rng.below(static_cast<std::uint32_t>(j))]);
    ReadOptions options;
    if (d > 1 && rng.below(2) == 0) {
      options.weights = std::to_string(order.back() + 1);
      order.pop_back();
    }
    if (rng.below(3) == 0) {  // all but a few, in the order of the file
      while (order.size() > 1 && rng.below(3) != 0) {
        options.exclude.push_back(std::to_string(order.back() + 1));
        order.pop_back();
      }
      std::ranges::sort(order);
    } else {
      order.resize(1 + rng.below(static_cast<std::uint32_t>(order.size())));
      for (const std::size_t column : order) options.columns.push_back(std::to_string(column + 1));
    }
    Doubles expected;
    for (std::size_t i = 0; i < n; ++i)
      for (const std::size_t column : order) expected.push_back(values[i * d + column]);
    const std::string shape =
        "(" + std::to_string(n) + ", " + std::to_string(a) + ", " + std::to_string(b) + ")";
    const std::string bytes = npy("<f8", shape, elements<double>(stored), fortran);
    const Table table = files.read("a.npy", bytes, options);
    EXPECT_EQ(table.points.values(), expected);
    for (std::size_t j = 0; j < order.size(); ++j) EXPECT_EQ(table.columns[j], std::to_string(order[j] + 1));
    for (std::size_t i = 0; i < table.weights.size(); ++i)
      EXPECT_EQ(table.weights[i], values[i * d + std::stoul(options.weights) - 1]);
  });
}

TEST(ReadIdx, ReadsEveryType) {
  Files files;
  EXPECT_EQ(files.values("a.idx", idx(0x08, {2}, "\x01\xff")), (Doubles{1, 255}));
  EXPECT_EQ(files.values("a.idx", idx(0x09, {2}, "\x01\xff")), (Doubles{1, -1}));
  EXPECT_EQ(files.values("a.idx", idx(0x0b, {3, 2}, elements<std::int16_t>(six, true))), six);
  EXPECT_EQ(files.values("a.idx", idx(0x0c, {3, 2}, elements<std::int32_t>(six, true))), six);
  EXPECT_EQ(files.values("a.idx", idx(0x0d, {3, 2}, elements<float>(six, true))), six);
  EXPECT_EQ(files.values("a.idx", idx(0x0e, {3, 2}, elements<double>(six, true))), six);
}

TEST(ReadIdx, ReadsImagesAsRowsWhateverTheFileIsCalled) {
  Files files;
  const std::string images = idx(0x08, {3, 2, 2}, "abcdefghijkl");
  for (const std::string name : {"a.idx", "train-images-idx3-ubyte", "unnamed"})
    EXPECT_EQ(files.read(name, images).points.cols(), 4u);
  const Table table = files.read("train-images-idx3-ubyte.gz", test::gzip(images));
  EXPECT_EQ(table.points.rows(), 3u);
  EXPECT_EQ(table.points(2, 3), 'l');
}

TEST(ReadIdx, RefusesWhatItCannotRead) {
  Files files;
  EXPECT_EQ(files.complaint("a.idx", "1,2,3"),
            "'a.idx', byte 0: not an IDX file, which starts with two zeros");
  EXPECT_EQ(files.complaint("a.idx", idx(7, {1}, "x")),
            "'a.idx', byte 2: IDX type 7 is not known (8, 9, 11, 12, 13, 14 are)");
  EXPECT_EQ(files.complaint("a.idx", idx(8, {}, "x")),
            "'a.idx', byte 3: an array of no dimensions has no rows");
  EXPECT_EQ(files.complaint("a.idx", idx(8, {2, 2}, "xxx").substr(0, 9)),
            "'a.idx' is truncated: it ends within the IDX header");
  EXPECT_EQ(files.complaint("a.idx", idx(8, {2, 2}, "xxx")),
            "'a.idx' is truncated: the header claims 2 x 2 values of 1 byte, which is 4 bytes from byte 12 "
            "on, but 3 follow");
}

}  // namespace
}  // namespace motmot
