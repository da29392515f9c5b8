#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.hpp"
#include "data/byte_source.hpp"

namespace motmot {
namespace {

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

}  // namespace

std::unique_ptr<ByteSource> inflate(std::unique_ptr<ByteSource> packed, Wrapper wrapper, std::string name) {
  return std::make_unique<InflateSource>(std::move(packed), wrapper, std::move(name));
}

}  // namespace motmot
