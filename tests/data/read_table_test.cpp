#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::elements;
using test::Files;
using test::gzip;
using test::npy;
using test::zip;
using test::zstd;
using Doubles = std::vector<double>;

const std::string array = npy("<f8", "(2, 2)", elements<double>({1, 2, 3, 4}));
const Doubles four = {1, 2, 3, 4};

/// Makes a file standard input for as long as it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : saved_(::dup(0)) {
    const int fd = ::open(path.c_str(), O_RDONLY);
    ::dup2(fd, 0);
    ::close(fd);
  }
  ~StandardInput() {
    ::dup2(saved_, 0);
    ::close(saved_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int saved_;
};

TEST(ReadTable, KnowsFormatsByTheirContentWhereTheNameIsSilent) {
  Files files;
  EXPECT_EQ(files.values("data", array), four);
  EXPECT_EQ(files.values("data", "1,2\n3,4\n"), four);
  EXPECT_EQ(files.values("data", gzip(array)), four);
  EXPECT_EQ(files.values("data", zip({{"x.npy", array}})), four);
  EXPECT_EQ(files.values("a.csv", gzip("1,2\n3,4\n")), four);
  EXPECT_EQ(files.values("A.NPY", array), four);
}

TEST(ReadTable, ReadsStandardInput) {
  Files files;
  for (const std::string& bytes : {std::string("1,2\n3,4\n"), array, gzip(array), gzip("x;y\n1;2\n3;4")}) {
    const StandardInput input(files.write("input", bytes));
    EXPECT_EQ(read_table("-").points.values(), four);
  }
  const StandardInput input(files.write("input", "1,2\n3,x\n"));
  EXPECT_EQ(
      files.complaint_about("-"),
      "standard input, row 2 (line 2), column 2: 'x' is not a number; choose columns with --columns, or "
      "leave this one out with --exclude");
  const StandardInput archive(files.write("input", zip({{"x.npy", array}})));
  EXPECT_EQ(files.complaint_about("-"), "standard input is an archive; archives are read from files alone");
}

TEST(ReadTable, ReadsPipes) {
  Files files;
  const std::string pipe = files.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& bytes : {std::string("1,2\n3,4\n"), array}) {
    std::jthread writer([&] { test::write_file(pipe, bytes); });
    EXPECT_EQ(read_table(pipe).points.values(), four);
  }
}

TEST(ReadTable, SaysWhatCannotBeOpened) {
  Files files;
  EXPECT_EQ(files.complaint_about(files.path("no.csv")), "cannot read 'no.csv': No such file or directory");
  EXPECT_EQ(files.complaint_about(files.path("no.npz")), "cannot read 'no.npz': No such file or directory");
  EXPECT_EQ(files.complaint_about(files.path("no.npz:x")), "cannot read 'no.npz': No such file or directory");
  EXPECT_EQ(files.complaint_about("/tmp"), "cannot read '/tmp': Is a directory");
  EXPECT_EQ(files.complaint_about(""), "cannot read '': No such file or directory");
  EXPECT_EQ(files.complaint("a.npy", ""), "'a.npy' is empty");
  EXPECT_EQ(files.complaint("a\nb.npy", ""), "'a\\x0ab.npy' is empty");
  EXPECT_EQ(files.complaint("a.csv.gz", gzip("")), "'a.csv.gz' is empty");
  EXPECT_EQ(files.complaint("a.csv.zst", zstd("")), "'a.csv.zst' is empty");
}

TEST(ReadTable, JoinsGzipFilesThatFollowEachOther) {
  Files files;
  EXPECT_EQ(files.values("a.csv.gz", gzip("1,2\n") + gzip("3,4\n")), four);
  EXPECT_EQ(files.complaint("a.csv.gz", gzip("1,2\n") + "garbage"),
            "'a.csv.gz', byte " + std::to_string(gzip("1,2\n").size()) +
                " of the compressed data: something follows their end");
}

TEST(ReadTable, RefusesDamagedGzipFiles) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv.gz", "1,2\n"),
            "'a.csv.gz', byte 0: not gzip data, which start with 1f 8b");
  std::string packed = gzip("1,2\n3,4\n");
  for (const std::size_t length : {std::size_t{2}, std::size_t{12}, packed.size() - 1})
    EXPECT_EQ(files.complaint("a.csv.gz", packed.substr(0, length)),
              "'a.csv.gz' is truncated: the compressed data stop after " + std::to_string(length) +
                  " bytes, before their end");
  packed[packed.size() - 8] ^= 1;
  EXPECT_EQ(files.complaint("a.csv.gz", packed),
            "'a.csv.gz', byte " + std::to_string(packed.size() - 4) +
                " of the compressed data: they are damaged (incorrect data check)");
}

TEST(ReadTable, ReadsZstdByItsContent) {
  Files files;
  for (const std::string name : {"a.csv.zst", "a.csv", "data"})
    EXPECT_EQ(files.values(name, zstd("1,2\n3,4\n")), four) << name;
  for (const std::string name : {"a.npy.zst", "a.npy", "data"})
    EXPECT_EQ(files.values(name, zstd(array)), four) << name;
  // Frames follow each other; those that pzstd says to skip are skipped.
  const std::string skipped = std::string("\x50\x2a\x4d\x18\x04\0\0\0", 8) + "skip";
  EXPECT_EQ(files.values("a.csv.zst", skipped + zstd("1,2\n") + skipped + zstd("") + zstd("3,4\n")), four);
}

TEST(ReadTable, ReadsTheSameFromZstdAsFromPlainText) {
  test::for_each_seed(20, [](Rng& rng) {
    Files files;
    std::string text;
    for (std::uint32_t k = 0; k < 1 + rng.below(200'000); ++k) text += std::to_string(rng.below(100)) + "\n";
    const std::string packed = zstd(text, 1 + static_cast<int>(rng.below(19)));
    EXPECT_TRUE(files.values("a.csv.zst", packed) == files.values("a.csv", text));
  });
}

TEST(ReadTable, RefusesDamagedZstdFiles) {
  Files files;
  EXPECT_EQ(files.complaint("a.csv.zst", "1,2\n"),
            "'a.csv.zst', byte 0: not zstd data, which start with 28 b5 2f fd");
  const std::string packed = zstd("1,2\n3,4\n");
  for (const std::size_t length : {std::size_t{4}, std::size_t{9}, packed.size() - 1})
    EXPECT_EQ(files.complaint("a.csv.zst", packed.substr(0, length)),
              "'a.csv.zst' is truncated: the compressed data stop after " + std::to_string(length) +
                  " bytes, before their end");
  EXPECT_NE(files.complaint("a.csv.zst", packed + "garbage").find("they are damaged"), std::string::npos);
  // A window of 2 GB.
  const std::string greedy = "\x28\xb5\x2f\xfd" + std::string("\x04\xa8", 2) + packed.substr(6);
  EXPECT_NE(files.complaint("a.csv.zst", greedy).find("requires too much memory"), std::string::npos);
}

TEST(ReadNpz, FindsMembersByName) {
  Files files;
  const std::string other = npy("<i4", "(1,)", elements<std::int32_t>({7}));
  const std::string path =
      files.write("a.npz", zip({{"x.npy", array}, {"y.npy", other, true}, {"z.npy", array, true, true}}));
  EXPECT_EQ(read_table(path + ":x").points.values(), four);
  EXPECT_EQ(read_table(path + ":x.npy").points.values(), four);
  EXPECT_EQ(read_table(path + ":y").points.values(), (Doubles{7}));
  EXPECT_EQ(read_table(path + ":z").points.values(), four);
  EXPECT_EQ(files.complaint_about(path),
            "'a.npz' has several members, 'x', 'y', 'z'; name one as 'a.npz:member'");
  EXPECT_EQ(files.complaint_about(path + ":w"), "'a.npz' has no member 'w'; its members are 'x', 'y', 'z'");
  EXPECT_EQ(files.values("b.npz", zip({{"x.npy", array, true}})), four);
}

TEST(ReadNpz, RefusesWhatItCannotRead) {
  Files files;
  EXPECT_EQ(files.complaint("a.npz", "no archive at all, and long enough to hold one"),
            "'a.npz' is not a zip archive, or is truncated: its directory is missing");
  EXPECT_EQ(files.complaint("a.npz", zip({})), "'a.npz' is an archive without members");
  EXPECT_EQ(files.complaint("a.npz", zip({{.name = "x.npy", .bytes = array, .flags = 1}})),
            "'a.npz:x.npy' is encrypted; only plain members are read");
  const std::string good = zip({{"x.npy", array}});
  std::string bytes = good;
  bytes[bytes.find("\x93NUMPY") + array.size() - 1] ^= 1;
  EXPECT_EQ(files.complaint("a.npz", bytes), "'a.npz:x.npy' is damaged: its checksum is wrong");
  bytes = good;
  bytes[bytes.find("PK\x01\x02") + 10] = 12;
  EXPECT_EQ(files.complaint("a.npz", bytes),
            "'a.npz:x.npy' is compressed by method 12; only stored (0) and deflated (8) members are read");
  EXPECT_EQ(files.complaint("a.npz", good.substr(0, good.size() - 30)),
            "'a.npz' is not a zip archive, or is truncated: its directory is missing");
  EXPECT_EQ(files.complaint("a.npz", zip({{"x.npy", npy("<f8", "(1250000000,)", ""), true}})).substr(0, 70),
            "'a.npz:x.npy' is truncated: the header claims 1250000000 values of 8 b");
}

TEST(ReadTable, NamesFormatsThatItDoesNotRead) {
  Files files;
  using namespace std::string_literals;
  const std::string body = "\x15\x04\x15\x80 some bytes and\0 more\n"s;
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"PAR1" + body, "a Parquet file"},
      {"\x89HDF\r\n\x1a\n" + body, "an HDF5 file"},
      {"ARROW1\0\0"s + body, "an Arrow (Feather) file"},
      {"FEA1\0\0\0\0"s + body, "a Feather file"},
      {"SQLite format 3\0"s + body, "an SQLite database"},
      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + body, "an old Office file (.xls)"},
      {"\x80\x04\x95" + body, "a Python pickle"}};
  for (const auto& [bytes, what] : formats)
    for (const std::string name : {"data", "data.csv", "data.parquet", "data.npy"})
      EXPECT_EQ(files.complaint(name, bytes),
                "'" + name + "' is " + what + ", which is not read yet; export it as CSV or .npy");
  const std::vector<std::pair<std::string, std::string>> packed = {{"BZh91AY&SY" + body, "bzip2"},
                                                                   {"\xfd\x37zXZ\0"s + body, "xz"}};
  for (const auto& [bytes, what] : packed)
    EXPECT_EQ(files.complaint("a.csv", bytes),
              "'a.csv' is compressed with " + what +
                  ", which is not read yet; unpack it, or pack it with gzip or zstd");
  for (const std::string name : {"a.xlsx", "a.csv", "a.npz"}) {
    EXPECT_EQ(files.complaint(name, zip({{"[Content_Types].xml", "<x>"}, {"xl/workbook.xml", "<x>"}})),
              "'" + name + "' is an Office file (.xlsx, .ods), which is not read yet; export it as CSV");
    EXPECT_EQ(files.complaint(name, zip({{"a.csv", "1,2"}})),
              "'" + name + "' is a zip archive without .npy arrays; unpack it, or pack one file with gzip");
  }
}

// The peer is the library that defines the formats.
TEST(ReadTable, ReadsWhatNumPyWrites) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
    GTEST_SKIP() << "NumPy is not installed";
  Files files;
  const std::string script = files.write("write.py", R"(
import gzip, os, sys
import numpy as np
folder = sys.argv[1]
base = np.arange(24).reshape(4, 6) % 5
kinds = ['?'] + [o + k for o in '<>' for k in 'i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8'.split()]
os.mkdir(folder + '/same')
for i, kind in enumerate(kinds):
    a = (base % 2 if kind == '?' else base).astype(kind)
    for order in 'CF':
        b = np.array(a, order=order)
        name = f'{folder}/same/{i}{order}'
        np.save(name + '.npy', b)
        np.save(gzip.open(name + 'z.npy.gz', 'wb'), b)
        np.savez(name + 's.npz', b)
        np.savez_compressed(name + 'c.npz', b)
        np.save(name + '3.npy', np.asarray(b.reshape((4, 2, 3)), order=order))
        np.savetxt(name + '.csv', b.astype(float), delimiter=',')
)");
  ASSERT_EQ(std::system(("/usr/bin/python3 " + script + " " + files.path(".")).c_str()), 0);
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(files.path("same"))) {
    const bool boolean = file.path().filename().string().find_first_of("CF") == 1 &&
                         file.path().filename().string().starts_with("0");
    const Table table = read_table(file.path());
    ASSERT_EQ(table.points.rows(), 4u) << file.path();
    ASSERT_EQ(table.points.cols(), 6u) << file.path();
    for (std::size_t e = 0; e < 24; ++e)
      EXPECT_EQ(table.points.values()[e], static_cast<double>(boolean ? e % 5 % 2 : e % 5)) << file.path();
    ++count;
  }
  EXPECT_EQ(count, 23u * 2 * 6);
}

}  // namespace
}  // namespace motmot
