#include "base/fd_buffer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace motmot {

FdBuffer::FdBuffer(int fd, bool owned) : fd_(fd), owned_(owned), bytes_(1 << 16) {
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

FdBuffer::~FdBuffer() {
  if (owned_ && fd_ >= 0) ::close(fd_);
}

void FdBuffer::close() {
  flush();
  // Some file systems (NFS, quotas) report a full disk only here.
  if (owned_ && fd_ >= 0 && ::close(fd_) != 0 && error_ == 0) error_ = errno;
  fd_ = -1;
}

FdBuffer::int_type FdBuffer::overflow(int_type c) {
  if (!flush()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int FdBuffer::sync() { return flush() ? 0 : -1; }

bool FdBuffer::flush() {
  const char* next = pbase();
  while (error_ == 0 && next != pptr()) {
    const ssize_t written = ::write(fd_, next, static_cast<std::size_t>(pptr() - next));
    if (written > 0) next += written;
    else if (errno != EINTR) error_ = errno;
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return error_ == 0;
}

}  // namespace motmot
