#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "motmot/gan/images.hpp"
#include "picture.hpp"

namespace motmot::gan {
namespace {

constexpr std::size_t least_edge = 4;  // an extent of 3 is then always a number of channels

struct Layout {
  std::size_t height = 0, width = 0, channels = 0;
  bool channels_last = false;

  [[nodiscard]] bool fits() const noexcept {
    return height >= least_edge && width >= least_edge && (channels == 1 || channels == 3);
  }
  /// Where value j of a row stands in a picture: height x width x channels.
  [[nodiscard]] std::size_t place(std::size_t j) const noexcept {
    const std::size_t pixels = height * width;
    return channels_last ? j : j % pixels * channels + j / pixels;
  }
};

/// The layout of one image; `row` are the extents of the array without the first.
Layout layout_of(const std::vector<std::uint64_t>& row) {
  if (row.size() == 2) return {.height = row[0], .width = row[1], .channels = 1};
  if (row.size() == 3) {
    const Layout first{.height = row[1], .width = row[2], .channels = row[0]};
    return first.fits()
               ? first
               : Layout{.height = row[0], .width = row[1], .channels = row[2], .channels_last = true};
  }
  if (row.size() == 1)
    for (const std::uint64_t channels : {1u, 3u}) {
      const double pixels = static_cast<double>(row[0]) / static_cast<double>(channels);
      const auto edge = static_cast<std::size_t>(std::lround(std::sqrt(pixels)));
      if (edge * edge * channels == row[0]) return {.height = edge, .width = edge, .channels = channels};
    }
  return {};
}

std::string words(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// byte = factor * (value - zero)
struct Range {
  double zero = 0, factor = 1;
};

Range range_of(const std::vector<double>& values, const std::string& file) {
  const auto [low, high] = std::ranges::minmax(values);
  if (low >= 0 && high <= 1) return {.factor = 255};
  if (low >= -1 && high <= 1) return {.zero = -1, .factor = 127.5};
  require(low >= 0 && high <= 255, Errc::io, file, " must hold numbers in 0..255, [0, 1] or [-1, 1]; it has ",
          low, " to ", high);
  return {};
}

/// Of the images behind this header.
Layout layout_of(const ArrayHeader& header, const std::string& file) {
  const Layout layout = layout_of(std::vector(header.shape.begin() + 1, header.shape.end()));
  require(layout.fits(), Errc::io, file, " is ", words(header.shape),
          "; images are n x H x W, n x C x H x W or n x H x W x C, with C = 1 or 3 and at least ", least_edge,
          " pixels a side");
  return layout;
}

}  // namespace

double unpacked_size(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<double>(std::max<std::streamoff>(0, file.tellg()));
  std::array<unsigned char, 4> first{}, last{};
  file.seekg(0).read(reinterpret_cast<char*>(first.data()), first.size());
  if (first[0] != 0x1f || first[1] != 0x8b) return size;
  file.seekg(-4, std::ios::end).read(reinterpret_cast<char*>(last.data()), last.size());
  return std::max(size, last[0] + 256.0 * (last[1] + 256.0 * (last[2] + 256.0 * last[3])));
}

ArraySize image_array_size(const std::string& path) {
  ByteReader in(open_source(path), name_of(path));
  const ArrayHeader header = read_npy_header(in);
  const Layout layout = layout_of(header, in.name());
  const double of_one = static_cast<double>(layout.height) * static_cast<double>(layout.width) *
                        static_cast<double>(layout.channels);
  const double images = std::min(static_cast<double>(header.shape[0]), unpacked_size(path) / of_one);
  return {static_cast<std::size_t>(images), layout.channels, images * of_one};
}

Images read_image_array(const std::string& path) {
  ByteReader in(open_source(path), name_of(path));
  const ArrayHeader header = read_npy_header(in);
  const Layout layout = layout_of(header, in.name());
  const Points points = read_array(in, header, {}).points;
  const Range range = range_of(points.values(), in.name());
  Picture picture{.height = layout.height, .width = layout.width, .channels = layout.channels};
  picture.bytes.resize(points.cols());
  Images images{.channels = layout.channels};
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t j = 0; j < points.cols(); ++j)
      picture.bytes[layout.place(j)] =
          static_cast<std::uint8_t>(std::lround(range.factor * (points(i, j) - range.zero)));
    const Picture small = resized(picture, side);
    images.bytes.insert(images.bytes.end(), small.bytes.begin(), small.bytes.end());
  }
  return images;
}

}  // namespace motmot::gan
