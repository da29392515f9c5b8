#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "base/fd_buffer.hpp"
#include "base/require.hpp"

namespace motmot {
namespace {

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

/// Renaming over a link would replace the link and leave the file it points to as it was.
std::string follow_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(path_) {
  if (path_.empty()) complain(ENOENT);
  if (is_standard_output(path_)) {
    std::cout.flush();  // what was printed before comes before
    buffer_ = std::make_unique<FdBuffer>(STDOUT_FILENO, false);
  } else {
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) complain(EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
      const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd < 0) complain(errno);
      buffer_ = std::make_unique<FdBuffer>(fd, true);
    } else {
      target_ = follow_links(path_);
      open_temporary();
      if (exists) ::fchmod(buffer_->fd(), status.st_mode & 07777);  // best effort, as for owners
    }
  }
  stream_.rdbuf(buffer_.get());
}

OutputFile::~OutputFile() { remove_temporary(); }

void OutputFile::commit() {
  assert(buffer_->fd() >= 0);
  buffer_->close();
  if (buffer_->error() != 0) complain(buffer_->error());
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) complain(errno);
  temporary_.clear();
}

void OutputFile::open_temporary() {
  // Not mkstemp: its files are private to the user, while open() obeys the umask.
  static std::atomic<unsigned> counter{0};
  for (;;) {
    std::string name = target_ + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) complain(errno);
    temporary_ = std::move(name);
    buffer_ = std::make_unique<FdBuffer>(fd, true);
    return;
  }
}

void OutputFile::remove_temporary() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::complain(int error) const {
  fail(Errc::io, "cannot write ", is_standard_output(path_) ? "standard output" : "'" + path_ + "'", ": ",
       std::generic_category().message(error));
}

}  // namespace motmot
