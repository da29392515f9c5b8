#include "data/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(name_of(path)), owned_(path != "-") {
    fd_ = owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd_ < 0) complain();
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return;
    const off_t at = ::lseek(fd_, 0, SEEK_CUR);
    // Files of /proc claim 0 bytes and have more.
    if (at >= 0 && status.st_size > at) left_ = static_cast<std::uint64_t>(status.st_size - at);
  }
  FileSource(const std::string& path, std::uint64_t offset, std::uint64_t size) : FileSource(path) {
    if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) complain();
    left_ = size;
    limited_ = true;
  }
  ~FileSource() override {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }

  std::size_t read(std::span<char> out) override {
    if (limited_) out = out.first(std::min<std::uint64_t>(out.size(), *left_));
    if (out.empty()) return 0;
    for (;;) {
      const ssize_t count = ::read(fd_, out.data(), out.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) complain();
      const auto got = static_cast<std::size_t>(count);
      if (left_) *left_ -= std::min<std::uint64_t>(*left_, got);
      return got;
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return left_; }

 private:
  [[noreturn]] void complain() const {
    fail(Errc::io, "cannot read ", name_, ": ", std::generic_category().message(errno));
  }

  std::string name_;
  bool owned_;
  int fd_ = -1;
  std::optional<std::uint64_t> left_;
  bool limited_ = false;  ///< stop after left_ bytes even if the file has more
};

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> open_source(const std::string& path, std::uint64_t offset, std::uint64_t size) {
  return std::make_unique<FileSource>(path, offset, size);
}

}  // namespace motmot
