// PNG by libpng's simplified interface, JPEG by libjpeg. jpeglib.h needs <cstdio> before it.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstring>
#include <memory>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"
#include "motmot/gan/images.hpp"
#include "picture.hpp"

namespace motmot::gan {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  require(file != nullptr, Errc::io, "cannot read ", name_of(path), ": ", std::strerror(errno));
  return file;
}

/// Memory goes by the pixels, which a small file may claim by the thousand million.
void require_few_pixels(const std::string& path, std::size_t height, std::size_t width) {
  constexpr std::size_t most = std::size_t{1} << 26;
  require(height <= most && width <= most && height * width <= most, Errc::io, name_of(path), " has ", width,
          " x ", height, " pixels; pictures of more than ", most, " are not read");
}

Picture read_png(const std::string& path, std::FILE* file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const bool begun = png_image_begin_read_from_stdio(&png, file) != 0;
  require(begun, Errc::io, name_of(path),
          " is not a PNG picture that can be read: ", static_cast<const char*>(png.message));
  try {
    require_few_pixels(path, png.height, png.width);
  } catch (const Error&) {
    png_image_free(&png);
    throw;
  }
  const bool colour = (png.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture picture{.height = png.height, .width = png.width, .channels = colour ? 3u : 1u};
  picture.bytes.resize(PNG_IMAGE_SIZE(png));
  const png_color black{};
  const bool done = png_image_finish_read(&png, &black, picture.bytes.data(), 0, nullptr) != 0;
  const std::string message = static_cast<const char*>(png.message);
  png_image_free(&png);
  require(done, Errc::io, name_of(path), " is a damaged PNG picture: ", message);
  return picture;
}

struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void on_jpeg_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, static_cast<char*>(errors->message));
  std::longjmp(errors->back, 1);
}

/// libjpeg fills truncated pictures with grey and only warns; here a warning is an error too.
void on_jpeg_message(j_common_ptr info, int level) {
  if (level < 0) on_jpeg_error(info);
}

/// Reads the header; false after an error.
bool begin_jpeg(jpeg_decompress_struct& info, JpegErrors& errors, std::FILE* file) {
  if (setjmp(static_cast<__jmp_buf_tag*>(errors.back)) != 0) return false;
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  return true;
}

/// False after an error. longjmp runs no destructors, so there is no object between setjmp and it.
bool decode_jpeg(jpeg_decompress_struct& info, JpegErrors& errors, Picture& picture) {
  if (setjmp(static_cast<__jmp_buf_tag*>(errors.back)) != 0) return false;
  info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&info);
  picture.height = info.output_height;
  picture.width = info.output_width;
  picture.channels = static_cast<std::size_t>(info.output_components);
  picture.bytes.resize(picture.height * picture.width * picture.channels);
  while (info.output_scanline < info.output_height) {
    JSAMPROW line = picture.bytes.data() + info.output_scanline * picture.width * picture.channels;
    jpeg_read_scanlines(&info, &line, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

Picture read_jpeg(const std::string& path, std::FILE* file) {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = on_jpeg_error;
  errors.base.emit_message = on_jpeg_message;
  jpeg_create_decompress(&info);
  const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct*)> freed(
      &info, [](jpeg_decompress_struct* one) { jpeg_destroy_decompress(one); });
  Picture picture;
  const bool begun = begin_jpeg(info, errors, file);
  if (begun) require_few_pixels(path, info.image_height, info.image_width);
  const bool done = begun && decode_jpeg(info, errors, picture);
  require(done, Errc::io, name_of(path),
          " is a damaged JPEG picture: ", static_cast<const char*>(errors.message));
  return picture;
}

}  // namespace

Picture read_picture(const std::string& path) {
  const File file = open_file(path);
  unsigned char start[4] = {};
  const std::size_t got = std::fread(start, 1, sizeof start, file.get());
  std::rewind(file.get());
  require(got > 0, Errc::io, name_of(path), " is empty");
  if (got == 4 && std::memcmp(start, "\x89PNG", 4) == 0) return read_png(path, file.get());
  if (got >= 2 && start[0] == 0xff && start[1] == 0xd8) return read_jpeg(path, file.get());
  fail(Errc::io, name_of(path), " is neither a PNG nor a JPEG picture");
}

namespace {

std::string encode_png(std::span<const std::uint8_t> bytes, std::size_t height, std::size_t width,
                       std::size_t channels) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string encoded(size, '\0');
  const bool done = png_image_write_to_memory(&png, encoded.data(), &size, 0, bytes.data(), 0, nullptr) != 0;
  require(done, Errc::io, "cannot make a PNG picture: ", static_cast<const char*>(png.message));
  encoded.resize(size);
  return encoded;
}

}  // namespace

std::string png_of(const Images& images, std::size_t i) {
  return encode_png(images[i], side, side, images.channels);
}

void write_png(const std::string& path, std::span<const std::uint8_t> bytes, std::size_t height,
               std::size_t width, std::size_t channels) {
  const std::string encoded = encode_png(bytes, height, width, channels);
  OutputFile file(path);
  file.stream() << encoded;
  file.commit();
}

void write_png_grid(const std::string& path, const Images& images, std::size_t columns) {
  const std::size_t lines = (images.size() + columns - 1) / columns;
  const std::size_t c = images.channels, width = columns * (side + 1) - 1, height = lines * (side + 1) - 1;
  std::vector<std::uint8_t> canvas(height * width * c);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t top = i / columns * (side + 1), left = i % columns * (side + 1);
    for (std::size_t row = 0; row < side; ++row)
      std::memcpy(&canvas[((top + row) * width + left) * c], &images[i][row * side * c], side * c);
  }
  write_png(path, canvas, height, width, c);
}

}  // namespace motmot::gan
