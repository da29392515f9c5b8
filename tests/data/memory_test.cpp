#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::elements;
using test::Files;
using test::gzip;
using test::npy;
using test::zstd;

constexpr double megabyte = 1 << 20;

/// A sanitizer keeps memory of its own.
bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

struct Usage {
  double peak = 0;    ///< MB beyond what the process had before
  double result = 0;  ///< MB; 0 for a complaint
};

double peak_megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

double megabytes(const Table& table) {
  std::size_t bytes = (table.points.values().size() + table.weights.size() + table.rows.size()) * 8;
  for (const std::string& name : table.columns)
    bytes += sizeof name + (name.capacity() > 15 ? name.capacity() + 1 : 0);
  return static_cast<double>(bytes) / megabyte;
}

/// What reading takes, in a process of its own.
Usage usage(const std::string& path, const ReadOptions& options) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::bad_alloc();
  const pid_t child = ::fork();
  if (child == 0) {
    const double before = peak_megabytes();
    Usage used;
    try {
      const Table table = read_table(path, options);
      used.result = megabytes(table);
    } catch (const Error&) {
      used.result = 0;
    }
    used.peak = peak_megabytes() - before;
    ::_exit(::write(ends[1], &used, sizeof used) == sizeof used ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Usage used;
  EXPECT_TRUE(status == 0 && ::read(ends[0], &used, sizeof used) == sizeof used);
  ::close(ends[0]);
  ::close(ends[1]);
  return used;
}

/// read_table() promises twice the result, and some MB: of text, what the longest line needs.
void expect_within(double some, const std::string& path, const ReadOptions& options = {}) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const Usage used = usage(path, options);
  EXPECT_LE(used.peak, 2 * used.result + some) << "the result has " << used.result << " MB";
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t k = 0; k < count; ++k) all += text;
  return all;
}

TEST(ReadMemory, DoesNotFollowAFileOfSeparators) {
  Files files;
  for (const std::string sign : {",", "\"", "\n", "a ", "1,"}) {
    // gzip files may follow each other: one MB, 48 times.
    const std::string bytes = repeated(gzip(repeated(sign, (1u << 20) / sign.size())), 48);
    SCOPED_TRACE(sign);
    expect_within(56, files.write("a.csv.gz", bytes));
    expect_within(56, files.write("b.csv.gz", gzip("x,y\n1,2\n") + bytes), {.missing = Missing::drop});
    const std::string frames = repeated(zstd(repeated(sign, (1u << 20) / sign.size())), 48);
    expect_within(56, files.write("a.csv.zst", frames));
    expect_within(56, files.write("b.csv.zst", zstd("x,y\n1,2\n") + frames), {.missing = Missing::drop});
  }
}

TEST(ReadMemory, IsTwiceATextOfAnyShape) {
  Files files;
  expect_within(4, files.write("tall.csv", "x\n" + repeated("1\n", 3'000'000)));
  expect_within(4, files.write("tall.csv.gz", gzip("x\n" + repeated("1\n", 3'000'000))));
  expect_within(4, files.write("even.csv.gz", gzip(repeated(repeated("1,", 9) + "1\n", 300'000))));
  expect_within(12, files.write("tall.csv.zst", zstd("x\n" + repeated("1\n", 3'000'000), 19)));
  const std::string wide = repeated("1.5,", 1'000'000) + "2\n";
  expect_within(4, files.write("wide.csv", wide));
  expect_within(4, files.write("wide.csv.gz", gzip(wide + wide)));
  expect_within(
      32, files.write("named.csv", repeated("a,", 1'000'000) + "b\n" + repeated("1,", 1'000'000) + "2\n"));
  // Of a million columns one is read: what counts is the line.
  expect_within(
      32, files.write("named.csv", repeated("a,", 1'000'000) + "b\n" + repeated("1,", 1'000'000) + "2\n"),
      {.columns = {"b"}});
}

TEST(ReadMemory, DoesNotFollowWhatAHeaderClaims) {
  Files files;
  const std::string few = elements<double>({1, 2, 3});
  for (const std::string shape : {"(1, 1000000000000)", "(1000000000000, 1)", "(1000000, 1000000)",
                                  "(1, 1000000, 1000000)", "(2305843009213693951,)"})
    for (const bool fortran : {false, true}) {
      const std::string bytes = npy("<f8", shape, few, fortran);
      SCOPED_TRACE(shape);
      expect_within(4, files.write("a.npy", bytes));
      expect_within(4, files.write("a.npy.gz", gzip(bytes)));
      expect_within(4, files.write("a.npy.gz", gzip(bytes)), {.exclude = {"1"}});
      expect_within(4, files.write("a.npy.zst", zstd(bytes)));
      expect_within(4, files.write("a.npz", test::zip({{"x.npy", bytes, true}})));
    }
  expect_within(4, files.write("a.idx.gz", gzip(test::idx(8, {1, 0xffffffff, 1000}, "abc"))));
  // A directory that lies within what deflate could do.
  const std::string claimed = npy("|u1", "(1, 100000000)", "");
  std::string lying = test::zip({{"x.npy", claimed + std::string(200'000, 'x'), true}});
  expect_within(4, files.write("b.npz", lying));
}

TEST(ReadMemory, IsTwiceAnArrayOfAnyShape) {
  Files files;
  const std::size_t count = 1'000'000;
  const std::string bytes(count, '\1');
  const std::string side = std::to_string(count);
  for (const std::string& shape : {"(" + side + ", 1)", "(1, " + side + ")", std::string("(1000, 1000)")})
    for (const bool fortran : {false, true}) {
      SCOPED_TRACE(shape + (fortran ? " Fortran" : ""));
      const std::string array = npy("|u1", shape, bytes, fortran);
      expect_within(4, files.write("a.npy", array));
      expect_within(4, files.write("a.npy.gz", gzip(array)));
      expect_within(4, files.write("a.npz", test::zip({{"x.npy", array, true}})));
      expect_within(4, files.write("b.npy", array), {.columns = {"1"}});
    }
}

}  // namespace
}  // namespace motmot
