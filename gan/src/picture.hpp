/// Decoded pictures, and how they become side x side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motmot/gan/images.hpp"

namespace motmot::gan {

/// height x width x channels (1 or 3) bytes.
struct Picture {
  std::size_t height = 0, width = 0, channels = 0;
  std::vector<std::uint8_t> bytes{};
};

/// PNG or JPEG by content. Palettes, alpha and 16 bits become 8-bit grey or colour.
[[nodiscard]] Picture read_picture(const std::string& path);

/// The images of an .npy file, whose layout and range are those of read_data_set().
[[nodiscard]] Images read_image_array(const std::string& path);

/// How many, and how many numbers they have in the file: as its header says, and no more than its bytes.
struct ArraySize {
  std::size_t images = 0, channels = 1;
  double values = 0;
};
[[nodiscard]] ArraySize image_array_size(const std::string& path);

/// Bytes of a file; of gzip what it says to unpack to.
[[nodiscard]] double unpacked_size(const std::string& path);

/// The central square, each new pixel the mean of the old ones it covers (or, enlarging, the bilinear value).
[[nodiscard]] Picture resized(const Picture& picture, std::size_t to_side);

/// 1 or 3 channels: grey is repeated, colours are weighed as in JPEG (0.299, 0.587, 0.114).
[[nodiscard]] Picture with_channels(Picture picture, std::size_t channels);

}  // namespace motmot::gan
