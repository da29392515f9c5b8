#include "data/text_window.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace motmot {

bool TextWindow::extend() {
  if (at_end_) return false;
  make_room();
  const std::size_t got = in_.read_fully(std::span(buffer_.get() + end_, size_ - 1 - end_));
  if (got == 0) {
    buffer_[end_] = '\n';
    at_end_ = true;
  }
  end_ += std::max<std::size_t>(got, 1);
  buffer_[end_] = '\0';
  return true;
}

void TextWindow::make_room() {
  const std::size_t kept = end_ - begin_;
  if (kept > size_ / 2) {  // doubling keeps the cost of a record longer than the buffer linear
    auto larger = std::make_unique_for_overwrite<char[]>(2 * size_);
    std::memcpy(larger.get(), begin(), kept);
    buffer_ = std::move(larger);
    size_ *= 2;
  } else {
    std::memmove(buffer_.get(), begin(), kept);
  }
  begin_ = 0;
  end_ = kept;
}

}  // namespace motmot
