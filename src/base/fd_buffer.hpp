#pragma once

#include <streambuf>
#include <vector>

namespace motmot {

/// A stream buffer over a file descriptor. std::filebuf would do, but it forgets why a write failed.
class FdBuffer : public std::streambuf {
 public:
  /// Writes to `fd`, and closes it at the end if it is `owned`.
  FdBuffer(int fd, bool owned);
  ~FdBuffer() override;
  FdBuffer(const FdBuffer&) = delete;
  FdBuffer& operator=(const FdBuffer&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  /// errno of the first write that failed, 0 if none did.
  [[nodiscard]] int error() const noexcept { return error_; }
  /// Flushes and closes; error() tells how it went.
  void close();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool flush();

  int fd_;
  bool owned_;
  int error_ = 0;
  std::vector<char> bytes_;
};

}  // namespace motmot
