#include <algorithm>
#include <cmath>

#include "picture.hpp"

namespace motmot::gan {
namespace {

/// The old pixels that make a new one, and their weights.
struct Tap {
  std::size_t first = 0;
  std::vector<double> weights{};
};

/// When shrinking, the old pixels that [i, i + 1) * from / to covers; when enlarging, the two nearest ones.
Tap tap_of(std::size_t i, std::size_t from, std::size_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  Tap tap;
  if (scale <= 1) {
    const double centre =
        std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
    tap.first = std::min(static_cast<std::size_t>(centre), from > 1 ? from - 2 : 0);
    const double right = centre - static_cast<double>(tap.first);
    tap.weights = from > 1 ? std::vector{1 - right, right} : std::vector{1.0};
    return tap;
  }
  const double low = static_cast<double>(i) * scale, high = low + scale;
  tap.first = static_cast<std::size_t>(low);
  const auto last = std::min(from, static_cast<std::size_t>(std::ceil(high - 1e-9)));
  for (std::size_t j = tap.first; j < last; ++j)
    tap.weights.push_back(
        (std::min(high, static_cast<double>(j + 1)) - std::max(low, static_cast<double>(j))) / scale);
  return tap;
}

}  // namespace

Picture resized(const Picture& picture, std::size_t to_side) {
  const std::size_t square = std::min(picture.height, picture.width), c = picture.channels;
  const std::size_t top = (picture.height - square) / 2, left = (picture.width - square) / 2;
  std::vector<Tap> taps(to_side);
  for (std::size_t i = 0; i < to_side; ++i) taps[i] = tap_of(i, square, to_side);
  Picture out{.height = to_side, .width = to_side, .channels = c, .bytes = {}};
  out.bytes.resize(to_side * to_side * c);
  for (std::size_t at = 0; at < out.bytes.size(); ++at) {
    const Tap &rows = taps[at / c / to_side], &columns = taps[at / c % to_side];
    double sum = 0;
    for (std::size_t y = 0; y < rows.weights.size(); ++y)
      for (std::size_t x = 0; x < columns.weights.size(); ++x)
        sum +=
            rows.weights[y] * columns.weights[x] *
            picture.bytes[((top + rows.first + y) * picture.width + left + columns.first + x) * c + at % c];
    out.bytes[at] = static_cast<std::uint8_t>(std::clamp(std::lround(sum), 0L, 255L));
  }
  return out;
}

Picture with_channels(Picture picture, std::size_t channels) {
  if (picture.channels == channels) return picture;
  const std::size_t pixels = picture.height * picture.width;
  std::vector<std::uint8_t> bytes(pixels * channels);
  for (std::size_t i = 0; i < pixels; ++i)
    if (channels == 3) {
      std::fill_n(&bytes[3 * i], 3, picture.bytes[i]);
    } else {
      const std::uint8_t* rgb = &picture.bytes[3 * i];
      bytes[i] = static_cast<std::uint8_t>(std::lround(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]));
    }
  picture.bytes = std::move(bytes);
  picture.channels = channels;
  return picture;
}

}  // namespace motmot::gan
