#include "data/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

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
      given_ += got;
      return got;
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return left_; }
  [[nodiscard]] std::optional<double> share_read() const override {
    if (!left_) return std::nullopt;
    return static_cast<double>(given_) / static_cast<double>(given_ + *left_);
  }

 private:
  [[noreturn]] void complain() const {
    fail(Errc::io, "cannot read ", name_, ": ", std::generic_category().message(errno));
  }

  std::string name_;
  bool owned_;
  int fd_ = -1;
  std::optional<std::uint64_t> left_;
  std::uint64_t given_ = 0;
  bool limited_ = false;  ///< stop after left_ bytes even if the file has more
};

class InflateSource : public ByteSource {
 public:
  InflateSource(std::unique_ptr<ByteSource> packed, Wrapper wrapper, std::string name)
      : packed_(std::move(packed)), wrapper_(wrapper), name_(std::move(name)), input_(1 << 16) {
    const int bits = wrapper == Wrapper::gzip ? MAX_WBITS + 16 : -MAX_WBITS;
    require(inflateInit2(&stream_, bits) == Z_OK, Errc::io, "cannot read ", name_, ": zlib is out of memory");
  }
  ~InflateSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> out) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max()));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    while (stream_.avail_out == room && room > 0) {
      if (stream_.avail_in == 0) refill();
      if (member_over_ && !next_member()) return 0;
      if (stream_.avail_in == 0) complain_truncated();
      step();
    }
    return room - stream_.avail_out;
  }
  [[nodiscard]] std::optional<double> share_read() const override {
    const std::optional<std::uint64_t> left = packed_->remaining();
    if (!left) return std::nullopt;
    return static_cast<double>(position()) / static_cast<double>(taken_ + *left);
  }

 private:
  void refill() {
    const std::size_t count = packed_->read(input_);
    taken_ += count;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  /// gzip files may be joined end to end; the next one starts where the last one stopped.
  bool next_member() {
    if (stream_.avail_in == 0) return false;
    require(wrapper_ == Wrapper::gzip && *stream_.next_in == 0x1f, Errc::io, name_, ", byte ", position(),
            " of the compressed data: something follows their end");
    inflateReset(&stream_);
    member_over_ = false;
    return true;
  }

  void step() {
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) member_over_ = true;
    require(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, Errc::io, name_, ", byte ",
            position(), " of the compressed data: they are damaged (",
            stream_.msg != nullptr ? stream_.msg : "no such code", ")");
  }

  [[nodiscard]] std::uint64_t position() const { return taken_ - stream_.avail_in; }

  [[noreturn]] void complain_truncated() const {
    fail(Errc::io, name_, " is truncated: the compressed data stop after ", taken_,
         " bytes, before their end");
  }

  std::unique_ptr<ByteSource> packed_;
  Wrapper wrapper_;
  std::string name_;
  std::vector<char> input_;
  std::uint64_t taken_ = 0;  ///< compressed bytes fetched so far
  bool member_over_ = false;
  z_stream stream_{};
};

class ZstdSource : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(1 << 16), stream_(ZSTD_createDStream()) {
    require(stream_ != nullptr, Errc::io, "cannot read ", name_, ": zstd is out of memory");
    // What `zstd -d` takes unless told otherwise: 128 MB, and of them only what the data fill.
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, 27);
  }

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer room{out.data(), out.size(), 0};
    while (room.pos == 0 && room.size > 0) {
      // Output that found no room the last time comes without further input.
      if (fresh_.pos == fresh_.size && !is_full_) refill();
      if (fresh_.pos == fresh_.size && frame_over_) return 0;
      if (fresh_.size == 0 && !is_full_) complain_truncated();
      step(room);
    }
    return room.pos;
  }
  [[nodiscard]] std::optional<double> share_read() const override {
    const std::optional<std::uint64_t> left = packed_->remaining();
    if (!left) return std::nullopt;
    return static_cast<double>(position()) / static_cast<double>(taken_ + *left);
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  void refill() {
    const std::size_t count = packed_->read(input_);
    taken_ += count;
    fresh_ = {input_.data(), count, 0};
  }

  void step(ZSTD_outBuffer& room) {
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &room, &fresh_);
    require(!ZSTD_isError(status), Errc::io, name_, ", byte ", position(),
            " of the compressed data: they are damaged (", ZSTD_getErrorName(status), ")");
    frame_over_ = status == 0;
    is_full_ = room.pos == room.size && !frame_over_;
  }

  [[nodiscard]] std::uint64_t position() const { return taken_ - (fresh_.size - fresh_.pos); }

  [[noreturn]] void complain_truncated() const {
    fail(Errc::io, name_, " is truncated: the compressed data stop after ", taken_,
         " bytes, before their end");
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  ZSTD_inBuffer fresh_{};
  std::uint64_t taken_ = 0;  ///< compressed bytes fetched so far
  bool frame_over_ = false;  ///< frames may follow each other
  bool is_full_ = false;     ///< the last step stopped because there was no more room
};

class ReaderSource : public ByteSource {
 public:
  explicit ReaderSource(ByteReader reader) : reader_(std::move(reader)) {}
  std::size_t read(std::span<char> out) override { return reader_.read(out); }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return reader_.remaining(); }

 private:
  ByteReader reader_;
};

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> open_source(const std::string& path, std::uint64_t offset, std::uint64_t size) {
  return std::make_unique<FileSource>(path, offset, size);
}

std::unique_ptr<ByteSource> inflate(std::unique_ptr<ByteSource> packed, Wrapper wrapper, std::string name) {
  return std::make_unique<InflateSource>(std::move(packed), wrapper, std::move(name));
}

std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<ZstdSource>(std::move(packed), std::move(name));
}

ByteReader::ByteReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)) {}

std::string_view ByteReader::peek(std::size_t count) {
  while (peeked_.size() < count) {
    const std::size_t had = peeked_.size();
    peeked_.resize(count);
    const std::size_t got = source_->read(std::span(peeked_).subspan(had));
    peeked_.resize(had + got);
    if (got == 0) break;
  }
  return std::string_view(peeked_).substr(0, count);
}

std::size_t ByteReader::read(std::span<char> out) {
  std::size_t got = 0;
  if (peeked_.empty()) {
    got = source_->read(out);
  } else {
    got = std::min(out.size(), peeked_.size());
    std::copy_n(peeked_.begin(), got, out.begin());
    peeked_.erase(0, got);
  }
  position_ += got;
  return got;
}

std::size_t ByteReader::read_fully(std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t got = read(out.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::optional<std::uint64_t> ByteReader::remaining() const {
  const std::optional<std::uint64_t> behind = source_->remaining();
  if (!behind) return std::nullopt;
  return *behind + peeked_.size();
}

std::unique_ptr<ByteSource> ByteReader::into_source(ByteReader reader) {
  return std::make_unique<ReaderSource>(std::move(reader));
}

}  // namespace motmot
