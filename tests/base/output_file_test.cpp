#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
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

TEST(OutputFile, WritesThroughALinkToAFileThatIsNotThereYet) {
  const TempDir folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/real.txt", folder / "link.txt");
  OutputFile out(folder / "link.txt");
  out.stream() << "new";
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "sub" / "real.txt"), "new");
}

TEST(OutputFile, MayHaveTheLongestNameThereIs) {
  const TempDir folder;
  const std::string name(255, 'n');
  OutputFile out(folder / name);
  out.commit();
  EXPECT_TRUE(std::filesystem::exists(folder / name));
}

TEST(OutputFile, SweepsUpWhatKilledRunsLeftAndNothingElse) {
  const TempDir folder;
  const std::string dead = folder / ".motmot-1-0.tmp", alive = folder / ".motmot-1-1.tmp";
  for (const std::string& name : {dead, alive, (folder / "notes.tmp").string()}) write_file(name, "half");
  const int held = ::open(alive.c_str(), O_RDWR | O_CLOEXEC);  // as a run on another machine would
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  OutputFile out(folder / "a.txt");
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(alive));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.tmp"));
  ::close(held);
}

TEST(OutputFile, IsNotSweptUpByAnotherProcessWhileItIsWritten) {
  const TempDir folder;
  OutputFile out(folder / "a.txt");
  out.stream() << "mine";
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
    const int fd = ::open(file.path().c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_NE(::flock(fd, LOCK_EX | LOCK_NB), 0) << "a sweeping run would take it for a dead one's";
    ::close(fd);
  }
  out.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), "mine");
}

TEST(OutputFile, TemporariesCanBeRemovedFromASignalHandler) {
  const TempDir folder;
  OutputFile a(folder / "a.txt"), b(folder / "b.txt");
  EXPECT_EQ(files_in(folder), 2u);
  remove_temporaries();
  EXPECT_EQ(files_in(folder), 0u);
}

TEST(OutputFile, ReportsALimitOfFileSizesAndLeavesNothing) {
  const TempDir folder;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 4096, .rlim_max = 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string message;
    try {
      OutputFile out(folder / "a.txt");
      out.stream() << std::string(200'000, 'x');
      out.commit();
    } catch (const Error& error) {
      message = error.what();
    }
    ::_exit(message.ends_with("a.txt': File too large") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(files_in(folder), 0u);
}

TEST(SameFile, KnowsAFileByItsLinksAndOneThatIsNotThereYetByItsPlace) {
  const TempDir folder;
  write_file(folder / "a.txt", "");
  write_file(folder / "b.txt", "");
  std::filesystem::create_directory_symlink(".", folder / "here");
  std::filesystem::create_symlink("a.txt", folder / "soft.txt");
  std::filesystem::create_hard_link(folder / "a.txt", folder / "hard.txt");
  std::filesystem::create_symlink("new.txt", folder / "dangling.txt");
  const auto same = [&](const std::string& a, const std::string& b) {
    EXPECT_EQ(same_file(folder / a, folder / b), same_file(folder / b, folder / a));
    return same_file(folder / a, folder / b);
  };
  EXPECT_TRUE(same("a.txt", "a.txt") && same("a.txt", "soft.txt") && same("soft.txt", "hard.txt"));
  EXPECT_TRUE(same("a.txt", "here/hard.txt"));
  EXPECT_TRUE(same("new.txt", "here/new.txt") && same("new.txt", "dangling.txt"));
  EXPECT_FALSE(same("a.txt", "b.txt") || same("a.txt", "new.txt") || same("new.txt", "other.txt"));
  EXPECT_TRUE(same_file("new.txt", "./new.txt"));
  EXPECT_TRUE(same_file("-", "-") && same_file("-", "/dev/stdout"));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null")) << "what is thrown away may be thrown away twice";
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
