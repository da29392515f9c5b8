#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::read_file;
using test::TempDir;
using test::write_file;

std::size_t files_in(const TempDir& folder) {
  const std::filesystem::directory_iterator files(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(OutputFile, AppearsWholeWhenItIsCommitted) {
  const TempDir folder;
  OutputFile out(folder / "a.txt");
  out.stream() << std::string(1'000'000, 'x') << "end";
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  out.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), std::string(1'000'000, 'x') + "end");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const TempDir folder;
  write_file(folder / "old.txt", "old");
  {
    OutputFile fresh(folder / "a.txt");
    fresh.stream() << "half";
    OutputFile over(folder / "old.txt");
    over.stream() << "half" << std::flush;
  }
  EXPECT_EQ(read_file(folder / "old.txt"), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, ReplacesAFileAndKeepsItsMode) {
  const TempDir folder;
  write_file(folder / "a.txt", "a much longer old text");
  ASSERT_EQ(::chmod((folder / "a.txt").c_str(), 0640), 0);
  OutputFile out(folder / "a.txt");
  out.stream() << "new";
  out.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), "new");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST(OutputFile, WritesThroughALink) {
  const TempDir folder;
  write_file(folder / "real.txt", "old");
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  OutputFile out(folder / "link.txt");
  out.stream() << "new";
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "real.txt"), "new");
}

TEST(OutputFile, SaysAtOnceThatAPlaceCannotBeWrittenTo) {
  const TempDir folder;
  const std::string missing = folder / "no" / "b.csv";
  EXPECT_EQ(error_of([&] { OutputFile out(missing); }),
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(error_of([&] { OutputFile out(folder.path()); }),
            "cannot write '" + folder.path().string() + "': Is a directory");
  write_file(folder / "file", "");
  const std::string below = folder / "file" / "b.csv";
  EXPECT_EQ(error_of([&] { OutputFile out(below); }), "cannot write '" + below + "': Not a directory");
  EXPECT_EQ(error_of([&] { OutputFile out(""); }), "cannot write '': No such file or directory");
}

TEST(OutputFile, ReportsAFullDiskAtCommit) {
  OutputFile out("/dev/full");
  out.stream() << std::string(200'000, 'x');
  EXPECT_EQ(error_of([&] { out.commit(); }), "cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(OutputFile, WritesToDevicesAndPipesDirectly) {
  OutputFile null("/dev/null");
  null.stream() << "gone";
  null.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  const TempDir folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string received;
  std::jthread reader([&] { received = read_file(folder / "pipe"); });
  OutputFile pipe(folder / "pipe");
  pipe.stream() << "through the pipe";
  pipe.commit();
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(OutputFile, WritesToStandardOutput) {
  testing::internal::CaptureStdout();
  OutputFile out("-");
  out.stream() << "x,y\n";
  out.commit();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x,y\n");
}

}  // namespace
}  // namespace motmot
