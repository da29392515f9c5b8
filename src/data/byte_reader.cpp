#include "data/byte_reader.hpp"

#include <algorithm>
#include <utility>

namespace motmot {
namespace {

class ReaderSource : public ByteSource {
 public:
  explicit ReaderSource(ByteReader reader) : reader_(std::move(reader)) {}
  std::size_t read(std::span<char> out) override { return reader_.read(out); }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return reader_.remaining(); }

 private:
  ByteReader reader_;
};

}  // namespace

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
