#include "base/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <set>
#include <streambuf>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/require.hpp"

namespace motmot {
namespace {

namespace fs = std::filesystem;

bool is_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1";
}

/// The place that a name leads to. Renaming over a link would replace the link and leave the file it points
/// to as it was, so links are followed, those to files that are not there yet too.
fs::path real_path(fs::path path) {
  std::error_code error;
  constexpr int most_links = 40;  // as in the kernel: links may point at each other
  for (int links = 0; links < most_links && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : real;
}

/// Names of the temporaries that this process has open, for remove_temporaries(). One that finds no room here
/// is left for a later run to sweep up.
std::array<std::atomic<const char*>, 64> temporaries{};
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads them");

/// Whether the file still has a name, once nobody else holds its lock; false as well if that cannot be had.
bool lock_named(int fd, int operation) {
  struct stat status {};
  return ::flock(fd, operation) == 0 && ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/// Removes the temporaries in a folder whose process is gone, once per folder. The lock of a dead process is
/// gone too, whichever machine it ran on; where a file system has no locks, nothing is removed.
void sweep(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> swept;
  const std::lock_guard once(mutex);
  if (!swept.insert(folder).second) return;
  // Not std::filesystem: its iterator ends the process where memory does.
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder(::opendir(folder.c_str()), ::closedir);
  while (const dirent* file = open_folder ? ::readdir(open_folder.get()) : nullptr) {
    const std::string_view name = file->d_name;
    if (!name.starts_with(".motmot-") || !name.ends_with(".tmp")) continue;
    const int at = ::dirfd(open_folder.get());
    const int fd = ::openat(at, file->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    if (lock_named(fd, LOCK_EX | LOCK_NB)) ::unlinkat(at, file->d_name, 0);
    ::close(fd);
  }
}

}  // namespace

/// Over a file descriptor. std::filebuf would do, but it forgets why a write failed.
class OutputFile::Buffer : public std::streambuf {
 public:
  /// Without a file yet: where memory ends here, none is left open.
  Buffer() : bytes_(1 << 16) { rewind(); }
  ~Buffer() override { close(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void take(int fd, bool owned) noexcept {
    close();
    fd_ = fd;
    owned_ = owned;
  }
  [[nodiscard]] int fd() const noexcept { return fd_; }
  /// errno of the first write that failed, 0 if none did.
  [[nodiscard]] int error() const noexcept { return error_; }
  /// Writes what is buffered, to the disk if it is a file there.
  void finish(bool to_disk) {
    sync();
    // Not every file system can sync; those that cannot say so by EINVAL.
    if (error_ == 0 && to_disk && ::fsync(fd_) != 0 && errno != EINVAL) error_ = errno;
  }
  void close() {
    if (owned_ && fd_ >= 0 && ::close(fd_) != 0 && error_ == 0) error_ = errno;
    fd_ = -1;
  }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  int sync() override {
    const char* next = pbase();
    while (error_ == 0 && next != pptr()) {
      const ssize_t written = ::write(fd_, next, static_cast<std::size_t>(pptr() - next));
      if (written > 0) next += written;
      else if (errno != EINTR) error_ = errno;
    }
    rewind();
    return error_ == 0 ? 0 : -1;
  }

 private:
  void rewind() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

  int fd_ = -1;
  bool owned_ = false;
  int error_ = 0;
  std::vector<char> bytes_;
};

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), target_(path_), buffer_(std::make_unique<Buffer>()) {
  if (path_.empty()) complain(ENOENT);
  if (is_standard_output(path_)) {
    std::cout.flush();  // what was printed before comes before
    std::fflush(stdout);
    buffer_->take(STDOUT_FILENO, false);
  } else {
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) complain(EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
      const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd < 0) complain(errno);
      buffer_->take(fd, true);
    } else {
      const fs::path real = real_path(path_);
      target_ = real;
      sweep(real.parent_path());
      open_temporary(real.parent_path());
      if (exists) ::fchmod(buffer_->fd(), status.st_mode & 07777);  // best effort, as for owners
    }
  }
  stream_.rdbuf(buffer_.get());
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_temporary();
}

void OutputFile::commit() {
  assert(buffer_->fd() >= 0);
  buffer_->finish(!temporary_.empty());
  if (buffer_->error() == 0 && !temporary_.empty()) {
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) complain(errno);
    forget_temporary();
    // The new name is on the disk once its folder is. Some folders cannot be opened: then it is there soon.
    const int folder = ::open(fs::path(target_).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }
  buffer_->close();  // last: the lock lasts until the file has its name
  if (buffer_->error() != 0) complain(buffer_->error());
}

void OutputFile::open_temporary(const std::string& folder) {
  // Not mkstemp: its files are private to the user, while open() obeys the umask.
  static std::atomic<unsigned> counter{0};
  for (;;) {
    // The time makes the name ours alone, so that it can be known before the file is there: a signal that
    // came in between would leave it behind.
    const auto time = std::chrono::system_clock::now().time_since_epoch().count();
    temporary_ = folder + "/.motmot-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + "-" +
                 std::to_string(time) + ".tmp";
    for (std::atomic<const char*>& place : temporaries) {
      const char* empty = nullptr;
      if (place.compare_exchange_strong(empty, temporary_.c_str())) break;
    }
    const int fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = errno;
    buffer_->take(fd, true);
    // Another run that sweeps the folder may have been faster than the lock.
    if (fd >= 0 && (lock_named(fd, LOCK_EX) || ::access(temporary_.c_str(), F_OK) == 0)) return;
    forget_temporary();
    if (fd < 0 && error != EEXIST) complain(error);
  }
}

void OutputFile::forget_temporary() noexcept {
  for (std::atomic<const char*>& place : temporaries) {
    const char* mine = temporary_.c_str();
    if (place.compare_exchange_strong(mine, nullptr)) break;
  }
  temporary_.clear();
}

void OutputFile::complain(int error) const {
  fail(Errc::io, "cannot write ", is_standard_output(path_) ? "standard output" : "'" + path_ + "'", ": ",
       std::generic_category().message(error));
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  require(!error, Errc::io, "cannot make folder '", path, "': ", error.message());
}

FolderLock::FolderLock(const std::string& folder)
    : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(std::exchange(fd_, -1));
  fail(Errc::io, "another run is writing to '", folder, "': wait for it, or choose another folder");
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

void remove_temporaries() noexcept {
  for (const std::atomic<const char*>& place : temporaries)
    if (const char* name = place.load()) ::unlink(name);
}

bool same_file(const std::string& a, const std::string& b) {
  if (is_standard_output(a) && is_standard_output(b)) return true;
  struct stat of_a {
  }, of_b{};
  const auto status = [](const std::string& path, struct stat& to) {
    return path == "-" ? ::fstat(STDOUT_FILENO, &to) == 0 : ::stat(path.c_str(), &to) == 0;
  };
  const bool there_a = status(a, of_a), there_b = status(b, of_b);
  if (there_a && there_b)
    return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  return !there_a && !there_b && real_path(a) == real_path(b);
}

}  // namespace motmot
