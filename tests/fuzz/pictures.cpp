// What motmot gan reads, as far as it comes without libtorch: pictures, arrays of images, the settings of a
// run.
#include "fuzz/fuzz.hpp"

#ifdef MOTMOT_FUZZ_PICTURES
#include "data/bytes.hpp"
#include "log_line.hpp"
#include "motmot/gan/images.hpp"
#include "motmot/gan/train.hpp"
#include "npz_file.hpp"
#include "picture.hpp"

namespace motmot::fuzz {
namespace {

void read_one_picture(std::string_view bytes) {
  const gan::Picture picture = gan::read_picture(written("a.picture", bytes));
  expect(picture.bytes.size() == picture.height * picture.width * picture.channels,
         "height x width x channels bytes");
  const gan::Picture small = gan::with_channels(gan::resized(picture, gan::side), 3);
  expect(small.bytes.size() == gan::side * gan::side * 3, "resized to side x side");
}

/// A grey square as JPEG, 8 x 8.
constexpr unsigned char jpeg[] = {
    255, 216, 255, 224, 0,   16,  74,  70,  73,  70,  0,   1,   1,   0,   0,   1,   0,   1,   0,   0,
    255, 219, 0,   67,  0,   27,  18,  20,  23,  20,  17,  27,  23,  22,  23,  30,  28,  27,  32,  40,
    66,  43,  40,  37,  37,  40,  81,  58,  61,  48,  66,  96,  85,  101, 100, 95,  85,  93,  91,  106,
    120, 153, 129, 106, 113, 144, 115, 91,  93,  133, 181, 134, 144, 158, 163, 171, 173, 171, 103, 128,
    188, 201, 186, 166, 199, 153, 168, 171, 164, 255, 192, 0,   11,  8,   0,   8,   0,   8,   1,   1,
    17,  0,   255, 196, 0,   20,  0,   1,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   4,   255, 196, 0,   20,  16,  1,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   255, 218, 0,   8,   1,   1,   0,   0,   63,  0,   35,  255, 217};

std::vector<std::string> pictures() {
  std::vector<std::string> seeds{{reinterpret_cast<const char*>(jpeg), sizeof jpeg}};
  for (const std::size_t channels : {1, 3}) {
    const std::vector<std::uint8_t> bytes(6 * 5 * channels, 77);
    const std::string path = in_folder("seed.png");
    gan::write_png(path, bytes, 6, 5, channels);
    seeds.push_back(content(path));
  }
  return seeds;
}

void read_images(std::string_view bytes) {
  const gan::Images images = gan::read_image_array(written("images.npy", bytes));
  expect(images.bytes.size() == images.size() * gan::side * gan::side * images.channels,
         "so many bytes an image");
}

std::vector<std::string> image_arrays() {
  return {test::npy("|u1", "(2, 4, 4)", std::string(32, 'a')),
          test::npy("<f4", "(1, 3, 4, 4)", test::elements<float>(std::vector<double>(48, 0.5))),
          test::npy("|u1", "(1, 16)", std::string(16, 'b'))};
}

/// config.json, or that of a checkpoint.
void read_run(std::string_view bytes) {
  Choices choices(bytes);
  static_cast<void>(choices.coin() ? gan::stored_run(written("final.npz", choices.rest()))
                                   : (static_cast<void>(written("config.json", choices.rest())),
                                      gan::stored_run(in_folder(""))));
}

std::vector<std::string> runs() {
  const std::string config = gan::to_json(gan::StoredRun{});
  std::string codes = config;
  return {
      std::string(1, '\0') + config,
      std::string(1, '\1') +
          test::zip({{"config.npy", test::npy("|u1", "(" + std::to_string(codes.size()) + ",)", codes)}})};
}

/// The arrays of a checkpoint as their tensors take them: weights, a count, rows.
void read_tensors(std::string_view bytes) {
  const std::string path = written("step.npz", bytes);
  std::vector<float> weights(6);
  std::vector<std::int64_t> steps(1);
  std::vector<std::uint8_t> banned(4);
  gan::read_into(path, "critic.weight", std::span(weights));
  gan::read_into(path, "step", std::span(steps));
  gan::read_into(path, "rows.banned", std::span(banned));
}

std::vector<std::string> tensors() {
  const std::string path = in_folder("seed.npz");
  const auto file_of = [&](double step, double banned) {
    gan::NpzWriter file(path);
    const std::vector<float> weights{1, -2.5, 3e38F, 0, 1e-40F, 6};
    const std::vector<double> rows(4, banned);
    file.add("critic.weight", std::span(weights), {2, 3});
    file.add("step", std::span<const double>(&step, 1));
    file.add("rows.banned", std::span(rows));
    file.commit();
    return content(path);
  };
  return {file_of(7, 1), file_of(1e30, 1), file_of(7, 256),
          file_of(std::numeric_limits<double>::quiet_NaN(), -1)};
}

void read_log_line(std::string_view bytes) {
  for (const char* name : {"step", "used", "rejected_dirty"})
    static_cast<void>(gan::number_in(std::string(bytes), name));
}

std::vector<std::string> log_lines() {
  return {R"({"step": 40, "used": 16, "rejected_dirty": 1.5})",
          R"({"step": "40", "used": [1], "rejected_dirty": 1e400})", R"({"step": 4)", "[1]"};
}

}  // namespace

std::vector<Target> picture_targets() {
  return {{"picture", read_one_picture, pictures},
          {"image_array", read_images, image_arrays},
          {"gan_run", read_run, runs},
          {"gan_tensors", read_tensors, tensors},
          {"gan_log", read_log_line, log_lines}};
}

}  // namespace motmot::fuzz
#else
std::vector<motmot::fuzz::Target> motmot::fuzz::picture_targets() { return {}; }
#endif
